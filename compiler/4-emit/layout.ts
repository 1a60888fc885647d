/**
 * The code tree and its printer. A group stays on one line if it fits; otherwise each item gets a line. One pass over
 * the tree prints both forms of a module: the TypeScript that people read and, line for line, the JavaScript that runs.
 *
 * Existing code-writer libraries infer from the text whether they are inside a string, and fail for a backslash before
 * a closing backtick.
 */
import { docComment, lineWidth } from "./comments.ts";

const indentation = "  ";

export type Code = string | Reference | Group | Sequence | Call | Commented | TypeText;

/** An import of another generated module. */
export interface Reference {
  readonly kind: "reference";
  /** The local name. */
  readonly name: string;
  /** The expression that reads it in the JavaScript form, which loads the imported module on first use. */
  readonly member: string;
  /** True for a shorthand property: `{ author }`. */
  readonly isShorthand?: true;
}

interface Group {
  readonly kind: "group";
  readonly open: string;
  readonly items: readonly Code[];
  readonly close: string;
}

interface Sequence {
  readonly kind: "sequence";
  readonly parts: readonly Code[];
}

interface Call {
  readonly kind: "call";
  readonly callee: string;
  readonly args: readonly Code[];
}

interface Commented {
  readonly kind: "commented";
  readonly comment: readonly string[];
  readonly code: Code;
}

/** TypeScript without a JavaScript form. */
interface TypeText {
  readonly kind: "type";
  readonly text: string;
}

/** Returns items between brackets, separated by commas. */
export function group(open: string, items: readonly Code[], close: string): Code {
  return items.length === 0 ? `${open.trimEnd()}${close.trimStart()}` : { kind: "group", open, items, close };
}

/** Returns an object literal: `{ a: 1, b }`. */
export function object(members: readonly Code[]): Code {
  return group("{ ", members, " }");
}

/** Returns pieces that follow each other directly. */
export function sequence(...parts: readonly Code[]): Code {
  return { kind: "sequence", parts };
}

/** Returns an item of a group with a doc comment before it. */
export function commented(comment: readonly string[], code: Code): Code {
  return { kind: "commented", comment, code };
}

/** Returns a call: `callee(a, b)`. An object as the last argument keeps its brace on the line of the call if it fits. */
export function call(callee: string, ...args: readonly Code[]): Code {
  return { kind: "call", callee, args };
}

/** Returns TypeScript without a JavaScript form: a type annotation, a modifier, an interface. */
export function typeText(text: string): TypeText {
  return { kind: "type", text };
}

/** Returns an arrow function: `() => author`. */
export function thunk(value: Code): Code {
  return sequence("() => ", value);
}

/** Returns a shorthand property: `{ author }`. */
export function shorthand(reference: Reference): Code {
  return { ...reference, isShorthand: true };
}

/** Prints code as TypeScript, starting at the margin of a block that is indented by `level`. */
export function layOut(code: Code, level = 0): string {
  const printer = new Printer(level);
  printer.print(code, level);
  return printer.text();
}

/** The state of a printer before an attempt to write on one line. */
interface Mark {
  readonly pieces: number;
  readonly codes: number;
  readonly length: number;
  readonly lineStart: number;
}

/** Prints code in both forms. */
export class Printer {
  readonly #text: string[] = [];
  readonly #code: string[] = [];
  /** Length of the TypeScript written so far. */
  #length = 0;
  /** Offset at which its last line begins; negative if the first line is indented. */
  #lineStart: number;

  constructor(level = 0) {
    this.#lineStart = -level * indentation.length;
  }

  /** Returns the TypeScript written so far. */
  text(): string {
    return this.#text.join("");
  }

  /** Returns the JavaScript written so far, with the same lines as the TypeScript. */
  code(): string {
    return this.#code.join("");
  }

  /** Writes text that is the same in both forms. */
  write(text: string): void {
    this.#add(text, text);
  }

  /** Writes TypeScript; the JavaScript gets only its line breaks. */
  writeType(text: string): void {
    this.#add(text, "\n".repeat(lineBreaks(text)));
  }

  /** Writes JavaScript at the end of a line. */
  writeRun(code: string): void {
    this.#code.push(code);
  }

  /**
   * Writes code that may take several lines.
   * @param reserve number of characters that follow on its last line
   */
  print(code: Code, level: number, reserve = 0): void {
    const before = this.#mark();
    if (this.#flat(code, this.#lineStart + lineWidth - reserve)) return;
    this.#restore(before);
    if (typeof code === "string") this.write(code);
    else if (code.kind === "sequence") this.#sequence(code, level, reserve);
    else if (code.kind === "call") this.#call(code, level, reserve);
    else if (code.kind === "group") this.#group(code, level);
    else if (code.kind === "commented") {
      const margin = indentation.repeat(level);
      this.writeType(docComment(code.comment, margin).trimStart());
      this.#add(margin, "");
      this.print(code.code, level, reserve);
    } else this.#leaf(code);
  }

  #group({ open, items, close }: Group, level: number): void {
    this.write(open.trimEnd());
    const inner = indentation.repeat(level + 1);
    for (const item of items) {
      this.#add(`\n${inner}`, "\n");
      this.print(item, level + 1, ",".length);
      this.write(",");
    }
    this.#add(`\n${indentation.repeat(level)}`, "\n");
    this.write(close.trimStart());
  }

  #call({ callee, args }: Call, level: number, reserve: number): void {
    const last = args.at(-1);
    if (typeof last === "object" && last.kind === "group") {
      const before = this.#mark();
      const fits =
        this.#flatList(args.slice(0, -1), `${callee}(`, ", ", args.length > 1 ? ", " : "", Number.POSITIVE_INFINITY) &&
        this.#column() + reserve + last.open.trimEnd().length <= lineWidth;
      if (fits) {
        this.print(last, level, reserve + ")".length);
        this.write(")");
        return;
      }
      this.#restore(before);
    }
    this.write(callee);
    this.print(group("(", args, ")"), level, reserve);
  }

  #sequence({ parts }: Sequence, level: number, reserve: number): void {
    const line = this.#lineStart;
    for (const [i, part] of parts.entries()) {
      const rest = this.#lineStart === line ? reserve : 0;
      this.print(part, level, rest + widthBeforeBreak(parts.slice(i + 1)));
    }
  }

  /**
   * Writes code on one line.
   * @param end the maximum offset of the end of the line
   * @returns false as soon as the code does not fit
   */
  #flat(code: Code, end: number): boolean {
    if (typeof code === "string") {
      if (this.#length + code.length > end || code.includes("\n")) return false;
      this.write(code);
      return true;
    }
    switch (code.kind) {
      case "reference":
      case "type":
        this.#leaf(code);
        return this.#length <= end;
      case "commented":
        return false;
      case "sequence":
        return this.#flatList(code.parts, "", "", "", end);
      case "call":
        return this.#flatList(code.args, `${code.callee}(`, ", ", ")", end);
      case "group":
        return this.#flatList(code.items, code.open, ", ", code.close, end);
    }
  }

  #flatList(items: readonly Code[], open: string, separator: string, close: string, end: number): boolean {
    this.write(open);
    for (const [i, item] of items.entries()) {
      if (i > 0) this.write(separator);
      if (!this.#flat(item, end)) return false;
    }
    this.write(close);
    return this.#length <= end;
  }

  #leaf(leaf: Reference | TypeText): void {
    if (leaf.kind === "type") this.writeType(leaf.text);
    else this.#add(leaf.name, leaf.isShorthand ? `${leaf.name}: ${leaf.member}` : leaf.member);
  }

  #column(): number {
    return this.#length - this.#lineStart;
  }

  #add(text: string, code: string): void {
    if (text === "") return;
    const lineEnd = text.lastIndexOf("\n");
    if (lineEnd !== -1) this.#lineStart = this.#length + lineEnd + 1;
    this.#length += text.length;
    this.#text.push(text);
    this.#code.push(code);
  }

  #mark(): Mark {
    return { pieces: this.#text.length, codes: this.#code.length, length: this.#length, lineStart: this.#lineStart };
  }

  #restore({ pieces, codes, length, lineStart }: Mark): void {
    this.#text.length = pieces;
    this.#code.length = codes;
    this.#length = length;
    this.#lineStart = lineStart;
  }
}

/** Returns the number of characters before the first possible line break. */
function widthBeforeBreak(parts: readonly Code[]): number {
  let width = 0;
  for (const part of parts) {
    if (typeof part === "string") width += part.length;
    else if (part.kind === "reference") width += part.name.length;
    else if (part.kind === "type") width += part.text.length;
    else return part.kind === "group" ? width + part.open.trimEnd().length : width;
  }
  return width;
}

/** Returns the number of line breaks in a text. */
export function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
