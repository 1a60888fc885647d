/**
 * A text of many megabytes between two short ones. The texts are encoded one after the other, because concatenating
 * them would copy the long one.
 */
import { blockSize, LongText } from "./long-text.ts";

export class EnclosedText {
  /** The size in bytes. */
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

  /** Encloses the text in two further texts. The result shares the long text. */
  within(before: string, after: string): EnclosedText {
    return new EnclosedText(this.#text, this.#textSize, before + this.#before, this.#after + after);
  }

  /**
   * Writes the encoded text.
   * @param bytes a buffer of `size` bytes
   */
  writeTo(bytes: Buffer): void {
    let at = 0;
    for (const text of [this.#before, this.#text, this.#after]) at += bytes.write(text, at);
  }

  /** Yields the bytes in pieces and retains none of them. */
  *pieces(): Generator<Buffer, void> {
    yield Buffer.from(this.#before);
    const { length } = this.#text;
    for (let start = 0; start < length; ) {
      let end = Math.min(start + blockSize, length);
      // Splitting a surrogate pair would produce two replacement characters.
      if (end < length && isHighSurrogate(this.#text.charCodeAt(end - 1))) end--;
      yield Buffer.from(this.#text.slice(start, end));
      start = end;
    }
    yield Buffer.from(this.#after);
  }

  async gzip(): Promise<Buffer> {
    return (await LongText.of(this.pieces())).gzip();
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
