/**
 * Splits a template into tokens. Never fails: an invalid text ends with an `invalid` token, so that an earlier syntax
 * error is reported first.
 */
import type { Span } from "./template-error.ts";

type TokenKind =
  | "symbol"
  | "name"
  | "number"
  /** The quotes of a string, and between them characters (`text`) and interpolations (`{{` … `}}`). */
  | "string start"
  | "text"
  | "string end"
  /** A name in single quotes, inside brackets. */
  | "quoted"
  | "invalid"
  | "end";

export interface Token extends Span {
  readonly kind: TokenKind;
  /** Text as written; decoded for `text` and `quoted`, the message for `invalid`. */
  readonly text: string;
}

/** Open constructs: `}}` ends a block, but inside an object it ends two objects; otherwise it is two symbols. */
type Context = "block" | "object" | "string";

const blank = /[ \t\r\n]+|#[^\n]*/y;
const symbol = /\{\{|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\?\[|:=|[{}[\]():,.<>_]/y;
const name = /\$?[A-Za-z][A-Za-z0-9_$-]*|\$/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const quoted = /'([^'\\]*(?:\\['\\][^'\\]*)*)'/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const plain = /[^"\\{]+|\{(?!\{)/y;

export function tokenize(source: string): readonly Token[] {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  readonly #contexts: Context[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): readonly Token[] {
    while (this.#tokens.at(-1)?.kind !== "invalid" && this.#at < this.#source.length) {
      if (this.#contexts.at(-1) === "string") this.#inString();
      else this.#nextToken();
    }
    if (this.#tokens.at(-1)?.kind === "invalid") return this.#tokens;
    if (this.#contexts.at(-1) === "string") this.#add("invalid", 0, "Unterminated string.");
    else this.#add("end", 0);
    return this.#tokens;
  }

  #nextToken(): void {
    const space = this.#match(blank);
    if (space !== undefined) {
      this.#at += space.length;
      return;
    }
    if (this.#source[this.#at] === '"') {
      this.#contexts.push("string");
      this.#add("string start", 1);
      return;
    }
    if (this.#contexts.at(-1) === "block" && this.#source.startsWith("}}", this.#at)) {
      this.#contexts.pop();
      this.#add("symbol", 2);
      return;
    }
    const found = this.#match(symbol);
    if (found !== undefined) {
      this.#follow(found);
      this.#add("symbol", found.length);
      return;
    }
    this.#word();
  }

  #follow(found: string): void {
    if (found === "{{") this.#contexts.push("block");
    else if (found === "{") this.#contexts.push("object");
    else if (found === "}" && this.#contexts.at(-1) === "object") this.#contexts.pop();
  }

  #word(): void {
    const word = this.#match(name);
    const digits = this.#match(number);
    const key = this.#match(quoted);
    if (word !== undefined) this.#add("name", word.length);
    else if (digits !== undefined) this.#add("number", digits.length);
    else if (key !== undefined) this.#add("quoted", key.length, key.slice(1, -1).replace(/\\(.)/gs, "$1"));
    else if (this.#source[this.#at] === "'") this.#add("invalid", 1, "Unterminated name in single quotes.");
    else this.#add("invalid", this.#character().length, `Unexpected character '${this.#character()}'.`);
  }

  #inString(): void {
    const run = this.#match(plain);
    const escaped = this.#match(escapeSequence);
    if (this.#source[this.#at] === '"') {
      this.#contexts.pop();
      this.#add("string end", 1);
    } else if (run !== undefined) {
      this.#add("text", run.length);
    } else if (escaped !== undefined) {
      this.#add("text", escaped.length, JSON.parse(`"${escaped}"`));
    } else if (this.#source.startsWith("{{", this.#at)) {
      this.#contexts.push("block");
      this.#add("symbol", 2);
    } else {
      this.#add("invalid", 1, "Invalid escape sequence in a string.");
    }
  }

  /** Returns the current character, including both halves of a surrogate pair. */
  #character(): string {
    return String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0];
  }

  #add(kind: TokenKind, length: number, text = this.#source.slice(this.#at, this.#at + length)): void {
    const start = this.#at;
    this.#at += length;
    this.#tokens.push({ kind, text, start, end: this.#at });
  }
}
