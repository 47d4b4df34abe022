import { createHash } from 'node:crypto';

export interface ArtifactNameParts {
  /** `--name`. */
  readonly name?: string | undefined;
  /** Slugs of the profiles. */
  readonly profiles: readonly string[];
  /** GITHUB_JOB. */
  readonly job?: string | undefined;
  /** GITHUB_RUN_ATTEMPT. */
  readonly attempt?: string | undefined;
  /** What tells the legs of a matrix apart: its values as JSON. */
  readonly matrix?: string | undefined;
  /** The name that the workflow chose: taken as it is, but for characters that the service forbids. */
  readonly chosen?: string | undefined;
}

/** Characters; the service refuses names of more than 256 and file systems those of more than 255. */
const LONGEST = 120;

/**
 * `mcp-conformance-<name>-<profiles>-<job>-<hash>-<attempt>`: readable, free of what the artifact service forbids, and
 * different for each leg of a matrix. The hash covers everything but the attempt, so that the same job's artifact has the
 * same beginning in every run, which is how a later run finds it.
 */
export function artifactName(parts: ArtifactNameParts): string {
  return parts.chosen
    ? artifactPrefix(parts)
    : `${artifactPrefix(parts)}${plain(parts.attempt ?? '1') || '1'}`;
}

/** The name without the attempt: what the same job's artifacts in other runs begin with. */
export function artifactPrefix({ name, profiles, job, matrix, chosen }: ArtifactNameParts): string {
  if (chosen) return chosen.toWellFormed().replace(FORBIDDEN, '-').slice(0, 250);
  const leg = matrix === undefined || /^\s*(null|\{\s*\})?\s*$/.test(matrix) ? '' : matrix;
  const identity = JSON.stringify([name ?? '', [...profiles].sort(), job ?? '', leg]);
  const hash = createHash('sha256').update(identity.toWellFormed()).digest('hex').slice(0, 8);
  const readable = ['mcp-conformance', name ?? '', shortProfiles([...profiles].sort()), job ?? '']
    .map(plain)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST)
    .replace(/[-.]+$/, '');
  return `${readable}-${hash}-`;
}

/** What the service refuses in a name (@actions/artifact, path-and-artifact-name-validation), and what no name should hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
const FORBIDDEN = /[":<>|*?\\/\u0000-\u001f\u007f]/g;

/** Two profiles are named, more are counted: the hash tells sets apart. */
function shortProfiles(profiles: readonly string[]): string {
  return profiles.length <= 2 ? profiles.join('-') : `${profiles[0]}-and-${profiles.length - 1}-more`;
}

/** Letters, digits, dots and dashes; everything else, the forbidden `" : < > | * ? \ /` included, becomes a dash. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}
