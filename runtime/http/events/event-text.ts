/**
 * The events of GraphQL over SSE in distinct connections mode: `next` with a result, `complete` at the end. An empty line
 * ends each event (HTML standard, 9.2).
 */

/** A comment, which clients ignore; keeps proxies from closing an idle connection. */
export const keepAlive = ":\n\n";

/** Has an empty `data`, because clients drop events without data. */
export const completeEvent = "event: complete\ndata:\n\n";

/**
 * Returns the event of a result.
 * @param result JSON text
 */
export function nextEvent(result: string): string {
  return `event: next\ndata: ${oneLine(result)}\n\n`;
}

/** Replaces line breaks, which occur in JSON only between tokens. */
function oneLine(json: string): string {
  return json.includes("\n") || json.includes("\r") ? json.replace(/[\r\n]+/g, " ") : json;
}

/** Encodes results as events and keeps the last one, because many clients receive equal results in succession. */
export class ResultEvents {
  #data: string | null = null;
  #event: Buffer = Buffer.alloc(0);

  /**
   * Returns the event of a result.
   * @param data the JSON text of `data`'s value
   */
  of(data: string): Buffer {
    if (data !== this.#data) {
      this.#event = Buffer.from(nextEvent(`{"data":${data}}`));
      this.#data = data;
    }
    return this.#event;
  }
}
