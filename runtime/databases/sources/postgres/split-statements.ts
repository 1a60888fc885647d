/**
 * Splits SQL text into statements. Semicolons inside quotes, parentheses and `BEGIN ATOMIC … END` bodies do not
 * separate; comments are removed.
 */

export interface PlacedStatement {
  /** Text without semicolon, comments and surrounding whitespace. */
  readonly text: string;
  /** Offset in the whole text, in UTF-16 code units. */
  readonly start: number;
}

/** Returns the statements without semicolons and surrounding whitespace. Empty ones are skipped. */
export function splitStatements(sql: string): readonly string[] {
  return placedStatements(sql).map(({ text }) => text);
}

/** Returns the statements with their offsets. */
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
      // a comment separates words; the line break after a line comment is a separate token
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

/** Tracks the nesting depth in parentheses and in function bodies of the SQL-standard form. */
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

/** Returns the end of the token at `at`: a comment, a quoted string, a word, whitespace or a single character. */
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

/** Returns the end of a line comment. The line break is not part of it and separates words. */
function lineEnd(sql: string, at: number): number {
  const end = sql.indexOf("\n", at);
  return end === -1 ? sql.length : end;
}

/** Returns the end of a block comment. Block comments nest. */
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

/**
 * Returns the end of a quoted string. A doubled quote is part of it; in `E''` strings, so is a character after a
 * backslash.
 */
function quotedEnd(sql: string, open: number, quote: string, backslash: boolean): number {
  for (let at = open + 1; at < sql.length; at++) {
    const char = sql[at];
    if (backslash && char === "\\") at++;
    else if (char === quote && sql[at + 1] === quote) at++;
    else if (char === quote) return at + 1;
  }
  return sql.length;
}
