import { createHash } from 'node:crypto';
import { type Finding, levelOf } from '../gate/finding.ts';
import { textOf } from '../gate/texts.ts';
import type { CheckResult } from '../gate/verdict.ts';
import { fitBytes } from '../shared/byte-budget.ts';
import { escapeControls, oneLine } from '../shared/escape-controls.ts';
import { subjectOf, titleOf } from './group-findings.ts';
import type { Publication } from './publication.ts';

/** GitHub shows 1,000 characters of a message and takes 25,000 results a run (its SARIF support page). */
const MESSAGE = 4000;
const MOST_RESULTS = 5000;

/**
 * The findings as SARIF 2.1.0: rules are check ids (finding kinds where no check is concerned) with a link to the
 * specification, locations are the lines that a person would mend.
 * @returns the document as plain data
 */
export function sarif(p: Publication): object {
  const { verdict } = p;
  const findings = verdict.findings.slice(0, MOST_RESULTS);
  const known = new Map<string, CheckResult>();
  for (const check of Object.values(p.checks).flat())
    if (!known.has(check.check)) known.set(check.check, check);
  const rules = new Map<string, object>();
  const slugs = new Map(verdict.profiles.map(({ profile, slug }) => [profile, slug]));
  const results = findings.map((finding) => {
    const id = ruleIdOf(finding);
    if (!rules.has(id)) rules.set(id, rule(id, finding, known.get(subjectOf(finding).check ?? '')));
    return result(finding, id, [...rules.keys()].indexOf(id), slugs);
  });
  const left = verdict.findings.length - findings.length;
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: verdict.tool.name,
            version: text(verdict.tool.version),
            rules: [...rules.values()],
          },
        },
        automationDetails: { id: `mcp-conformance/${text(verdict.name ?? 'default').replaceAll('/', '-')}/` },
        invocations: [
          {
            // "false" says that the run could not be completed, not that it found something.
            executionSuccessful: verdict.outcome !== 'inconclusive',
            startTimeUtc: verdict.timing.startedAt,
            endTimeUtc: verdict.timing.finishedAt,
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
        properties: {
          outcome: verdict.outcome,
          outcomeClass: verdict.outcomeClass,
          headline: text(verdict.headline),
          ...(left > 0 ? { resultsLeftOut: left } : {}),
        },
      },
    ],
  };
}

const ruleIdOf = (finding: Finding): string => text(subjectOf(finding).check ?? finding.kind);

function rule(id: string, finding: Finding, check: CheckResult | undefined): object {
  const link = check?.specReferences?.find(({ url }) => url !== undefined && isWeb(url))?.url;
  const words = check ? check.description || check.name : titleOf(finding.kind);
  return {
    id,
    shortDescription: { text: message(check?.name || titleOf(finding.kind), 250) },
    fullDescription: { text: message(words || id, 1000) },
    ...(link ? { helpUri: new URL(link).href } : {}),
    help: { text: message(link ? `${words || id}\n${link}` : words || id, 1000) },
  };
}

function result(
  finding: Finding,
  ruleId: string,
  ruleIndex: number,
  slugs: ReadonlyMap<string, string>,
): object {
  const { title, detail, remedy } = textOf(finding);
  const { scenario, check } = subjectOf(finding);
  return {
    ruleId,
    ruleIndex,
    level: levelOf(finding.kind) === 'fail' ? 'error' : 'warning',
    message: { text: message([title, ...detail, ...remedy].join('\n'), MESSAGE) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(placeOf(finding, slugs)), uriBaseId: '%SRCROOT%' },
          region: {
            startLine: finding.place?.line ?? 1,
            ...(finding.place?.column ? { startColumn: finding.place.column } : {}),
          },
        },
      },
    ],
    // Keeps the alert the same one when lines of the baseline move.
    partialFingerprints: {
      'mcpConformanceFinding/v1': createHash('sha256')
        .update(JSON.stringify([finding.kind, finding.profile, scenario, check]))
        .digest('hex'),
    },
    properties: {
      kind: finding.kind,
      ...(finding.profile ? { profile: text(finding.profile) } : {}),
      ...(scenario ? { scenario: text(scenario) } : {}),
    },
  };
}

/** GitHub wants a location for each result; a finding without one is mended in its profile's baseline or in the configuration. */
function placeOf(finding: Finding, slugs: ReadonlyMap<string, string>): string {
  if (finding.place) return finding.place.file;
  const slug = finding.profile === undefined ? undefined : slugs.get(finding.profile);
  return slug ? `baselines/${slug}.yaml` : 'mcp-conformance.yaml';
}

/** A path as a relative URI reference (RFC 3986). */
function uriOf(file: string): string {
  return file.toWellFormed().replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}

const text = (foreign: string): string => fitBytes(oneLine(foreign), 500);

/** A plain-text message. `[a](b)` would be a link in one (SARIF 2.1.0, 3.11.6), so the pair is broken up. */
function message(foreign: string, max: number): string {
  return fitBytes(escapeControls(foreign), max).replace(/\](?=\()/g, '] ');
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
