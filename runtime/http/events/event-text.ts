/**
 * The events of the protocol GraphQL over SSE, in its mode of distinct connections: `next` with a result, `complete`
 * at the end. Each is a few lines, and an empty one ends it (HTML standard, 9.2).
 */

/** A comment: keeps proxies from closing an idle connection, and tells clients nothing. */
export const keepAlive = ":\n\n";

/** Clients leave out events without data. */
export const completeEvent = "event: complete\ndata:\n\n";

/** @param result JSON text */
export function nextEvent(result: string): string {
  return `event: next\ndata: ${oneLine(result)}\n\n`;
}

/** Outside of strings, where no line can end, JSON may have any white space in place of another. */
function oneLine(json: string): string {
  return json.includes("\n") || json.includes("\r") ? json.replace(/[\r\n]+/g, " ") : json;
}

/** Events of results: many clients are sent equal ones one after the other, and the last is kept. */
export class ResultEvents {
  #data: string | null = null;
  #event: Buffer = Buffer.alloc(0);

  /** @param data the JSON text of `data`'s value */
  of(data: string): Buffer {
    if (data !== this.#data) {
      this.#event = Buffer.from(nextEvent(`{"data":${data}}`));
      this.#data = data;
    }
    return this.#event;
  }
}
