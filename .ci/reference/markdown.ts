/** Markdown of generated pages. */

/** Returns text that fits into a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** Returns a table; empty for no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const code = (text: string): string => `\`${text}\``;

/** Returns a fenced block. */
export const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Joins paragraphs with blank lines, without empty ones. Ends with a newline. */
export const page = (...parts: readonly string[]): string =>
  `${parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
