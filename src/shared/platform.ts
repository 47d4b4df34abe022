import { ConfigError } from './errors.ts';

/**
 * Servers are started in process groups and ended by signals to them, which Windows does not have.
 * @throws ConfigError on Windows
 */
export function assertPlatform(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') return;
  throw new ConfigError('Targets are run on Linux and macOS; Windows is not supported.', {
    hint: 'Use an ubuntu or macos runner, or WSL.',
  });
}
