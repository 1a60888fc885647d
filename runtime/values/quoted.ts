/** A text as JSON. */

/** Tells most texts that need no escaping from those that may; a lone surrogate needs some. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that JSON escapes
const plain = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

/** `JSON.stringify` of a text, in half the time where the text is short. */
export function quoted(text: string): string {
  return text.length < 64 && plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
