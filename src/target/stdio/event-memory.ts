import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface Kept {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
}

/** Clients that lost a stream come back within seconds, so what was sent long ago is not asked for again. */
const MOST_EVENTS = 1_000;

/** Remembers what one session's streams carried, so that a client can resume one of them. */
export function eventMemory(): EventStore {
  const events: Kept[] = [];
  let count = 0;
  const streamOf = (id: string): string | undefined => events.find((event) => event.id === id)?.stream;
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${++count}`;
      events.push({ id, stream, message });
      if (events.length > MOST_EVENTS) events.shift();
      return id;
    },
    async getStreamIdForEventId(id) {
      return streamOf(id);
    },
    async replayEventsAfter(lastEventId, { send }) {
      const from = events.findIndex(({ id }) => id === lastEventId);
      const stream = streamOf(lastEventId);
      if (stream === undefined) throw new Error(`event ${lastEventId} is not known (any more)`);
      for (const event of events.slice(from + 1)) {
        // The first event of a stream only gives it an id: it carries no message.
        if (event.stream === stream && 'jsonrpc' in event.message) await send(event.id, event.message);
      }
      return stream;
    },
  };
}
