/**
 * The events of GraphQL over SSE in distinct connections mode: `next` with a result, `complete` at the end. An empty line
 * ends each event (HTML standard, 9.2).
 */

import { JoinedBytes } from "../../values/joined-bytes.ts";
import { enclosed, toBytes } from "../../values/response-text.ts";

/** A comment, which clients ignore; keeps proxies from closing an idle connection. */
export const keepAlive = ":\n\n";

/** Has an empty `data`, because clients drop events without data. */
export const completeEvent = "event: complete\ndata:\n\n";

/**
 * Returns the event of a result.
 * @param result JSON text
 */
export function nextEvent<T extends string | JoinedBytes>(result: T): T {
  return enclosed(oneLine(result), "event: next\ndata: ", "\n\n");
}

/** Replaces line breaks, which occur in JSON only between tokens, by blanks. */
function oneLine<T extends string | JoinedBytes>(json: T): T;
function oneLine(json: string | JoinedBytes): string | JoinedBytes {
  if (typeof json === "string") return hasLineBreak(json) ? json.replace(/[\r\n]/g, " ") : json;
  if (!json.pieces.some(hasLineBreak)) return json;
  const bytes = toBytes(json);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === lineFeed || byte === carriageReturn) bytes[at] = blank;
  }
  return new JoinedBytes([bytes]);
}

const [lineFeed, carriageReturn, blank] = [0x0a, 0x0d, 0x20];

const hasLineBreak = (text: string | Buffer): boolean => text.includes("\n") || text.includes("\r");

/** Encodes results as events and keeps the last one, because many clients receive equal results in succession. */
export class ResultEvents {
  #data: string | JoinedBytes | null = null;
  #event: Buffer = Buffer.alloc(0);

  /**
   * Returns the event of a result.
   * @param data the JSON text of `data`'s value
   */
  of(data: string | JoinedBytes): Buffer {
    if (data !== this.#data) {
      this.#event = toBytes(nextEvent(enclosed(data, '{"data":', "}")));
      this.#data = data;
    }
    return this.#event;
  }
}
