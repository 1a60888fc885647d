/**
 * Plain generated modules as the body of a CommonJS module, without a compiler: imports, constants and no types but
 * those of constants. What is not known to be plain is left to esbuild, which does the same for all TypeScript.
 * Lines stay where they are, without comments. Imported names become members, so that what they come from is loaded when
 * it is used.
 */

/** JavaScript of a module; `undefined`: it has something that is not plain. */
export function plainModule(text: string): string | undefined {
  return new PlainModule(text).read();
}

const importClause = /import \{([^{}"'`/\\]*)\} from ("[^"\\\n\r]*");/y;
const importedName = /^([\p{ID_Start}_$][\p{ID_Continue}$]*)(?: as ([\p{ID_Start}_$][\p{ID_Continue}$]*))?$/u;
const parameter = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
/** The type is written by the compiler itself. */
const constant = /(export )?const ([\p{ID_Start}_$][\p{ID_Continue}$]*)(?:: [\w$<>[\]{}, ]+)? = /uy;
const space = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)+/y;
const word = /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy;
const number = /\d+(?:\.\d+)?(?![\p{ID_Continue}$.])/uy;
const string = /"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"/y;
const parameters = /\(([\p{ID_Continue}$, \n]*)\) =>/uy;
const punctuation = /=>|\.\.\.|[.,:;()[\]{}-]/y;

/** Words of the language that are values; the others are not plain. */
const values: ReadonlySet<string> = new Set(["true", "false", "null", "undefined"]);
const reserved: ReadonlySet<string> = new Set(
  (
    "abstract arguments as async await break case catch class const continue debugger declare default delete do else " +
    "enum eval export extends finally for function if implements import in instanceof interface keyof let new of " +
    "package private protected public readonly return satisfies static super switch this throw try typeof using var " +
    "void while with yield exports module require"
  ).split(" "),
);

/** What no name may be: it means something here or to the language. Imported modules are `$0`, `$1`, … */
const isTaken = (name: string): boolean => reserved.has(name) || /^\$\d+$/.test(name);

const closing: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const wordOrText = /[\p{ID_Continue}$"`]$/u;

class PlainModule {
  readonly #text: string;
  #at = 0;
  readonly #code = ['"use strict";'];
  /** By local name: the member of the imported module. */
  readonly #imported = new Map<string, string>();
  readonly #names = new Set<string>();
  /** Brackets that are open, innermost last. */
  readonly #open: string[] = [];
  /** The token before, without space. */
  #before = "";

  constructor(text: string) {
    this.#text = text;
  }

  read(): string | undefined {
    this.#space();
    for (let count = 0; ; count++) {
      const clause = this.#match(importClause);
      if (clause === undefined) break;
      if (!this.#import(clause, count)) return undefined;
      this.#space();
    }
    while (this.#at < this.#text.length) {
      const declared = this.#match(constant);
      const [whole, exported, name] = declared ?? [];
      if (whole === undefined || name === undefined || isTaken(name) || values.has(name)) return undefined;
      if (this.#names.has(name)) return undefined;
      this.#names.add(name);
      this.#code.push(`const ${name}${"\n".repeat(linesOf(whole))} = `);
      if (!this.#value()) return undefined;
      if (exported !== undefined) this.#code.push(` exports.${name} = ${name};`);
      this.#space();
    }
    return this.#code.join("");
  }

  /** @returns whether it is plain */
  #import([whole, list, from]: readonly (string | undefined)[], count: number): boolean {
    const names = (list ?? "").split(",").map((name) => name.trim());
    for (const name of names) {
      if (name === "" || name.startsWith("type ")) continue;
      const [matched, exported, local = exported] = importedName.exec(name) ?? [];
      if (matched === undefined || local === undefined || this.#names.has(local) || isTaken(local) || values.has(local))
        return false;
      this.#names.add(local);
      this.#imported.set(local, `$${count}.${exported}`);
    }
    this.#code.push(`const $${count} = require(${from});${"\n".repeat(linesOf(whole ?? ""))}`);
    return true;
  }

  /** The value of a constant up to its semicolon. @returns whether it is plain */
  #value(): boolean {
    this.#before = "=";
    for (;;) {
      this.#space();
      if (this.#match(parameters, false) !== undefined) {
        if (!this.#parameters()) return false;
        continue;
      }
      const token = this.#copy(word) ?? this.#copy(number) ?? this.#copy(string) ?? this.#copy(punctuation);
      if (token === undefined) {
        if (this.#text[this.#at] !== "`" || !this.#template()) return false;
        continue;
      }
      if (token === ";") return this.#open.length === 0;
      if (!this.#isPlain(token)) return false;
      this.#before = token;
    }
  }

  /** Brackets, and where colons and words stand. Words that are imported are replaced. */
  #isPlain(token: string): boolean {
    const inside = this.#open.at(-1);
    if (closing.has(token)) {
      // The body of a function, or one that nothing tells from it.
      if (token === "{" && (this.#before === "=>" || this.#before === ")")) return false;
      this.#open.push(token);
      return true;
    }
    if (token === ")" || token === "]" || token === "}") {
      return closing.get(this.#open.pop() ?? "") === token;
    }
    if (token === ":") return inside === "{";
    if (token === "=>") return false;
    return !parameter.test(token) || this.#word(token, inside);
  }

  #word(name: string, inside: string | undefined): boolean {
    if (this.#before === ".") return true;
    const isFirst = this.#before === "{" || this.#before === ",";
    if (inside === "{" && isFirst) {
      // The name of a member, or of a member and its value.
      const [next = ""] = /^\s*[^\s]/.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
      if (next.endsWith(":")) return true;
      if (!next.endsWith(",") && !next.endsWith("}")) return false;
      const member = this.#imported.get(name);
      if (member !== undefined) this.#code.push(`: ${member}`);
      return !isTaken(name);
    }
    if (isTaken(name)) return false;
    // Two words in a row are no expression.
    if (wordOrText.test(this.#before)) return false;
    const member = this.#imported.get(name);
    if (member === undefined) return true;
    this.#code.pop();
    // Called without an object that it belongs to, as an imported function is.
    const isCalled = this.#text[this.#at] === "(" || this.#text[this.#at] === "`";
    this.#code.push(isCalled ? `(0, ${member})` : member);
    return true;
  }

  /** Those of an arrow function: names that nothing else in the module has. */
  #parameters(): boolean {
    const [whole = "", list = ""] = this.#match(parameters) ?? [];
    for (const name of list.split(",").map((name) => name.trim())) {
      if (name === "") continue;
      if (!parameter.test(name) || isTaken(name) || values.has(name) || this.#imported.has(name)) return false;
    }
    this.#code.push(whole);
    this.#before = "=>";
    return true;
  }

  /** @returns whether what it embeds is plain */
  #template(): boolean {
    const text = this.#text;
    let from = this.#at;
    for (let at = from + 1; at < text.length; at++) {
      const character = text[at];
      if (character === "\\") at++;
      else if (character === "`") {
        this.#code.push(text.slice(from, at + 1));
        this.#at = at + 1;
        this.#before = "`";
        return true;
      } else if (character === "$" && text[at + 1] === "{") {
        this.#code.push(text.slice(from, at + 2));
        this.#at = at + 2;
        if (!this.#embedded()) return false;
        from = this.#at;
        at = from - 1;
      }
    }
    return false;
  }

  /** What stands in `${}`, with its end. */
  #embedded(): boolean {
    const depth = this.#open.push("${");
    this.#before = "(";
    for (;;) {
      this.#space();
      if (this.#open.length === depth && this.#text[this.#at] === "}") {
        this.#open.pop();
        this.#code.push("}");
        this.#at++;
        return true;
      }
      if (this.#match(parameters, false) !== undefined) {
        if (!this.#parameters()) return false;
        continue;
      }
      const token = this.#copy(word) ?? this.#copy(number) ?? this.#copy(string) ?? this.#copy(punctuation);
      if (token === undefined) {
        if (this.#text[this.#at] !== "`" || !this.#template()) return false;
        continue;
      }
      if (token === ";" || !this.#isPlain(token)) return false;
      this.#before = token;
    }
  }

  /** Comments and margins are left out: the code stays in memory with all that it has made. */
  #space(): void {
    const [text] = this.#match(space) ?? [];
    if (text !== undefined) this.#code.push("\n".repeat(linesOf(text)) || " ");
  }

  #copy(pattern: RegExp): string | undefined {
    const token = this.#match(pattern)?.[0];
    if (token !== undefined) this.#code.push(token);
    return token;
  }

  /** What stands here, which is then behind, unless `moves` is false. */
  #match(pattern: RegExp, moves = true): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    if (moves) this.#at = pattern.lastIndex;
    return found;
  }
}

const linesOf = (text: string): number => text.split("\n").length - 1;
