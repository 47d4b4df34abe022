import XmlBuilder from 'fast-xml-builder';
import { type Finding, levelOf } from '../gate/finding.ts';
import { textOf } from '../gate/texts.ts';
import type { CheckResult, ProfileVerdict } from '../gate/verdict.ts';
import { xmlAttribute, xmlText } from '../shared/escape-xml.ts';
import { fitLines } from '../shared/fit-lines.ts';
import { type FindingIndex, indexFindings } from './findings-of-check.ts';
import type { Publication } from './publication.ts';

/** Bytes of one case's text. Tools that read JUnit keep it all in memory; the raw reports have the whole. */
const TEXT = 64 * 1024;
/** Bytes of a message, which tools show as one line. */
const MESSAGE = 1024;

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly result?: {
    readonly as: 'failure' | 'error' | 'skipped';
    type?: string;
    message: string;
    text?: string;
  };
  readonly out?: string;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/**
 * The verdict as JUnit XML: a suite for each scenario of each profile, a case for each check. A finding is a failure, or an
 * error when it says that something was not measured; a reviewed exception is skipped with its reason; what is not scored
 * and does not succeed is skipped too. The dialect is the common core that Jenkins, GitLab and dorny/test-reporter read.
 */
export function renderJunit(p: Publication): string {
  const { verdict } = p;
  const index = indexFindings(verdict.findings);
  const suites = verdict.profiles.flatMap((profile) => suitesOf(profile, p, index));
  const rest = index.rest(new Set(verdict.profiles.map(({ profile }) => profile)));
  if (rest.length > 0)
    suites.unshift({ name: 'setup', cases: rest.map((finding) => caseOf([finding], 'setup')) });
  const timestamp = verdict.timing.startedAt.slice(0, 19);
  return BUILDER.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': xmlAttribute(verdict.name ? `MCP conformance: ${verdict.name}` : 'MCP conformance'),
      ...totals(suites),
      '@time': (verdict.timing.tookMs / 1000).toFixed(3),
      testsuite: suites.map((suite) => ({
        '@name': xmlAttribute(suite.name),
        ...totals([suite]),
        '@skipped': count([suite], 'skipped'),
        '@time': '0',
        '@timestamp': timestamp,
        testcase: suite.cases.map(caseElement),
      })),
    },
  });
}

/** Attributes are the members with `@`. Nothing is escaped by the builder, so that everything foreign is by us, once. */
const BUILDER = new XmlBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  processEntities: false,
  // A check called "true" would lose its name.
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  format: true,
});

function caseElement({ name, classname, result, out }: Case): object {
  const attributes = { '@name': xmlAttribute(name), '@classname': xmlAttribute(classname), '@time': '0' };
  const said = out ? { 'system-out': { '#text': xmlText(fitLines(out, TEXT)) } } : {};
  if (!result) return { ...attributes, ...said };
  const { as, type, message, text } = result;
  const element = {
    '@message': xmlAttribute(fitLines(message, MESSAGE)),
    ...(type ? { '@type': type } : {}),
    ...(text ? { '#text': xmlText(fitLines(text, TEXT)) } : {}),
  };
  return { ...attributes, [as]: element, ...said };
}

function suitesOf(profile: ProfileVerdict, p: Publication, index: FindingIndex): Suite[] {
  const checks = Map.groupBy(p.checks[profile.profile] ?? [], (check) => check.scenario);
  const own = index.profile(profile.profile, new Set(profile.scenarios.map((s) => s.scenario)));
  const suites: Suite[] = profile.scenarios.map(({ scenario, reason, result }) => {
    const classname = `${profile.profile}.${scenario}`;
    const of = checks.get(scenario) ?? [];
    const others = index.scenario(profile.profile, scenario, new Set(of.map(({ check }) => check)));
    const cases = [
      ...of.map((check) =>
        checkCase(check, classname, index.check(profile.profile, scenario, check.check), reason),
      ),
      ...others.map((finding) => caseOf([finding], classname)),
    ];
    if (cases.length === 0) cases.push(emptyCase(scenario, classname, result));
    return { name: `${profile.profile} ${scenario}`, cases };
  });
  if (own.length === 0) return suites;
  const classname = `${profile.profile}.profile`;
  return [
    { name: `${profile.profile} as a whole`, cases: own.map((f) => caseOf([f], classname)) },
    ...suites,
  ];
}

/** A scenario of which nothing is known but its result. */
function emptyCase(scenario: string, classname: string, result: string): Case {
  return result === 'passed' || result === 'not-scored-passed'
    ? { name: scenario, classname }
    : { name: scenario, classname, result: { as: 'skipped', message: `${result.replaceAll('-', ' ')}` } };
}

function checkCase(
  check: CheckResult,
  classname: string,
  findings: readonly Finding[],
  reason: string | undefined,
): Case {
  const out = check.evidence ? { out: check.evidence } : {};
  if (findings.length > 0) return { ...caseOf(findings, classname), name: check.check, ...out };
  const plain: Case = { name: check.check, classname };
  const statuses = [...new Set(check.statuses)].join(', ');
  if (check.exception) {
    const { class: kind, reason: why, reference } = check.exception;
    const message = `${statuses}, excepted as ${kind}: ${why}${reference ? ` (${reference})` : ''}`;
    return { ...plain, result: { as: 'skipped', message }, ...out };
  }
  if (check.disposition === 'not-scored' && !check.statuses.every((s) => s === 'SUCCESS' || s === 'INFO'))
    return {
      ...plain,
      result: { as: 'skipped', message: `${statuses}, not scored${reason ? `: ${reason}` : ''}` },
      ...out,
    };
  return plain;
}

/** One case for findings on the same thing. */
function caseOf(findings: readonly Finding[], classname: string): Case {
  const told = findings.map((finding) => ({ finding, ...textOf(finding) }));
  const lines = told.flatMap(({ finding, title, detail, remedy }) => [
    title,
    ...detail,
    ...(finding.place ? [`${finding.place.file}${finding.place.line ? `:${finding.place.line}` : ''}`] : []),
    ...(finding.consequences ?? []).map((ref) => `under this cause: ${ref.scenario} › ${ref.check}`),
    ...remedy,
  ]);
  return {
    name: told[0] ? ('check' in told[0].finding ? told[0].finding.check : told[0].title) : '',
    classname,
    result: {
      as: findings.some(({ kind }) => levelOf(kind) === 'inconclusive') ? 'error' : 'failure',
      type: findings.map(({ kind }) => kind).join(' '),
      message: told.map(({ title }) => title).join('; '),
      text: lines.join('\n'),
    },
  };
}

const totals = (suites: readonly Suite[]) => ({
  '@tests': suites.reduce((sum, suite) => sum + suite.cases.length, 0),
  '@failures': count(suites, 'failure'),
  '@errors': count(suites, 'error'),
});

function count(suites: readonly Suite[], as: 'failure' | 'error' | 'skipped'): number {
  return suites.reduce((sum, suite) => sum + suite.cases.filter((each) => each.result?.as === as).length, 0);
}
