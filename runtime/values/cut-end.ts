/**
 * The text without those of its last characters that match. A regular expression such as `/\s+$/` tries every run of
 * blanks of the text: quadratic in its length.
 */
export function cutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
