/** Text from metadata as Markdown that shows it: names and SQL can neither end what they stand in nor hide something. */

/** Characters that steer a terminal or the direction of text, or are not to be seen. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const escaped = (character: string): string =>
  character === "\n" || character === "\t" ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;

const visible = (text: string): string => text.replace(invisible, escaped);

const oneLine = (text: string): string =>
  visible(text)
    .replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks))
    .trim();

/** One line, within a sentence. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  const fence = "`".repeat(longestRun(line) + 1);
  // Between fences of more than one, and next to a backtick, blanks belong to the fence.
  const inner = fence.length > 1 || line === "" ? ` ${line} ` : line;
  return `${fence}${inner}${fence}`;
}

/** The same in the cell of a table, where bars end it. */
export const codeCell = (text: string): string => codeSpan(text).replaceAll("|", "\\|");

/** Lines, whatever they are. */
export function codeBlock(language: string, lines: readonly string[], margin: string): readonly string[] {
  const shown = lines.flatMap((line) => visible(line).split("\n"));
  const fence = "`".repeat(Math.max(3, ...shown.map((line) => longestRun(line) + 1)));
  return [`${fence}${language}`, ...shown, fence].map((line) => `${margin}${line}`.trimEnd());
}

/** One line where Markdown is not looked for. */
export function htmlCode(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return `<code>${oneLine(text).replace(/[&<>]/g, (character) => entities[character] ?? "")}</code>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
