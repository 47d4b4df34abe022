import { describe, expect, test } from 'vitest';
import { InFlight } from '../../../src/target/stdio/in-flight.ts';

const request = (id: number | string, progressToken?: number | string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: progressToken === undefined ? {} : { _meta: { progressToken } },
});
const progress = (progressToken: number | string) => ({
  method: 'notifications/progress',
  params: { progressToken },
});

describe('on which stream a message belongs', () => {
  test('a response on that of its request', () => {
    expect(new InFlight().relatedTo({ id: 7, result: {} })).toBe(7);
    expect(new InFlight().relatedTo({ id: 'a', error: { code: 1, message: '' } })).toBe('a');
  });

  test('progress on that of the request whose token it carries, whatever came later', () => {
    const inFlight = new InFlight();
    inFlight.sent(request(1, 'first'));
    inFlight.sent(request(2, 0));
    inFlight.sent(request(3));
    expect(inFlight.relatedTo(progress('first'))).toBe(1);
    expect(inFlight.relatedTo(progress(0))).toBe(2);
    // A token that nobody gave: better on some stream than lost.
    expect(inFlight.relatedTo(progress('unknown'))).toBe(3);
  });

  test('log messages and questions on that of the latest request', () => {
    const inFlight = new InFlight();
    inFlight.sent(request(1));
    inFlight.sent(request(2));
    expect(inFlight.relatedTo({ method: 'notifications/message' })).toBe(2);
    expect(inFlight.relatedTo({ id: 'q', method: 'sampling/createMessage' })).toBe(2);
    inFlight.forget(2);
    expect(inFlight.relatedTo({ method: 'notifications/message' })).toBe(1);
  });

  test('news beside all of them, and everything when nothing is asked', () => {
    const inFlight = new InFlight();
    expect(inFlight.relatedTo({ method: 'notifications/message' })).toBeUndefined();
    inFlight.sent(request(1));
    expect(inFlight.relatedTo({ method: 'notifications/tools/list_changed' })).toBeUndefined();
    expect(inFlight.relatedTo({ method: 'notifications/resources/updated' })).toBeUndefined();
  });

  test('notifications and responses of the client are no requests', () => {
    const inFlight = new InFlight();
    inFlight.sent({ method: 'notifications/initialized' });
    inFlight.sent({ id: 5, result: {} });
    expect(inFlight.has(5)).toBe(false);
  });
});
