/** Formats texts of registries, such as help texts, as Markdown. */

/** Parts of a plain text that are code: flags, variables, addresses, paths, names with underscores. */
const codeParts =
  /`[^`]+`|(?:https?|rediss?):\/\/[^\s,;)]*|--[a-z][\w-]*(?:[ =]\*)?|\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b|(?<![\w/.])\/[a-z][\w/.-]*|@[a-z]\w+|\[[A-Z]+\]|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[\w.-]+\.(?:ts|mjs|json|yaml)\b|(?<![\w/.])\.env\b|X-[\w-]+(?:=[\w-]+)?/g;

/** Returns a link to an option. @param name its name in code */
export const optionLink = (name: string, text = `\`${name}\``): string => `[${text}](options.md#${name.toLowerCase()})`;

export const code = (text: string): string => `\`${text}\``;

/** Escapes the characters of a plain text that have a meaning in Markdown, also in cells of tables. */
const escaped = (text: string): string => text.replace(/[*<|_]/g, "\\$&");

/** Converts a plain text: marks its code, and escapes the rest. */
export function inline(text: string): string {
  let result = "";
  let end = 0;
  for (const { 0: part, index } of text.matchAll(codeParts)) {
    result += escaped(text.slice(end, index)) + (part.startsWith("`") ? part : code(part));
    end = index + part.length;
  }
  return result + escaped(text.slice(end));
}

/** Converts a help text to a sentence: a capital first letter and a period. */
export function sentence(text: string): string {
  const converted = inline(text);
  const capital = /^[a-z]/.test(text) && !converted.startsWith("`") ? converted.slice(0, 1).toUpperCase() : undefined;
  const whole = capital === undefined ? converted : capital + converted.slice(1);
  return /[.:!?]$/.test(whole) ? whole : `${whole}.`;
}

/** Returns a table. Cells are Markdown without line breaks. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell || "–").join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Returns a code block. */
export const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Joins paragraphs and blocks to the text of a page. */
export const page = (...parts: readonly string[]): string => `${parts.map((part) => part.trim()).join("\n\n")}\n`;

/** Wraps a paragraph of plain words to lines of 120 characters. */
export function wrapped(text: string, indentation = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const next = line === "" ? word : `${line} ${word}`;
    if (line !== "" && next.length > 120) {
      lines.push(line);
      line = indentation + word;
    } else line = next;
  }
  return [...lines, line].join("\n");
}
