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
const margin = /\s+/y;
const word = /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy;
const number = /\d+(?:\.\d+)?(?![\p{ID_Continue}$.])/uy;
const string = /"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"/y;
const parameters = /\(([\p{ID_Continue}$, \n]*)\) =>/uy;
const punctuation = /=>|\.\.\.|[.,:()[\]{}-]/y;
/** Characters that punctuation begins with. */
const marks: ReadonlySet<string> = new Set("=.,:()[]{}-");

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
      const first = this.#text[this.#at];
      if (first === ";") {
        this.#code.push(";");
        this.#at++;
        return this.#open.length === 0;
      }
      if (!this.#token(first)) return false;
    }
  }

  /** One token that is no semicolon. @returns whether it is plain */
  #token(first: string | undefined): boolean {
    if (first === "(" && this.#end(parameters) !== undefined) return this.#parameters();
    if (first === "`") return this.#template();
    const end = this.#end(patternOf(first));
    if (end === undefined) return false;
    const token = this.#text.slice(this.#at, end);
    this.#code.push(token);
    this.#at = end;
    if (!this.#isPlain(token)) return false;
    this.#before = token;
    return true;
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
      const next = this.#text[this.#end(margin) ?? this.#at];
      if (next === ":") return true;
      if (next !== "," && next !== "}") return false;
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
      if (!this.#token(this.#text[this.#at])) return false;
    }
  }

  /** Comments and margins are left out: the code stays in memory with all that it has made. */
  #space(): void {
    const end = this.#end(space);
    if (end === undefined) return;
    this.#code.push("\n".repeat(linesOf(this.#text, this.#at, end)) || " ");
    this.#at = end;
  }

  /** What stands here, which is then behind. */
  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  /** Where what stands here ends. */
  #end(pattern: RegExp): number | undefined {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text) ? pattern.lastIndex : undefined;
  }
}

/** What a token is that begins with this character, where it is one. */
function patternOf(first: string | undefined): RegExp {
  if (first === undefined) return punctuation;
  if (first === '"') return string;
  if (first >= "0" && first <= "9") return number;
  return marks.has(first) ? punctuation : word;
}

function linesOf(text: string, from = 0, to = text.length): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
