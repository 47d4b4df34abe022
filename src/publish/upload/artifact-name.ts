import { createHash } from 'node:crypto';

export interface ArtifactNameParts {
  /** `--name`. */
  readonly name?: string | undefined;
  /** Slugs of the profiles, in the plan's order. */
  readonly profiles: readonly string[];
  /** GITHUB_JOB. */
  readonly job?: string | undefined;
  /** GITHUB_RUN_ATTEMPT. */
  readonly attempt?: string | undefined;
  /** What tells the legs of a matrix apart: its values as JSON. */
  readonly matrix?: string | undefined;
  /** GITHUB_ACTION: tells two uses in one job apart. */
  readonly step?: string | undefined;
}

/** Characters; the service refuses names of more than 256 and file systems those of more than 255. */
const LONGEST = 120;

/**
 * `mcp-conformance-<name>-<profiles>-<job>-<hash>-<attempt>`: readable, free of what the artifact service forbids, and
 * different for each leg of a matrix and each use in a job. The hash covers everything but the attempt, so that the same
 * job's artifact has the same beginning in every run.
 */
export function artifactName(parts: ArtifactNameParts): string {
  return `${artifactPrefix(parts)}${plain(parts.attempt ?? '1') || '1'}`;
}

/** The name without the attempt: what the same job's artifacts in other runs begin with. */
export function artifactPrefix({ name, profiles, job, matrix, step }: ArtifactNameParts): string {
  const identity = JSON.stringify([name ?? '', profiles, job ?? '', matrix ?? '', step ?? '']);
  const hash = createHash('sha256').update(identity.toWellFormed()).digest('hex').slice(0, 8);
  const readable = ['mcp-conformance', name ?? '', shortProfiles(profiles), job ?? '']
    .map(plain)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST)
    .replace(/[-.]+$/, '');
  return `${readable}-${hash}-`;
}

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
