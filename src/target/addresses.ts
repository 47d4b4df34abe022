/** Names and literals of this machine itself. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @returns whether a URL leads to this machine's loopback */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/** @returns the port that a URL leads to, its scheme's own when it names none */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/**
 * Servers bind one of two loopbacks, and `localhost` may mean either (the runner's hosts file decides).
 * @returns the addresses under which the target may answer, the given one first; only loopback has alternatives
 */
export function candidateAddresses(url: string): string[] {
  if (!isLoopback(url)) return [url];
  const given = new URL(url);
  const alternatives = ['127.0.0.1', '[::1]'].filter((host) => host !== given.hostname);
  return [url, ...alternatives.map((host) => withHost(url, host))];
}

/** @returns the URL with another host, the rest as it was written */
export function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = host;
  return changed.href;
}
