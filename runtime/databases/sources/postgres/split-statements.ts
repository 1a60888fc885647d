/**
 * Splits SQL text into its statements, for running them one by one. Semicolons inside quotes, parentheses and
 * `BEGIN ATOMIC … END` bodies do not separate; comments are left out.
 */

export interface PlacedStatement {
  /** Without semicolon, comments and surrounding blanks. */
  readonly text: string;
  /** Where it begins in the whole, in UTF-16 units. */
  readonly start: number;
}

/** @returns the statements without semicolon and surrounding blanks; empty ones are skipped */
export function splitStatements(sql: string): readonly string[] {
  return placedStatements(sql).map(({ text }) => text);
}

/** The same with their places. */
export function placedStatements(sql: string): readonly PlacedStatement[] {
  const statements: PlacedStatement[] = [];
  let statement = "";
  let start: number | undefined;
  let depth = new Nesting();
  const finish = (): void => {
    if (start !== undefined) statements.push({ text: statement.trim(), start });
    statement = "";
    start = undefined;
    depth = new Nesting();
  };
  for (let at = 0; at < sql.length; ) {
    const end = tokenEnd(sql, at);
    const token = sql.slice(at, end);
    at = end;
    if (token.startsWith("--") || token.startsWith("/*")) {
      // a comment separates words; the line break after a line comment is a token of its own
      if (token.startsWith("/*")) statement += " ";
    } else if (token === ";" && depth.isOutermost) {
      finish();
    } else {
      depth.enter(token);
      if (token.trim() !== "") start ??= at - token.length;
      statement += token;
    }
  }
  finish();
  return statements;
}

/** How deep a token stands in parentheses and in the body of a function written in SQL's own block syntax. */
class Nesting {
  #parentheses = 0;
  #blocks = 0;
  #previous = "";

  get isOutermost(): boolean {
    return this.#parentheses === 0 && this.#blocks === 0;
  }

  enter(token: string): void {
    if (token.trim() === "") return;
    const word = token.toLowerCase();
    if (word === "(") this.#parentheses++;
    else if (word === ")") this.#parentheses = Math.max(0, this.#parentheses - 1);
    else if (word === "atomic" && this.#previous === "begin") this.#blocks++;
    else if (word === "case" && this.#blocks > 0) this.#blocks++;
    else if (word === "end" && this.#blocks > 0) this.#blocks--;
    this.#previous = word;
  }
}

const wordPattern = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const dollarPattern = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const blankPattern = /\s+/y;
const numberPattern = /\d[\w.]*/y;

/** End of the token that begins at `at`: a comment, a quoted piece, a word, blanks or one character. */
function tokenEnd(sql: string, at: number): number {
  const two = sql.slice(at, at + 2);
  if (two === "--") return lineEnd(sql, at);
  if (two === "/*") return blockCommentEnd(sql, at);
  if (two === "e'" || two === "E'") return quotedEnd(sql, at + 1, "'", true);
  const one = sql.charAt(at);
  if (one === "'" || one === '"') return quotedEnd(sql, at, one, false);
  const tag = match(dollarPattern, sql, at);
  if (tag !== undefined) {
    const close = sql.indexOf(tag, at + tag.length);
    return close === -1 ? sql.length : close + tag.length;
  }
  const plain = match(wordPattern, sql, at) ?? match(numberPattern, sql, at) ?? match(blankPattern, sql, at);
  return at + (plain?.length ?? 1);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** The line break stays outside: it separates what the comment separated. */
function lineEnd(sql: string, at: number): number {
  const end = sql.indexOf("\n", at);
  return end === -1 ? sql.length : end;
}

/** Block comments nest. */
function blockCommentEnd(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const two = sql.slice(at, at + 2);
    if (two === "/*") depth++;
    else if (two === "*/") depth--;
    else continue;
    at++;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}

/** A doubled quote stands for itself; in `E''` strings so does what follows a backslash. */
function quotedEnd(sql: string, open: number, quote: string, backslash: boolean): number {
  for (let at = open + 1; at < sql.length; at++) {
    const char = sql[at];
    if (backslash && char === "\\") at++;
    else if (char === quote && sql[at + 1] === quote) at++;
    else if (char === quote) return at + 1;
  }
  return sql.length;
}
