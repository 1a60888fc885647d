/**
 * Encodes the messages of subscription results. Many clients receive equal results in succession, and their messages
 * differ only in the id at the beginning, so the remainder is encoded once.
 */

import type { JoinedBytes } from "../../values/joined-bytes.ts";
import { enclosed, toBytes } from "../../values/response-text.ts";

/** Returns the message up to the value of `data`; {@link ResultEndings} encodes the remainder. */
export function resultBeginning(type: "data" | "next", id: string): Buffer {
  return Buffer.from(`{"type":"${type}","id":${JSON.stringify(id)},"payload":{"data":`);
}

/** Encodes messages from the value of `data` on, and caches the last encoded one. */
export class ResultEndings {
  #data: string | JoinedBytes | null = null;
  #ending: Buffer = Buffer.alloc(0);

  of(data: string | JoinedBytes): Buffer {
    if (data !== this.#data) {
      this.#ending = toBytes(enclosed(data, "", "}}"));
      this.#data = data;
    }
    return this.#ending;
  }
}

const finalText = 0x81;

/**
 * Returns the header of an unmasked text frame (RFC 6455, 5.2) followed by the beginning of its payload.
 * @param rest the length of the remaining payload in bytes
 */
export function frameBeginning(beginning: Buffer, rest: number): Buffer {
  const length = beginning.length + rest;
  const headerLength = length < 126 ? 2 : length < 0x10000 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + beginning.length);
  frame[0] = finalText;
  if (headerLength === 2) frame[1] = length;
  else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUIntBE(0, 2, 2);
    frame.writeUIntBE(length, 4, 6);
  }
  beginning.copy(frame, headerLength);
  return frame;
}
