/**
 * Parses a template to its syntax tree. Expressions are allowed wherever values are; the braces of a block around an
 * expression have no effect.
 */
import { invariant } from "../../values/errors.ts";
import { numberOf } from "./json-value.ts";
import { type Token, tokenize } from "./lexer.ts";
import { type Node, type Operator, operatorLevels, type Step, type Template } from "./syntax.ts";
import { attempt, type Outcome, TemplateFailure } from "./template-error.ts";

/** Maximum nesting depth. Deeper templates could exceed the stack of recursive functions. */
const maximumDepth = 200;

/** Contents of brackets in a path: only quoted names and indexes, or any expression for a key or an index. */
export type Brackets = "literals" | "expressions";

/** Parses a template. Error: `Parse Error` or `Lexer Error`. */
export function parseTemplate(source: string, brackets: Brackets = "literals"): Outcome<Template> {
  return attempt(source, () => ({ source, root: new Parser(source, brackets).parse() }));
}

/** Parses the inside of a string: URLs, headers, parameters. */
export function parseStringTemplate(text: string): Outcome<Template> {
  return parseTemplate(`"${text}"`);
}

const constants = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const keywords = new Set(["if", "elif", "else", "end", "range", "in", "not", ...constants.keys()]);

class Parser {
  readonly #tokens: readonly Token[];
  readonly #length: number;
  readonly #brackets: Brackets;
  #next = 0;
  #depth = 0;

  constructor(source: string, brackets: Brackets) {
    this.#tokens = tokenize(source);
    this.#length = source.length;
    this.#brackets = brackets;
  }

  parse(): Node {
    const root = this.#expression();
    if (this.#peek().kind !== "end") this.#unexpected();
    return root;
  }

  #expression(): Node {
    return this.#nested(() => this.#operation(0));
  }

  #nested(parse: () => Node): Node {
    if (++this.#depth > maximumDepth) {
      const message = `The template is nested deeper than ${maximumDepth} levels.`;
      throw new TemplateFailure("Parse Error", message, this.#peek());
    }
    const node = parse();
    this.#depth--;
    return node;
  }

  #operation(level: number): Node {
    if (level === operatorLevels.length) return this.#path();
    const first = this.#operation(level + 1);
    const rest: { operator: Operator; operand: Node }[] = [];
    for (let operator = this.#operator(level); operator !== undefined; operator = this.#operator(level)) {
      rest.push({ operator, operand: this.#operation(level + 1) });
    }
    const last = rest.at(-1);
    return last ? { kind: "operation", first, rest, start: first.start, end: last.operand.end } : first;
  }

  /** Consumes the next token if it is an operator of this level. */
  #operator(level: number): Operator | undefined {
    const found = operatorLevels[level]?.find((operator) =>
      operator.split(" ").every((word, ahead) => isOperatorWord(this.#peek(ahead), word)),
    );
    if (found !== undefined) this.#next += found.split(" ").length;
    return found;
  }

  #path(): Node {
    const base = this.#atom();
    const steps: Step[] = [];
    for (let step = this.#step(); step !== undefined; step = this.#step()) steps.push(step);
    const last = steps.at(-1);
    return last ? { kind: "path", base, steps, start: base.start, end: last.end } : base;
  }

  #step(): Step | undefined {
    const opening = this.#takeSymbol(".", "?.", "[", "?[");
    if (opening === undefined) return undefined;
    const optional = opening.text.startsWith("?");
    if (opening.text.endsWith(".")) {
      const { text, end } = this.#expectKind("name");
      return { accessor: text, optional, end };
    }
    const accessor = this.#accessor();
    return { accessor, optional, end: this.#expectSymbol("]").end };
  }

  #accessor(): Step["accessor"] {
    const token = this.#peek();
    const isIndex = token.kind === "number" && /^-?\d+$/.test(token.text);
    if (isIndex || token.kind === "quoted") {
      this.#next++;
      return isIndex ? Number(token.text) : token.text;
    }
    if (this.#brackets === "literals") this.#unexpected(this.#take());
    const node = this.#expression();
    return node.kind === "constant" && typeof node.value === "string" ? node.value : node;
  }

  #atom(): Node {
    const token = this.#take();
    switch (token.kind) {
      case "number":
        return { kind: "constant", value: numberOf(token.text), start: token.start, end: token.end };
      case "string start":
        return this.#string(token);
      case "name":
        return this.#name(token);
      case "symbol":
        return this.#bracketed(token);
      default:
        return this.#unexpected(token);
    }
  }

  #string({ start }: Token): Node {
    const parts: (string | Node)[] = [];
    for (;;) {
      const token = this.#take();
      if (token.kind === "text") {
        parts.push(token.text);
      } else if (token.kind === "symbol") {
        parts.push(this.#expression());
        this.#expectSymbol("}}");
      } else {
        if (token.kind !== "string end") this.#unexpected(token);
        const isPlain = parts.every((part) => typeof part === "string");
        const { end } = token;
        return isPlain
          ? { kind: "constant", value: parts.join(""), start, end }
          : { kind: "interpolation", parts, start, end };
      }
    }
  }

  #name(token: Token): Node {
    const { text: name, start, end } = token;
    const value = constants.get(name);
    if (value !== undefined) return { kind: "constant", value, start, end };
    if (name === "not") {
      const operand = this.#nested(() => this.#path());
      return { kind: "not", operand, start, end: operand.end };
    }
    if (keywords.has(name)) this.#unexpected(token);
    if (!this.#takeSymbol("(")) return { kind: "variable", name, start, end };
    const argument = this.#expression();
    return { kind: "call", name, argument, start, end: this.#expectSymbol(")").end };
  }

  #bracketed(token: Token): Node {
    switch (token.text) {
      case "(": {
        const inner = this.#expression();
        this.#expectSymbol(")");
        return inner;
      }
      case "[": {
        const { items, end } = this.#list("]", () => this.#expression());
        return { kind: "array", items, start: token.start, end };
      }
      case "{": {
        const { items, end } = this.#list("}", () => this.#member());
        return { kind: "object", members: items, start: token.start, end };
      }
      case "{{":
        return this.#block(token);
      default:
        return this.#unexpected(token);
    }
  }

  /** Parses the items up to `closing`, after the opening bracket has been consumed. */
  #list<T>(closing: string, parse: () => T): { readonly items: readonly T[]; readonly end: number } {
    const items: T[] = [];
    const empty = this.#takeSymbol(closing);
    if (empty) return { items, end: empty.end };
    for (;;) {
      items.push(parse());
      if (!this.#takeSymbol(",")) return { items, end: this.#expectSymbol(closing).end };
    }
  }

  #member(): readonly [key: string, value: Node] {
    this.#expectKind("string start");
    let key = "";
    while (this.#peek().kind === "text") key += this.#take().text;
    this.#expectKind("string end");
    this.#expectSymbol(":");
    return [key, this.#expression()];
  }

  /** Parses a block whose `{{` has been consumed. */
  #block({ start }: Token): Node {
    if (this.#takeWord("if")) return this.#condition(start);
    if (this.#takeWord("range")) return this.#range(start);
    const inner = this.#expression();
    this.#expectSymbol("}}");
    return inner;
  }

  #condition(start: number): Node {
    const branches: { condition: Node; value: Node }[] = [];
    for (;;) {
      const condition = this.#expression();
      this.#expectSymbol("}}");
      branches.push({ condition, value: this.#expression() });
      this.#expectSymbol("{{");
      if (this.#takeWord("elif")) continue;
      if (!this.#takeWord("else")) this.#unexpected();
      this.#expectSymbol("}}");
      const otherwise = this.#expression();
      return { kind: "if", branches, otherwise, start, end: this.#endOfBlock() };
    }
  }

  #range(start: number): Node {
    const index = this.#takeSymbol("_") ? undefined : this.#binding();
    this.#expectSymbol(",");
    const item = this.#binding();
    this.#expectSymbol(":=");
    const list = this.#expression();
    this.#expectSymbol("}}");
    const body = this.#expression();
    const end = this.#endOfBlock();
    return { kind: "range", ...(index !== undefined && { index }), item, list, body, start, end };
  }

  #binding(): string {
    const token = this.#expectKind("name");
    if (keywords.has(token.text)) this.#unexpected(token);
    return token.text;
  }

  #endOfBlock(): number {
    this.#expectSymbol("{{");
    if (!this.#takeWord("end")) this.#unexpected();
    return this.#expectSymbol("}}").end;
  }

  #peek(ahead = 0): Token {
    // Reading never goes beyond the last token, which is `end` or `invalid`.
    const token = this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)];
    invariant(token, "a template has no tokens");
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #takeSymbol(...texts: readonly string[]): Token | undefined {
    const { kind, text } = this.#peek();
    return kind === "symbol" && texts.includes(text) ? this.#take() : undefined;
  }

  #takeWord(word: string): Token | undefined {
    const { kind, text } = this.#peek();
    return kind === "name" && text === word ? this.#take() : undefined;
  }

  #expectSymbol(text: string): Token {
    return this.#takeSymbol(text) ?? this.#unexpected();
  }

  #expectKind(kind: Token["kind"]): Token {
    return this.#peek().kind === kind ? this.#take() : this.#unexpected();
  }

  /** Throws a syntax error, whose position is the character after the token. */
  #unexpected(token = this.#peek()): never {
    if (token.kind === "invalid") throw new TemplateFailure("Lexer Error", token.text, token);
    const message = token.kind === "end" ? "Unexpected end of the template." : `Unexpected token '${token.text}'.`;
    const span = { start: token.end, end: Math.min(token.end + 1, this.#length) };
    throw new TemplateFailure("Parse Error", message, span);
  }
}

function isOperatorWord({ kind, text }: Token, word: string): boolean {
  return text === word && (kind === "symbol" || kind === "name");
}
