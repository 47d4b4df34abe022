/** Prints what a referee prints for `--help` and `list`, and nothing else: enough to be installed and asked. */
const INDEX = `
const [command, flag] = process.argv.slice(2);
const options = { server: ['--url <url>', '--suite <suite>', '--spec-version <version>', '--requirements <revision>', '--timeout <ms>'], client: ['--command <command>', '--requirements <revision>'] };
if (flag === '--help') console.log('Usage: conformance ' + command + '\\n\\nOptions:\\n' + options[command].map((option) => '  ' + option + '  words').join('\\n'));
else if (command === 'list') console.log('Server scenarios:\\n  - ping [2025-11-25]\\n  - tools-list [2025-11-25,2026-07-28]');
else process.exitCode = 1;
`;

const REQUIREMENTS = `server:\n  - ping\nclient:\n  - initialize\nnot_scored:\n  - scenario: later\n    leg: server\n    reason: pending\n`;

export const FAKE_VERSION = '9.9.9-fake.1';

/**
 * A package that passes for the referee where it is only installed, cached and asked: a few kilobytes, one dependency.
 * @param overrides more files, or other contents; `undefined` leaves one out
 */
export function fakeRefereePackage(
  overrides: Readonly<Record<string, string | undefined>> = {},
  manifest: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  const files: Record<string, string | undefined> = {
    'package.json': JSON.stringify({
      name: '@modelcontextprotocol/conformance',
      version: FAKE_VERSION,
      type: 'module',
      license: 'MIT',
      dependencies: { 'fake-dependency': '1.0.0' },
      ...manifest,
    }),
    'dist/index.js': INDEX,
    'requirements/2025-11-25.yaml': REQUIREMENTS,
    ...overrides,
  };
  return Object.fromEntries(
    Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** What the fake referee depends on. Its install script would leave a mark, its types and maps are trimmed. */
export function fakeDependency(manifest: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return {
    'package.json': JSON.stringify({
      name: 'fake-dependency',
      version: '1.0.0',
      license: 'MIT',
      main: 'index.js',
      ...manifest,
    }),
    'index.js': 'module.exports = 1;\n',
    'index.js.map': '{}',
    'index.d.ts': 'export default 1;\n',
  };
}
