/** Indents JSON without parsing its values, so that numbers keep their digits. */
export function layOutJson(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  let line = "";
  const breakLine = (): void => {
    lines.push(line);
    line = "  ".repeat(depth);
  };
  for (const token of text.match(/"(?:\\.|[^"\\])*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []) {
    if (token === "{" || token === "[") {
      line += token;
      depth += 1;
      breakLine();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const isEmpty = line.trim() === "";
      if (isEmpty && /[[{]$/.test(lines.at(-1) ?? "")) line = lines.pop() ?? "";
      else breakLine();
      line += token;
    } else if (token === ",") {
      line += token;
      breakLine();
    } else {
      line += token === ":" ? ": " : token;
    }
  }
  lines.push(line);
  return lines.join("\n");
}
