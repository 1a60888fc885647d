/**
 * Frames of messages that carry a subscription's result. Many clients are sent equal results one after the other, and
 * the message differs only in the id at its beginning: what follows is encoded once.
 */

/** @returns what stands before the JSON text of `data`'s value; {@link ResultEndings} makes the rest */
export function resultBeginning(type: "data" | "next", id: string): Buffer {
  return Buffer.from(`{"type":"${type}","id":${JSON.stringify(id)},"payload":{"data":`);
}

/** The ends of messages, from the JSON text of `data`'s value on; the last one is kept. */
export class ResultEndings {
  #data: string | null = null;
  #ending: Buffer = Buffer.alloc(0);

  of(data: string): Buffer {
    if (data !== this.#data) {
      this.#ending = Buffer.from(`${data}}}`);
      this.#data = data;
    }
    return this.#ending;
  }
}

const finalText = 0x81;

/**
 * The header of an unmasked text frame (RFC 6455, 5.2) with the beginning of what it carries.
 * @param rest how many bytes of the frame follow
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
