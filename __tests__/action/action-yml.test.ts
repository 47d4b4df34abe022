import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPTION_NAMES } from '../../src/config/options.ts';
import { type Contexts, evaluateToken, holds } from '../support/evaluate-expression.ts';
import { type ReadAction, readAction } from '../support/read-action.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SIBLINGS = ['gate', 'drift', 'upload', 'verdict'] as const;

let top: ReadAction;
const siblings = new Map<string, ReadAction>();
beforeAll(async () => {
  top = await readAction(root);
  for (const name of SIBLINGS) siblings.set(name, await readAction(join(root, 'actions', name)));
});

const sibling = (name: string): ReadAction => {
  const action = siblings.get(name);
  if (!action) throw new Error(`There is no action ${name}.`);
  return action;
};

/** Contexts in which every input and every step output is its own path, so that wiring shows in the value. */
const named = (
  status: Contexts['status'],
  outputs: Record<string, Record<string, string>> = {},
): Contexts => ({
  status,
  values: {
    inputs: Object.fromEntries([...top.inputs.keys()].map((name) => [name, `inputs.${name}`])),
    steps: Object.fromEntries(
      SIBLINGS.map((id) => [
        id,
        {
          outcome: `steps.${id}.outcome`,
          outputs:
            outputs[id] ??
            Object.fromEntries([...sibling(id).outputs.keys()].map((name) => [name, `${id}.${name}`])),
        },
      ]),
    ),
    github: { token: 'the-job-token' },
    matrix: { os: 'linux' },
  },
});

describe('action.yml', () => {
  it('is four sibling actions in order, and not one line of shell', () => {
    expect(top.runs.using).toBe('composite');
    expect(top.steps.map(({ id, uses, run }) => ({ id, uses, run }))).toEqual(
      SIBLINGS.map((id) => ({ id, uses: `$/actions/${id}`, run: false })),
    );
    for (const action of siblings.values()) expect(action.runs.using).toBe('node24');
  });

  it('gives each sibling every input that it declares, and no other', () => {
    for (const step of top.steps) {
      expect([...step.with.keys()].sort(), step.id).toEqual([...sibling(step.id).inputs.keys()].sort());
    }
  });

  it('has the options of the command under the same names, and after them what only an action has', () => {
    expect([...top.inputs.keys()]).toEqual([
      ...OPTION_NAMES,
      ...['summary', 'annotations', 'compare-with'],
      ...['upload', 'artifact-name', 'retention-days', 'compression-level'],
      ...['drift', 'fail-on-drift', 'issue-labels', 'issue-assignees'],
      'github-token',
    ]);
    for (const name of OPTION_NAMES) {
      expect(sibling('gate').inputs.has(name), `gate: ${name}`).toBe(true);
      expect(sibling('drift').inputs.has(name), `drift: ${name}`).toBe(true);
    }
  });

  it('leaves the defaults of those options to the command, so that the configuration file is heard', () => {
    for (const action of [top, sibling('gate'), sibling('drift')]) {
      for (const name of OPTION_NAMES) expect(action.inputs.get(name)?.default, name).toBeUndefined();
    }
  });

  it('uses every input that it declares', () => {
    const used = top.steps.flatMap((step) => [
      step.condition,
      ...[...step.with.values()].map((token) => token.assertScalar('value').toDisplayString()),
    ]);
    const unused = [...top.inputs.keys()].filter(
      (name) => !used.some((text) => new RegExp(`\\binputs\\.${name}(?![\\w-])`).test(text)),
    );
    expect(unused).toEqual([]);
  });

  it('passes an input on under its own name', () => {
    for (const step of top.steps) {
      for (const [name, token] of step.with) {
        if (!top.inputs.has(name)) continue;
        expect(evaluateToken(token, named('success')), `${step.id}: ${name}`).toBe(`inputs.${name}`);
      }
    }
  });

  it('tells siblings the same default as the composite where both have one', () => {
    for (const [name, { default: whole }] of top.inputs) {
      for (const [id, action] of siblings) {
        const part = action.inputs.get(name)?.default;
        if (!whole || !part) continue;
        expect(part.toDisplayString(), `${id}: ${name}`).toBe(whole.toDisplayString());
      }
    }
  });

  it('takes its outputs from outputs that the siblings declare', () => {
    const values = Object.fromEntries(
      [...top.outputs].map(([name, { value }]) => [name, evaluateToken(value, named('failure'))]),
    );
    expect(values).toEqual({
      outcome: 'verdict.outcome',
      'outcome-class': 'verdict.outcome-class',
      findings: 'verdict.findings',
      headline: 'gate.headline',
      'summary-file': 'gate.summary-file',
      'verdict-file': 'gate.verdict-file',
      'report-path': 'gate.report-path',
      'artifact-id': 'upload.artifact-id',
      'artifact-url': 'upload.artifact-url',
      'artifact-digest': 'upload.artifact-digest',
      drift: 'drift.drift',
      'issue-url': 'drift.issue-url',
    });
  });

  it.each(['success', 'failure', 'cancelled'] as const)('runs the last steps after %s', (status) => {
    const contexts = (inputs: Record<string, string>): Contexts => ({
      status,
      values: { ...named(status).values, inputs },
    });
    const runs = (id: string, inputs: Record<string, string>) =>
      holds(top.steps.find((step) => step.id === id)?.condition ?? '', contexts(inputs));
    const inputs = { upload: 'true', drift: 'false' };
    expect(runs('gate', inputs)).toBe(status === 'success');
    expect(runs('upload', inputs)).toBe(true);
    expect(runs('upload', { ...inputs, upload: 'false' })).toBe(false);
    expect(runs('drift', inputs)).toBe(false);
    expect(runs('drift', { ...inputs, drift: 'true' })).toBe(true);
    expect(runs('verdict', inputs)).toBe(true);
  });

  it('knows no report folder but the one that the gate step of this run named', () => {
    for (const id of ['upload', 'drift']) {
      const token = top.steps.find((step) => step.id === id)?.with.get('report-path');
      expect(evaluateToken(token, named('failure', { gate: {} })), id).toBe('');
      expect(evaluateToken(token, named('failure')), id).toBe('gate.report-path');
    }
  });

  it('tells the upload step the values of the matrix', () => {
    const token = top.steps.find((step) => step.id === 'upload')?.with.get('matrix');
    expect(JSON.parse(evaluateToken(token, named('success')))).toEqual({ os: 'linux' });
  });

  it('has a name and a description that the Marketplace takes', () => {
    expect(top.name.length).toBeGreaterThan(0);
    expect(top.text.length).toBeLessThan(125);
  });

  it('describes every input and output', () => {
    for (const [id, action] of [['composite', top], ...siblings] as const) {
      for (const [name, { text }] of [...action.inputs, ...action.outputs]) {
        expect(text.length, `${id}: ${name}`).toBeGreaterThan(10);
      }
    }
  });
});
