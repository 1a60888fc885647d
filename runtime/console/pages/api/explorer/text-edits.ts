/** Edits of a text by position, which keep everything around them: layout, comments, commas. */

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface TextEdit extends TextRange {
  readonly insert: string;
}

/** @param edits edits that do not overlap, in any order */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  // An insertion at the start of a removed range follows it, or the removal would contain the inserted text.
  const ordered = [...edits].sort((a, b) => b.from - a.from || b.to - a.to);
  return ordered.reduce(
    (before, { from, to, insert }) => joined(joined(before.slice(0, from), insert), before.slice(to)),
    text,
  );
}

/** Keeps apart two names that a text without optional spaces would join. */
const joined = (left: string, right: string): string =>
  /\w$/.test(left) && /^\w/.test(right) ? `${left} ${right}` : left + right;

export const insertion = (at: number, insert: string): TextEdit => ({ from: at, to: at, insert });

export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** Returns the white space at the start of the line. */
export const indentAt = (text: string, at: number): string =>
  /^[^\S\n]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? "";

/** Returns true if only white space precedes the position in its line. */
export const isFirstInLine = (text: string, at: number): boolean => text.slice(lineStart(text, at), at).trim() === "";

/** Returns the lines of a range that is alone on them; `undefined` if other text is on them. */
function wholeLines(text: string, { from, to }: TextRange): TextRange | undefined {
  const rest = /^[^\S\n]*,?[^\S\n]*(?:\n|$)/.exec(text.slice(to))?.[0];
  if (rest === undefined || !isFirstInLine(text, from)) return undefined;
  return { from: lineStart(text, from), to: to + rest.length };
}

const lengthOf = (pattern: RegExp, text: string): number => pattern.exec(text)?.[0].length ?? 0;

/** Returns the edit that removes a range with its lines, or with the space before it. */
export function removal(text: string, range: TextRange): TextEdit {
  const space = lengthOf(/[^\S\n]*$/, text.slice(0, range.from));
  return { ...(wholeLines(text, range) ?? { from: range.from - space, to: range.to }), insert: "" };
}

/** Returns the edits that remove some, but not all, items of a list, each with one comma. */
export function removalsFromList(
  text: string,
  items: readonly TextRange[],
  isRemoved: (index: number) => boolean,
): readonly TextEdit[] {
  const firstKept = items.findIndex((_, index) => !isRemoved(index));
  return items.flatMap((item, index) => {
    if (!isRemoved(index)) return [];
    const lines = wholeLines(text, item);
    if (lines) return [{ ...lines, insert: "" }];
    const { from, to } = item;
    return index < firstKept
      ? [{ from, to: to + lengthOf(/^[^\S\n]*,?[^\S\n]*/, text.slice(to)), insert: "" }]
      : [{ from: from - lengthOf(/[^\S\n]*,?[^\S\n]*$/, text.slice(0, from)), to, insert: "" }];
  });
}

/** Returns the edit that adds an item to a list, on a line of its own if the last item has one. */
export const additionToList = (text: string, last: TextRange, item: string): TextEdit =>
  insertion(last.to, isFirstInLine(text, last.from) ? `\n${indentAt(text, last.from)}${item}` : `, ${item}`);
