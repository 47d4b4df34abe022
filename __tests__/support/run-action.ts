import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contexts, evaluateToken, holds } from './evaluate-expression.ts';
import { type ReadAction, readAction } from './read-action.ts';

export interface RunnerJob {
  /** Root of the repository that holds action.yml: what `$/` stands for. */
  readonly root: string;
  /** What the caller's workflow writes under `with:`. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Working directory of the job (GITHUB_WORKSPACE). */
  readonly workspace: string;
  /** RUNNER_TEMP: outputs and summaries are written below it. */
  readonly temp: string;
  /** More environment: GITHUB_*, ACTIONS_*, RUNNER_TOOL_CACHE. */
  readonly env: Readonly<Record<string, string>>;
  /** Called when a step's process has started; lets a test interfere with it. */
  readonly onStart?: (step: string, child: ChildProcess) => void;
}

export interface StepResult {
  readonly id: string;
  readonly outcome: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
  /** stdout and stderr as they came. */
  readonly log: string;
  /** What it added to the job summary. */
  readonly summary: string;
}

export interface JobResult {
  readonly conclusion: 'success' | 'failure';
  /** Steps in the order in which they were considered. */
  readonly steps: readonly StepResult[];
  /** The composite's own outputs. */
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Runs the composite action of a repository as a runner does: conditions, inputs and outputs through GitHub's own
 * expression evaluator, each sibling action as a process of its own with the file commands and the tokens that a
 * JavaScript action is given. Everything that a runner does besides (matrix, containers, hooks) is left out.
 */
export async function runComposite(job: RunnerJob): Promise<JobResult> {
  const action = await readAction(job.root);
  const github = { token: 'ghs_fake', workspace: job.workspace, event_name: 'workflow_dispatch' };
  let status: Contexts['status'] = 'success';
  const context = (steps: readonly StepResult[]): Contexts => ({
    status,
    values: { inputs, github, runner: {}, env: {}, job: { status }, matrix: null, steps: byId(steps) },
  });
  const inputs = withDefaults(action, job.inputs, { status, values: { github, matrix: null } });

  const done: StepResult[] = [];
  for (const step of action.steps) {
    const contexts = context(done);
    if (!holds(step.condition, contexts)) {
      done.push({ id: step.id, outcome: 'skipped', outputs: {}, log: '', summary: '' });
      continue;
    }
    if (!step.uses?.startsWith('$/'))
      throw new Error(`Step ${step.id} is not one of this repository's actions.`);
    const folder = join(job.root, step.uses.slice(2));
    const given = Object.fromEntries(
      [...step.with].map(([name, token]) => [name, evaluateToken(token, contexts)]),
    );
    const result = await runNodeAction(job, step.id, folder, given, {
      status,
      values: { github, matrix: null },
    });
    if (result.outcome === 'failure') status = 'failure';
    done.push(result);
  }
  const end = context(done);
  return {
    conclusion: status === 'success' ? 'success' : 'failure',
    steps: done,
    outputs: Object.fromEntries(
      [...action.outputs].map(([id, { value }]) => [id, evaluateToken(value, end)]),
    ),
  };
}

/** Inputs as an action sees them: unknown ones are an error here, while a runner would only warn. */
function withDefaults(
  action: ReadAction,
  given: Readonly<Record<string, string>>,
  contexts: Contexts,
): Record<string, string> {
  const unknown = Object.keys(given).filter((name) => !action.inputs.has(name));
  if (unknown.length > 0) throw new Error(`Unexpected input(s): ${unknown.join(', ')}`);
  return Object.fromEntries(
    [...action.inputs].map(([id, spec]) => [id, given[id] ?? evaluateToken(spec.default, contexts)]),
  );
}

function byId(steps: readonly StepResult[]): Record<string, unknown> {
  return Object.fromEntries(
    steps.map(({ id, outcome, outputs }) => [id, { outcome, conclusion: outcome, outputs }]),
  );
}

async function runNodeAction(
  job: RunnerJob,
  id: string,
  folder: string,
  given: Readonly<Record<string, string>>,
  contexts: Contexts,
): Promise<StepResult> {
  const action = await readAction(folder);
  if (action.runs.using !== 'node24') throw new Error(`${folder} does not run on node24.`);
  const inputs = withDefaults(action, given, contexts);
  const files = await mkdtemp(join(job.temp, `${id}-`));
  const [output, summary, env] = ['output', 'summary', 'env'].map((name) => join(files, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([output, summary, env].map((file) => writeFile(file, '')));
  const child = spawn(process.execPath, [join(folder, action.runs.main)], {
    cwd: job.workspace,
    env: {
      ...machineEnvironment(),
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: job.workspace,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_ENV: env,
      RUNNER_TEMP: job.temp,
      RUNNER_OS: 'Linux',
      ...job.env,
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [
          `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
          value,
        ]),
      ),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  job.onStart?.(id, child);
  return {
    id,
    outcome: (await ended) === 0 ? 'success' : 'failure',
    outputs: readFileCommand(await readFile(output, 'utf8')),
    log,
    summary: await readFile(summary, 'utf8'),
  };
}

/** The machine's own environment (paths, certificates, proxies), without what npm, the test runner or an outer job put there. */
function machineEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|INIT_CWD$|GITHUB_|ACTIONS_|RUNNER_|INPUT_|FORCE_COLOR$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/**
 * Reads GITHUB_OUTPUT as the runner does: `name=value`, or `name<<delimiter` … `delimiter`.
 * @throws Error where the runner would fail the step
 */
export function readFileCommand(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/);
  const values: Record<string, string> = {};
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line === '') continue;
    const [, name, delimiter] = /^([^=]*?)<<(.*)$/.exec(line) ?? [];
    if (name !== undefined && delimiter !== undefined) {
      const end = lines.indexOf(delimiter, i + 1);
      if (end < 0) throw new Error(`Matching delimiter not found '${delimiter}'`);
      values[name] = lines.slice(i + 1, end).join('\n');
      i = end;
      continue;
    }
    const equals = line.indexOf('=');
    if (equals < 0) throw new Error(`Invalid format '${line}'`);
    values[line.slice(0, equals)] = line.slice(equals + 1);
  }
  return values;
}
