/**
 * Formats statements for readers: one clause per line, sub-selects indented. Changes only blanks between words, so that
 * the text remains the statement that ran.
 */

/** Quoted texts and names, words, single characters, and the blanks before them. */
const token = /(\s*)(E?'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\]|\w+|[^\s\w])/g;

const clauses = new Set([
  ...["from", "where", "left", "having", "order", "limit", "offset", "and", "or"],
  // T-SQL
  ...["outer", "for", "fetch", "output", "select"],
]);

export function prettySql(statement: string): string {
  /** Kinds of the open parentheses. */
  const open: ("select" | "other")[] = [];
  let depth = 0;
  let text = "";
  const tokens = [...statement.matchAll(token)].map(([, blank = "", word = ""]) => ({ blank, word }));
  const newLine = (): string => `\n${"  ".repeat(depth)}`;
  for (const [i, { blank, word }] of tokens.entries()) {
    const isOuter = open.at(-1) !== "other";
    const before = tokens[i - 1]?.word;
    if (word === "(") {
      const isSelect = tokens[i + 1]?.word === "select";
      text += `${blank && " "}(`;
      open.push(isSelect ? "select" : "other");
      if (isSelect) {
        depth++;
        text += newLine();
      }
    } else if (word === ")") {
      const isSelect = open.pop() === "select";
      if (isSelect) depth--;
      text += isSelect ? `${newLine()})` : `${blank && " "})`;
    } else if (before === "(") {
      text += word;
    } else if (isOuter && blank !== "" && (clauses.has(word) || before === ";")) {
      text += `${newLine()}${word}`;
    } else {
      text += `${blank && " "}${word}`;
    }
  }
  return text;
}
