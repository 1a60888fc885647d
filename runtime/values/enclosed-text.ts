/**
 * A text of many megabytes with short ones around it. Joined to one text they would be another copy of it; here they
 * become bytes one after the other.
 */
import { blockSize, LongText } from "./long-text.ts";

export class EnclosedText {
  /** In bytes. */
  readonly size: number;
  readonly #text: string;
  readonly #textSize: number;
  readonly #before: string;
  readonly #after: string;

  private constructor(text: string, textSize: number, before: string, after: string) {
    this.#text = text;
    this.#textSize = textSize;
    this.#before = before;
    this.#after = after;
    this.size = Buffer.byteLength(before) + textSize + Buffer.byteLength(after);
  }

  static of(text: string): EnclosedText {
    return new EnclosedText(text, Buffer.byteLength(text), "", "");
  }

  /** The text between others; both share the long one. */
  within(before: string, after: string): EnclosedText {
    return new EnclosedText(this.#text, this.#textSize, before + this.#before, this.#after + after);
  }

  /** @param bytes of its size */
  writeTo(bytes: Buffer): void {
    let at = 0;
    for (const text of [this.#before, this.#text, this.#after]) at += bytes.write(text, at);
  }

  /** Its bytes, piece by piece; none is kept. */
  *pieces(): Generator<Buffer, void> {
    yield Buffer.from(this.#before);
    const { length } = this.#text;
    for (let start = 0; start < length; ) {
      let end = Math.min(start + blockSize, length);
      // Halves of a character become two unknown ones.
      if (end < length && isFirstHalf(this.#text.charCodeAt(end - 1))) end--;
      yield Buffer.from(this.#text.slice(start, end));
      start = end;
    }
    yield Buffer.from(this.#after);
  }

  async gzip(): Promise<Buffer> {
    return (await LongText.of(this.pieces())).gzip();
  }
}

/** Of a surrogate pair. */
const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
