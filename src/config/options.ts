/**
 * One table of everything that can be asked for. The command's options, the action's inputs and the documentation all
 * come from it, so a name means the same everywhere (DESIGN.md section 4).
 */

export type OptionKind = 'text' | 'list' | 'switch' | 'count' | 'duration';

export interface OptionSpec {
  readonly kind: OptionKind;
  /** How the value is shown in help: FILE, URL, … */
  readonly value?: string;
  readonly help: string;
  /** Shown in help; the value that holds when nobody gives one. */
  readonly default?: string;
  /** Its value is masked in logs and redacted from everything kept. */
  readonly secret?: true;
}

const option = (
  kind: OptionKind,
  help: string,
  rest: Omit<OptionSpec, 'kind' | 'help'> = {},
): OptionSpec => ({
  kind,
  help,
  ...rest,
});

export const OPTIONS = {
  config: option('text', 'configuration file', {
    value: 'FILE',
    default: 'mcp-conformance.yaml or .github/mcp-conformance.yaml, when there is one',
  }),
  name: option(
    'text',
    'name of this gate when a repository has several: baselines/NAME/, artifact and issue',
    {
      value: 'NAME',
    },
  ),
  profile: option(
    'list',
    'what to gate: server:REV, client:REV, server-extensions:REV, client-extensions:REV, suite:NAME@REV',
    {
      value: 'PROFILE',
      default: 'server:2025-11-25 and server:2026-07-28',
    },
  ),
  scenario: option('list', 'partial run: only these scenarios; exceptions of others are not evaluated', {
    value: 'NAME',
  }),
  url: option('text', 'where the server answers; with {port} beside --server-command', { value: 'URL' }),
  'server-command': option('text', 'command that starts the server; {port} and PORT are a free port', {
    value: 'CMD',
  }),
  'stdio-command': option('text', 'command that starts a stdio server; it is bridged to HTTP on loopback', {
    value: 'CMD',
  }),
  'client-command': option('text', 'command that starts the client under test, for client profiles', {
    value: 'CMD',
  }),
  header: option('list', 'header sent with every request, through a loopback relay', {
    value: "'N: V'",
    secret: true,
  }),
  env: option('list', 'environment variable for the target; {port} is replaced', { value: 'K=V' }),
  'ready-timeout': option('duration', 'how long the target may take to answer', {
    value: 'TIME',
    default: '60s',
  }),
  'scenario-timeout': option('duration', 'how long one scenario may take', { value: 'TIME', default: '30s' }),
  'profile-timeout': option('duration', 'how long one profile may take', { value: 'TIME', default: '15m' }),
  'run-timeout': option('duration', 'how long the whole run may take', { value: 'TIME', default: '60m' }),
  baselines: option('text', 'folder of the reviewed baselines', {
    value: 'DIR',
    default: 'baselines/ beside the configuration',
  }),
  referee: option('text', 'pin of the referee: npm:VERSION, git:SHA or path:CHECKOUT@SHA', {
    value: 'PIN',
    default: 'npm:0.2.0-alpha.12',
  }),
  'referee-repository': option('text', 'repository of git: pins', {
    value: 'URL',
    default: 'https://github.com/modelcontextprotocol/conformance.git',
  }),
  cache: option('text', 'where built referees are kept', {
    value: 'DIR',
    default: 'the runner tool cache, or your cache folder',
  }),
  offline: option('switch', 'never ask the network: use the cached referee or fail at once'),
  output: option('text', 'report folder', { value: 'DIR', default: 'conformance-report' }),
  confirm: option('count', 're-runs of an unexpected scenario, alone', { value: 'N', default: '1' }),
  'strict-infrastructure': option(
    'switch',
    'a timeout or lost connection is inconclusive even when a re-run alone confirms it',
  ),
  jobs: option('count', 'profiles of started targets side by side, and clients at once', {
    value: 'N',
    default: '2',
  }),
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof OPTIONS;
export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

/** What was given, before it means anything: texts and lists of texts. An empty string is the same as not given. */
export type GivenOptions = { readonly [N in OptionName]?: string | readonly string[] | boolean };
