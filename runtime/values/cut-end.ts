/**
 * Removes trailing characters that match. A regular expression such as `/\s+$/` would try every run of blanks, which
 * takes quadratic time in the length of the text.
 */
export function cutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
