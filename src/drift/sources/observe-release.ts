import picomatch from 'picomatch';
import semver from 'semver';
import { z } from 'zod';
import type { Watch } from '../../config/plan.ts';
import { remembered } from '../github-client.ts';
import type { Observed } from '../source.ts';
import type { SourceState } from '../state.ts';
import { UnknownError } from '../unknown.ts';
import { type ObserveContext, ownerAndName, webRoot } from './context.ts';
import { compareUrl } from './git-facts.ts';

const releaseAnswer = z.array(
  z.object({
    tag_name: z.string(),
    name: z.string().nullish(),
    html_url: z.string().optional(),
    body: z.string().nullish(),
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: z.string().nullish(),
  }),
);
const digestSchema = z.array(
  z.object({ tag: z.string(), prerelease: z.boolean(), published: z.string().optional() }),
);
type Release = z.infer<typeof digestSchema>[number];
/** What is kept of the notes of one release: enough for keywords, never shown whole. */
const NOTES_LIMIT = 20_000;
const SHOWN = 10;

/**
 * Releases of a repository moved when there is a newer one than the adopted: by version where tags have one, by
 * date of publication otherwise. Prereleases count when the adopted release is one.
 */
export async function observeRelease(
  watch: Extract<Watch, { kind: 'github-release' }>,
  pinned: SourceState | undefined,
  ctx: ObserveContext,
): Promise<Observed> {
  const { repository } = watch;
  const wanted = watch.tags === undefined ? () => true : picomatch(watch.tags, { dot: true });
  const adopted = pinned?.kind === 'github-release' ? pinned : undefined;
  const all = (await listReleases(repository, ctx)).filter((release) => wanted(release.tag));
  const prereleases = adopted !== undefined && isPrerelease(adopted.tag, all);
  const stable = all.filter((release) => !release.prerelease);
  // Who watches a repository that has nothing but prereleases means those.
  const candidates = prereleases || stable.length === 0 ? all : stable;
  const newest = candidates.toSorted(newer)[0];
  if (newest === undefined)
    throw new UnknownError({ reason: 'not-found', message: 'no release with such a tag' });
  const value: SourceState = {
    kind: 'github-release',
    adopted: ctx.today,
    tag: newest.tag,
    ...(newest.published === undefined ? {} : { published: newest.published }),
  };
  const seen = { label: newest.tag, url: releaseUrl(repository, newest.tag, ctx) };
  if (adopted === undefined) return { value, seen, notAdopted: 'no state was adopted', notes: [] };
  const since = candidates.filter((release) => newer(release, adopted) < 0).toSorted(newer);
  if (since.length === 0) return { value: pinned ?? value, seen: { label: adopted.tag }, notes: [] };
  const notes = await notesOf(repository, ctx);
  return {
    value,
    seen,
    notes: since.length > SHOWN ? [`${since.length - SHOWN} more releases lie between.`] : [],
    moved: {
      from: { label: adopted.tag, url: releaseUrl(repository, adopted.tag, ctx) },
      compareUrl: compareUrl(repository, adopted.tag, newest.tag, ctx),
      incomplete: since.length > SHOWN,
      changes: since.slice(0, SHOWN).map((release) => {
        const full = notes.get(release.tag);
        return {
          kind: 'release' as const,
          tag: release.tag,
          url: releaseUrl(repository, release.tag, ctx),
          notes: full?.notes ?? '',
          ...(full?.name === undefined ? {} : { name: full.name }),
          ...(release.published === undefined ? {} : { published: release.published }),
        };
      }),
    },
  };
}

/** Newest hundred; drafts left out. */
function listReleases(repository: string, ctx: ObserveContext): Promise<Release[]> {
  return remembered(
    ctx.memory,
    `releases ${repository} ${ctx.audience}`,
    (headers) => askReleases(repository, headers, ctx),
    {
      ofAnswer: (data) =>
        releaseAnswer
          .parse(data)
          .filter((release) => !release.draft)
          .map((release) => ({
            tag: release.tag_name,
            prerelease: release.prerelease,
            ...(release.published_at == null
              ? {}
              : { published: new Date(release.published_at).toISOString() }),
          })),
      ofMemory: (kept) => digestSchema.parse(kept),
    },
  );
}

function askReleases(repository: string, headers: Record<string, string>, ctx: ObserveContext) {
  return ctx.github.request('GET /repos/{owner}/{repo}/releases', {
    ...ownerAndName(repository),
    per_page: 100,
    headers,
    request: { signal: ctx.signal },
  });
}

async function notesOf(repository: string, ctx: ObserveContext) {
  try {
    const answer = await askReleases(repository, {}, ctx);
    return new Map(
      releaseAnswer.parse(answer.data).map((release) => [
        release.tag_name,
        {
          notes: (release.body ?? '').slice(0, NOTES_LIMIT),
          ...(release.name == null || release.name === '' ? {} : { name: release.name }),
        },
      ]),
    );
  } catch {
    return new Map<string, { notes: string; name?: string }>();
  }
}

/** Tags such as `v1.2.3`, `pkg@1.2.3` and `pkg-v1.2.3`. */
export function versionIn(tag: string): semver.SemVer | null {
  const text = /(?:^|[^0-9A-Za-z.]|[a-z]v|^v)(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)$/.exec(tag)?.[1];
  return text === undefined ? null : semver.parse(text);
}

function isPrerelease(tag: string, all: readonly Release[]): boolean {
  return (
    all.find((release) => release.tag === tag)?.prerelease ?? (versionIn(tag)?.prerelease.length ?? 0) > 0
  );
}

interface Dated {
  readonly tag: string;
  readonly published?: string | undefined;
}

/** Sorts the newer first. */
function newer(a: Dated, b: Dated): number {
  const [left, right] = [versionIn(a.tag), versionIn(b.tag)];
  if (left !== null && right !== null) return semver.compareBuild(right, left);
  return (b.published ?? '').localeCompare(a.published ?? '');
}

function releaseUrl(repository: string, tag: string, ctx: ObserveContext): string {
  return `${webRoot(ctx.github)}/${repository}/releases/tag/${encodeURIComponent(tag)}`;
}
