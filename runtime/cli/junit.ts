/** Parts of reports as JUnit XML. */

/** Returns seconds with milliseconds. */
export const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** Returns a text as an attribute, with its quotation marks. */
export const xml = (text: string): string => `"${xmlText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;")}"`;

/** Escapes a text; characters that XML excludes are replaced. */
export function xmlText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML excludes
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
  );
}
