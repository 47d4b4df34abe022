import { type Frame, type Id, idOf, isRequest, isResponse, metaOf, paramsOf } from './frames.ts';

/**
 * Remembers which requests a child has not answered yet, in order to tell on which HTTP stream a message belongs that it
 * sends in between: stdio has one stream for everything, Streamable HTTP one for each request and one beside them.
 */
export class InFlight {
  readonly #requests = new Map<Id, Id | undefined>();

  /** A message goes to the child. */
  sent(frame: Frame): void {
    const id = idOf(frame);
    if (id === undefined || !isRequest(frame)) return;
    const token = metaOf(frame).progressToken;
    this.#requests.set(id, typeof token === 'string' || typeof token === 'number' ? token : undefined);
  }

  has(id: Id): boolean {
    return this.#requests.has(id);
  }

  forget(id: Id): void {
    this.#requests.delete(id);
  }

  /**
   * A message came from the child that is no response.
   * @returns the request on whose stream it belongs; undefined for the stream beside them
   */
  relatedTo(frame: Frame): Id | undefined {
    if (isResponse(frame)) return idOf(frame);
    const method = String(frame.method);
    if (method === 'notifications/progress') {
      const token = paramsOf(frame).progressToken;
      for (const [id, known] of this.#requests) if (known !== undefined && known === token) return id;
    }
    // News that no request asked for: MCP specification, server features.
    if (/^notifications\/.*\/(list_changed|updated)$/.test(method)) return undefined;
    // What remains (logging, sampling, elicitation, roots) is said while a request is being worked on: the latest.
    return [...this.#requests.keys()].at(-1);
  }
}
