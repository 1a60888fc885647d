/** Changes parts of a text, by lines and offsets. */

/** A replacement of the text between two offsets. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Thrown for text that cannot be changed in place; the object that contains it is then rewritten. */
export class NotEditable extends Error {}

/** Applies splices to the text between two offsets. */
export function spliced(text: string, splices: readonly Splice[], from = 0, to = text.length): string {
  let result = "";
  let at = from;
  for (const splice of splices.toSorted((left, right) => left.from - right.from || left.to - right.to)) {
    if (splice.from < at) throw new NotEditable("two changes of the same text");
    result += text.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return result + text.slice(at, to);
}

export class Lines {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  start(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** The offset of the line break, or of the end of the text. */
  end(offset: number): number {
    const at = this.#text.indexOf("\n", offset);
    if (at < 0) return this.#text.length;
    return at > offset && this.#text[at - 1] === "\r" ? at - 1 : at;
  }

  /** The start of the next line, or the end of the text. */
  next(offset: number): number {
    const at = this.#text.indexOf("\n", offset);
    return at < 0 ? this.#text.length : at + 1;
  }

  column(offset: number): number {
    return offset - this.start(offset);
  }

  /** Returns true if only white space precedes the offset in its line. */
  isFirst(offset: number): boolean {
    return this.#text.slice(this.start(offset), offset).trim() === "";
  }

  /** Returns the column of a comment that has its own line, `undefined` for other lines. */
  comment(lineStart: number): number | undefined {
    const line = this.#text.slice(lineStart, this.end(lineStart));
    const column = line.search(/\S/);
    return column >= 0 && line[column] === "#" ? column : undefined;
  }

  isBlank(lineStart: number): boolean {
    return this.#text.slice(lineStart, this.end(lineStart)).trim() === "";
  }
}

/**
 * Returns the start of an item's first line, with the comments directly above it; those at the start of the file
 * describe the file.
 */
export function firstLine(lines: Lines, start: number): number {
  const own = lines.start(start);
  const column = lines.column(start);
  let first = own;
  while (first > 0) {
    const above = lines.start(first - 1);
    if (lines.comment(above) !== column) break;
    first = above;
  }
  return first === 0 ? own : first;
}

/** Returns the start of the line after an item, its comments included: those behind it and more indented ones below. */
export function lineAfter(text: string, lines: Lines, end: number, column: number): number {
  const after = text[end - 1] === "\n" ? end : lines.next(end);
  let last = after;
  for (let at = after; at < text.length; at = lines.next(at)) {
    const comment = lines.comment(at);
    if (comment !== undefined && comment > column) last = lines.next(at);
    else if (!lines.isBlank(at)) break;
  }
  return last;
}

/** Indents a line that is not empty: an empty line may belong to a block scalar. */
export function indented(line: string, columns: number): string {
  return line === "" ? line : `${" ".repeat(columns)}${line}`;
}
