/**
 * The JSON text of a result: a string, or encoded. Stages that look into a text or join it to other strings decode it; all
 * others pass it on.
 */
import { JoinedBytes } from "./joined-bytes.ts";
import { LongText } from "./long-text.ts";

/** A text that is not a string: encoded bytes, or a text that is too long for a single string. */
export type EncodedText = LongText | JoinedBytes;

export type ResponseText = string | EncodedText;

/** Returns the size in bytes. */
export const textSize = (text: ResponseText): number =>
  typeof text === "string" ? Buffer.byteLength(text) : text.size;

/** Encloses a text in two strings. The result has the form of the text. */
export function enclosed<T extends ResponseText>(text: T, before: string, after: string): T;
export function enclosed(text: ResponseText, before: string, after: string): ResponseText {
  return typeof text === "string" ? `${before}${text}${after}` : text.within(before, after);
}

/** Decodes a text, which must not be used afterwards: its memory is freed. */
export function decoded(text: ResponseText): string | Promise<string> {
  if (typeof text === "string") return text;
  if (text instanceof LongText) return text.text();
  const whole = text.toString();
  text.release();
  return whole;
}

/** Returns a text without blocks to decompress. */
export async function unpacked(text: ResponseText): Promise<string | JoinedBytes> {
  return text instanceof LongText ? text.text() : text;
}

/** Encodes a text in one buffer, which shares no memory with it. */
export const toBytes = (text: string | JoinedBytes): Buffer =>
  typeof text === "string" ? Buffer.from(text) : text.toBuffer();

/** Joins texts. The result is a string if all texts are. */
export function joinedTexts(texts: readonly (string | JoinedBytes)[]): string | JoinedBytes {
  return texts.every((text) => typeof text === "string") ? texts.join("") : JoinedBytes.of(texts);
}
