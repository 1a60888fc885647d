/**
 * Protection of CSV against formulas: a spreadsheet reads a cell that begins with `=`, `+`, `-` or `@` as a formula, and a
 * text of a row may thus run commands or send other cells to a stranger. An apostrophe before it makes it a text.
 * Spreadsheets with another separator split cells inside of the text, so that each possible beginning is protected.
 */

/**
 * A beginning of a cell, its apostrophes, and a formula, which may follow spaces and quotes. The third group has no
 * separators and no apostrophes, so that matching takes linear time.
 */
const beginning = /(^|[;\t\r\n])('*)((?:"|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;

/** Decimal numbers, which spreadsheets read as numbers in spite of their sign. */
const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Returns the text with an apostrophe before each formula. `withoutProtection` is its inverse. */
export const withProtection = (text: string): string =>
  numberText.test(text) ? text : text.replace(beginning, "$1'$2$3");

/** Returns the text without the apostrophes of `withProtection`. */
export const withoutProtection = (text: string): string =>
  text.replace(
    beginning,
    (_match, start: string, apostrophes: string, formula: string) => start + apostrophes.slice(1) + formula,
  );

/** Returns true if `withoutProtection` changes the text. */
export const hasProtection = (text: string): boolean => withoutProtection(text) !== text;
