import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import getPort from 'get-port';
import { MeasurementFault } from '../shared/errors.ts';
import { describeOwner, ownersOf } from './port-owner.ts';

const CONNECT_MS = 1_000;

/**
 * Picks a port for a server that is about to start.
 * @returns a free loopback port below the range from which the OS takes ports for outgoing connections, so that none of
 *   those takes it before the server has bound it; reserved within this process
 */
export async function pickPort(): Promise<number> {
  const top = (await firstEphemeralPort()) - 1;
  const bottom = Math.min(20_000, top - 5_000);
  const wishes = Array.from({ length: 50 }, () => bottom + Math.floor(Math.random() * (top - bottom)));
  return getPort({ port: wishes, reserve: true });
}

async function firstEphemeralPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const first = Number(range.trim().split(/\s+/)[0]);
  // macOS and most others begin at 49152, the IANA's first dynamic port.
  return first > 10_000 ? first : 49_152;
}

/**
 * Makes sure that nothing answers on a loopback port, in either address family.
 * @throws MeasurementFault `port-occupied`, naming the owner where the OS tells
 */
export async function assertPortFree(port: number): Promise<void> {
  const [taken4, taken6, bound4, bound6] = await Promise.all([
    accepts(port, '127.0.0.1'),
    accepts(port, '::1'),
    cannotBind(port, '127.0.0.1'),
    cannotBind(port, '::1'),
  ]);
  if (!taken4 && !taken6 && !bound4 && !bound6) return;
  const owners = await ownersOf(port);
  throw new MeasurementFault({
    kind: 'port-occupied',
    port,
    ...(owners.length > 0 ? { owner: owners.map(describeOwner).join(', ') } : {}),
  });
}

/** @returns whether something accepts connections there */
export function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(CONNECT_MS, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** Binding finds what does not accept yet; where a family does not exist at all, nothing can be in the way. */
function cannotBind(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true, ipv6Only: true }, () => server.close(() => resolve(false)));
  });
}
