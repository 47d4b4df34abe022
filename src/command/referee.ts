import { Option } from 'commander';
import { planContext } from '../config/load-plan.ts';
import type { RefereePlan } from '../config/plan.ts';
import { resolveSettings } from '../config/resolve-plan.ts';
import { installReferee } from '../referee/commands/install.ts';
import { listReferees } from '../referee/commands/list.ts';
import { pinReferee } from '../referee/commands/pin.ts';
import { verifyReferee } from '../referee/commands/verify.ts';
import { parsePin } from '../referee/parse-pin.ts';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import { escapeControls } from '../shared/escape-controls.ts';
import { suggest } from '../shared/nearest.ts';
import type { CommandSpec, Invocation } from './program.ts';
import type { GateIo } from './run-gate.ts';
import { describeError } from './show-error.ts';
import { withIo } from './with-io.ts';

/** What one action found: lines for people, the same as data, and whether it is as it should be. */
interface Told {
  readonly lines: readonly string[];
  readonly data: object;
  readonly ok?: boolean;
}

type Action = (plan: RefereePlan, io: GateIo, again: boolean) => Promise<Told>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: async (plan, io) => {
    const data = await listReferees(plan, io);
    const locked = data.locked.map(({ pin, ships }) => `  ${pin}${ships ? '' : '  (your baselines)'}`);
    const cached = data.cached.map(
      ({ pin, bytes, lastUsed }) =>
        `  ${pin ?? 'damaged'}  ${megabytes(bytes)}  last used ${lastUsed ?? 'never'}`,
    );
    const published =
      data.published === undefined
        ? ['  not asked, or no answer']
        : data.published.map((version) => `  npm:${version}`);
    return {
      data,
      lines: [
        `wanted     ${data.wanted}`,
        `locked, so ready to run (${locked.length})`,
        ...locked,
        `cached in ${data.cache} (${cached.length})`,
        ...cached,
        `published${data.published === undefined ? '' : ` (${published.length})`}`,
        ...published,
      ],
    };
  },
  install: async (plan, io) => {
    const data = await installReferee(plan, io);
    return {
      data,
      lines: [
        `${data.facts.pin} is ready after ${(data.facts.prepareMs / 1000).toFixed(1)} s (cache ${data.facts.cache})`,
        `  in ${data.root}`,
        `  requirement sets: ${data.requirements.map(({ revision }) => revision).join(', ') || 'none; use suite: profiles'}`,
      ],
    };
  },
  verify: async (plan, io, again) => {
    const data = await verifyReferee(plan, { again }, io);
    const differs = data.again ?? [];
    const state = {
      whole: `every byte is what was built: ${data.files} files, ${megabytes(data.bytes)}, ${data.tookMs} ms`,
      damaged: 'damaged; the next run builds it again',
      absent: 'not in the cache; `referee install` puts it there',
    } as const;
    return {
      data,
      ok: data.state === 'whole' && differs.length === 0,
      lines: [
        `${data.pin}: ${state[data.state]}`,
        ...data.damage.slice(0, MOST).map((line) => `  ${line}`),
        ...(data.again === undefined
          ? []
          : [
              differs.length === 0
                ? '  built again: the same'
                : `  built again: ${differs.length} differences`,
            ]),
        ...differs.slice(0, MOST).map((line) => `  ${line}`),
      ],
    };
  },
  pin: async (plan, io) => {
    const data = await pinReferee(plan, io);
    return {
      data,
      lines: [
        `${data.pin} is locked: ${data.integrity ?? data.commit ?? ''}`,
        ...(data.file === undefined
          ? []
          : [`  ${data.packages} packages in ${data.file}; keep that folder in version control`]),
        ...data.changed.slice(0, MOST).map((line) => `  changed: ${line}`),
        `Next: use it with --referee ${data.pin}, or referee: ${data.pin} in mcp-conformance.yaml.`,
      ],
    };
  },
};

/** Lines of damage or differences that are printed; --json has all. */
const MOST = 20;

export const refereeCommand: CommandSpec = {
  name: 'referee',
  args: '<action> [pin]',
  summary: 'list, install, verify or pin a referee',
  description: `Looks after the pinned referee.
  list           what is locked, cached and published
  install [PIN]  prepare it ahead of a run, or see that a pin works
  verify [PIN]   compare the cached copy with its manifest of hashes
  pin PIN        lock a version with all its dependencies in your baselines`,
  options: ['config', 'baselines', 'referee', 'referee-repository', 'cache', 'offline'],
  extra: [new Option('--again', 'verify: build once more from the pin and compare')],
  examples: ['mcp-conformance-gate referee list', 'mcp-conformance-gate referee pin npm:0.2.0-alpha.11'],
  handler: referee,
};

async function referee({ given, extra, args, json }: Invocation): Promise<number> {
  const [name = '', pin] = args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) {
    throw new ConfigError(`"${name}" is nothing that can be done with a referee.`, {
      hint: suggest(name, Object.keys(ACTIONS)),
    });
  }
  if (name === 'pin' && pin === undefined && !given.referee) {
    throw new ConfigError('referee pin needs a pin.', {
      hint: 'For example: referee pin npm:0.2.0-alpha.11',
    });
  }
  const { referee: settings } = resolveSettings(await planContext(given, process.cwd(), process.env));
  const plan = pin === undefined ? settings : { ...settings, pin: parsePin(pin) };
  try {
    const { lines, data, ok = true } = await withIo((io) => action(plan, io, extra.again === true));
    process.stderr.write(`${lines.map(escapeControls).join('\n')}\n`);
    if (json) process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
    return ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof MeasurementFault)) throw error;
    process.stderr.write(`${describeError(error, process.cwd())}\n`);
    if (json) process.stdout.write(`${JSON.stringify({ finding: error.finding }, null, 2)}\n`);
    return 3;
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
