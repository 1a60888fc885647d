/** Characters that a reader does not see: direction controls, which reorder the text around them, and other invisible ones. */

const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

export const hasDirectionControls = (text: string): boolean => text.search(directionControls) !== -1;

/** Replaces direction controls with the escapes of JSON, which YAML has in double quotes, too. */
export const escapeDirectionControls = (text: string): string => text.replace(directionControls, escaped);

/**
 * Direction controls, zero-width characters, tags, variation selectors, and control characters other than tabs and line
 * breaks.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the characters to replace
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u2028\u2029]/gu;
const notPlain = /[^\t\n\r\x20-\x7E]/;

/** Replaces all hidden characters with the escapes of JSON. A JSON text keeps its value. */
export const escapeHiddenCharacters = (text: string): string =>
  notPlain.test(text) ? text.replace(hidden, escaped) : text;

function escaped(sign: string): string {
  let text = "";
  for (let i = 0; i < sign.length; i++) text += `\\u${sign.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return text;
}
