import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyRelay extends AsyncDisposable {
  /** The same address through this relay. */
  through(url: string): string;
  /**
   * ok: bytes pass. cut: each connection ends after so many bytes of the client's. hang: bytes of the client are read
   * and never answered.
   */
  mode: 'ok' | { readonly cutAfterBytes: number } | 'hang';
  /** Connections so far. */
  readonly connections: number;
}

/** A TCP relay on loopback in front of one origin, which can fail in the middle of what it carries. */
export async function startFaultyRelay(origin: string): Promise<FaultyRelay> {
  const target = new URL(origin);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const state = { mode: 'ok' as FaultyRelay['mode'], connections: 0 };
  const server = createServer((client) => {
    keep(client);
    state.connections += 1;
    if (state.mode === 'hang') return void client.resume();
    const upstream = connect(Number(target.port), target.hostname);
    keep(upstream);
    const { mode } = state;
    let carried = 0;
    client.on('data', (chunk: Buffer) => {
      carried += chunk.length;
      if (mode !== 'ok' && carried > mode.cutAfterBytes) {
        client.destroy();
        upstream.destroy();
        return;
      }
      if (!upstream.write(chunk)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    });
    client.on('end', () => upstream.end());
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => url.replace(target.host, `127.0.0.1:${port}`),
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    get connections() {
      return state.connections;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
