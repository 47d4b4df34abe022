import { resolve } from 'node:path';
import type { Profile } from '../profile.ts';
import { ConfigError, MissingTargetError, type Place } from '../shared/errors.ts';
import { parseDuration } from './duration.ts';
import type { ClientSection, ServerSection } from './file-schema.ts';
import type { TargetSpec } from './plan.ts';
import { listOf, type PlanContext } from './resolve-plan.ts';

/** Where a started server is expected when nobody says so: the path that the SDKs' examples use. */
const DEFAULT_URL = 'http://127.0.0.1:{port}/mcp';
const DEFAULT_READY_MS = 60_000;

type ServerTarget = Exclude<TargetSpec, { kind: 'client' }>;
type Override = { server?: ServerSection | undefined; client?: ClientSection | undefined } | undefined;

/**
 * Decides what is under test for one profile: options, then the profile's own section of the file, then the file's.
 * @param path where the profile's section stands in the file
 * @throws ConfigError when nothing was given, or what was given contradicts itself
 */
export function resolveTarget(
  profile: Profile,
  override: Override,
  path: readonly PropertyKey[],
  context: PlanContext,
): TargetSpec {
  return profile.leg === 'client'
    ? resolveClient(profile, override?.client, context)
    : resolveServer(profile, override?.server, path, context);
}

function resolveClient(
  profile: Profile,
  override: ClientSection | undefined,
  context: PlanContext,
): TargetSpec {
  const section: ClientSection = { ...context.config.content.client, ...override };
  const command = text(context, 'client-command') ?? section.command;
  if (command === undefined) {
    throw new MissingTargetError(`Profile ${profile.id} needs a client, and none was given.`, {
      hint: "Give --client-command 'CMD', or client: { command: … } in the configuration file.",
    });
  }
  return {
    kind: 'client',
    command,
    cwd: folderOf(section.cwd, context),
    env: { ...context.config.content.client?.env, ...override?.env, ...givenEnv(context) },
  };
}

function resolveServer(
  profile: Profile,
  override: ServerSection | undefined,
  path: readonly PropertyKey[],
  context: PlanContext,
): ServerTarget {
  const base = context.config.content.server ?? {};
  const style = chooseStyle(base, override, path, context);
  const env = { ...base.env, ...override?.env, ...givenEnv(context) };
  const ready = { ...base.ready, ...override?.ready };
  const common = {
    ready: {
      ...readyLimit(context, ready.timeout),
      ...(ready.name === undefined ? {} : { name: ready.name }),
      ...(ready['health-url'] === undefined ? {} : { healthUrl: ready['health-url'] }),
    },
    headers: headersOf({ ...base.headers, ...override?.headers }, path, context),
    boundary: override?.boundary ?? base.boundary ?? 'observe',
  } as const;
  if (common.boundary === 'required' && common.headers.length === 0) {
    throw new ConfigError(
      'boundary: required needs a header to tell the two sides apart, and none was given.',
      {
        ...at(context.config.placeOf(['server', 'boundary'])),
        hint: "Give --header 'Authorization: Bearer …', or headers: in the configuration file.",
      },
    );
  }
  const process = { cwd: folderOf(override?.cwd ?? base.cwd, context), env };
  switch (style.kind) {
    case 'none':
      throw new MissingTargetError(`Profile ${profile.id} needs a server, and none was given.`, {
        hint: "Give --url URL for one that runs, --server-command 'CMD' or --stdio-command 'CMD' for one to start, or server: in mcp-conformance.yaml.",
      });
    case 'url':
      return { kind: 'url', ...common, url: checkUrl(style.url, style.place, false) };
    case 'stdio':
      return { kind: 'stdio', ...common, ...process, command: style.command };
    case 'command':
      return {
        kind: 'command',
        ...common,
        ...process,
        command: style.command,
        url: addressOf(style, override, base),
      };
  }
}

type Style =
  | { kind: 'none' }
  | { kind: 'url'; url: string; place: Place | undefined }
  | { kind: 'stdio'; command: string }
  | { kind: 'command'; command: string; url: string | undefined; place: Place | undefined };

/** One of url, server-command and stdio-command decides. Options outrank the file as a whole, a profile's section the file's. */
function chooseStyle(
  base: ServerSection,
  override: ServerSection | undefined,
  path: readonly PropertyKey[],
  context: PlanContext,
): Style {
  const given = {
    url: text(context, 'url'),
    command: text(context, 'server-command'),
    stdio: text(context, 'stdio-command'),
  };
  const fromOptions = styleOf(given, 'options', undefined, base.url);
  if (fromOptions) return fromOptions;
  const place = (key: string): Place | undefined =>
    context.config.placeOf([...path, 'server', key]) ?? context.config.placeOf(['server', key]);
  const own = { url: override?.url, command: override?.command, stdio: override?.['stdio-command'] };
  const shared = { url: base.url, command: base.command, stdio: base['stdio-command'] };
  // A profile that names only another URL keeps the shared command; one that names a command replaces the shared one.
  const merged =
    own.command !== undefined || own.stdio !== undefined
      ? { ...own, url: own.url ?? (own.command === undefined ? undefined : shared.url) }
      : { ...shared, url: own.url ?? shared.url };
  return styleOf(merged, 'configuration', place('url'), undefined) ?? { kind: 'none' };
}

function styleOf(
  given: { url: string | undefined; command: string | undefined; stdio: string | undefined },
  where: 'options' | 'configuration',
  place: Place | undefined,
  fallbackUrl: string | undefined,
): Style | undefined {
  const names =
    where === 'options'
      ? { url: '--url', command: '--server-command', stdio: '--stdio-command' }
      : { url: 'server.url', command: 'server.command', stdio: 'server.stdio-command' };
  if (given.stdio !== undefined) {
    const other =
      given.command !== undefined ? names.command : given.url !== undefined ? names.url : undefined;
    if (other) {
      throw new ConfigError(
        `${names.stdio} and ${other} contradict each other: a stdio server has no address of its own.`,
        {
          ...at(place),
          hint: `Keep ${names.stdio} for a server that speaks on stdin and stdout, ${other} for one that speaks HTTP.`,
        },
      );
    }
    return { kind: 'stdio', command: given.stdio };
  }
  if (given.command !== undefined) {
    return { kind: 'command', command: given.command, url: given.url ?? fallbackUrl, place };
  }
  return given.url === undefined ? undefined : { kind: 'url', url: given.url, place };
}

function addressOf(
  style: Extract<Style, { kind: 'command' }>,
  override: ServerSection | undefined,
  base: ServerSection,
): Extract<TargetSpec, { kind: 'command' }>['url'] {
  const regex = override?.['url-from-log'] ?? base['url-from-log'];
  const file = override?.['url-file'] ?? base['url-file'];
  const ways = [regex && 'url-from-log', file && 'url-file', style.url && 'url'].filter(Boolean);
  if (ways.length > 1) {
    throw new ConfigError(
      `${ways.join(' and ')} contradict each other: each says where the server answers.`,
      {
        ...at(style.place),
        hint: 'Keep one of them.',
      },
    );
  }
  if (regex) return { from: 'log', regex };
  if (file) return { from: 'file', path: file };
  const template = checkUrl(style.url ?? DEFAULT_URL, style.place, true);
  if (style.command.includes('{port}') && !template.includes('{port}')) {
    throw new ConfigError(`The server command takes {port}, but the URL ${template} has a fixed port.`, {
      ...at(style.place),
      hint: 'Put {port} into the URL too, or the fixed port into the command.',
    });
  }
  return { from: 'template', template };
}

function checkUrl(url: string, place: Place | undefined, managed: boolean): string {
  if (url.includes('{port}') && !managed) {
    throw new ConfigError(`The URL ${url} has {port}, but there is no command to start a server on it.`, {
      ...at(place),
      hint: 'Give --server-command too, or the port that the running server has.',
    });
  }
  const candidate = URL.canParse(url.replaceAll('{port}', '1'))
    ? new URL(url.replaceAll('{port}', '1'))
    : undefined;
  if (candidate && (candidate.protocol === 'http:' || candidate.protocol === 'https:')) {
    if (!candidate.username && !candidate.password) return url;
    throw new ConfigError('The URL carries a user name or password, which would be kept in every report.', {
      ...at(place),
      hint: "Use --header 'Authorization: …': its value is redacted.",
    });
  }
  throw new ConfigError(`"${url}" is not an http or https URL.`, {
    ...at(place),
    hint: 'For example http://127.0.0.1:3000/mcp.',
  });
}

/** `${NAME}` in a header value is taken from the environment, so that no secret has to stand in the file. */
function headersOf(
  section: Readonly<Record<string, string>>,
  path: readonly PropertyKey[],
  context: PlanContext,
): { name: string; value: string }[] {
  const headers = new Map<string, { name: string; value: string }>();
  const add = (name: string, value: string, place: Place | undefined): void => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw new ConfigError(`"${name}" is not the name of a header.`, {
        ...at(place),
        hint: "Write 'Name: value'.",
      });
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what HTTP forbids in a field value (RFC 9110 section 5.5)
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value) || /[^\u0000-\u00ff]/.test(value)) {
      throw new ConfigError(
        `The value of header ${name} has a character that HTTP does not allow.`,
        at(place),
      );
    }
    headers.set(name.toLowerCase(), { name, value });
  };
  for (const [name, raw] of Object.entries(section)) {
    const place =
      context.config.placeOf([...path, 'server', 'headers', name]) ??
      context.config.placeOf(['server', 'headers', name]);
    add(
      name,
      raw.replace(/\$\{([A-Za-z_]\w*)\}/g, (_all, variable: string) => variableOf(variable, place, context)),
      place,
    );
  }
  for (const item of listOf(context.given, 'header') ?? []) {
    const colon = item.indexOf(':');
    // The item itself may be the secret, so it is not shown.
    if (colon < 1) throw new ConfigError('A --header is not of the form "Name: value".');
    add(item.slice(0, colon).trim(), item.slice(colon + 1).trim(), undefined);
  }
  return [...headers.values()];
}

function variableOf(name: string, place: Place | undefined, context: PlanContext): string {
  const value = context.environment[name];
  if (value) return value;
  throw new ConfigError(`The environment variable ${name} is not set.`, {
    ...at(place),
    hint: `Set it, for a workflow with env: ${name}: \${{ secrets.${name} }}.`,
  });
}

/**
 * The variables of --env.
 * @throws ConfigError for an item without a name
 */
export function givenEnv(context: PlanContext): Record<string, string> {
  const env: Record<string, string> = {};
  for (const item of listOf(context.given, 'env') ?? []) {
    const equals = item.indexOf('=');
    const name = item.slice(0, equals);
    if (equals < 1 || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new ConfigError('An --env is not of the form NAME=value.');
    }
    env[name] = item.slice(equals + 1);
  }
  return env;
}

function readyTimeout(context: PlanContext): number | undefined {
  const given = text(context, 'ready-timeout');
  if (given === undefined) return undefined;
  const value = parseDuration(given);
  if (value !== undefined) return value;
  throw new ConfigError(`ready-timeout: "${given}" is no length of time.`, {
    hint: 'Write 500ms, 60s or 5m.',
  });
}

function readyLimit(
  context: PlanContext,
  section: number | undefined,
): Pick<ServerTarget['ready'], 'timeoutMs' | 'given'> {
  const timeoutMs = readyTimeout(context) ?? section ?? context.config.content['ready-timeout'];
  return timeoutMs === undefined ? { timeoutMs: DEFAULT_READY_MS } : { timeoutMs, given: true };
}

/** Folders in the file are relative to it; without one, commands run where the gate runs. */
function folderOf(cwd: string | undefined, context: PlanContext): string {
  return cwd === undefined ? context.cwd : resolve(context.config.folder, cwd);
}

function text(
  context: PlanContext,
  name: 'url' | 'server-command' | 'stdio-command' | 'client-command' | 'ready-timeout',
): string | undefined {
  const value = context.given[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

const at = (place: Place | undefined): { place?: Place } => (place ? { place } : {});
