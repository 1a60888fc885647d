/**
 * Code with optional line breaks: a group stays on one line where it fits, and else has one item per line.
 * Written here because the writers at hand guess from the text whether they are inside a string, and a backslash
 * before a closing backtick makes them guess wrong.
 */
import { docComment, lineWidth } from "./comments.ts";

const indentation = "  ";

export type Code = string | Group | Sequence | Call | Commented;

interface Group {
  readonly open: string;
  readonly items: readonly Code[];
  readonly close: string;
}

interface Sequence {
  readonly parts: readonly Code[];
}

interface Call {
  readonly callee: string;
  readonly args: readonly Code[];
}

interface Commented {
  readonly comment: readonly string[];
  readonly code: Code;
}

/** Items between brackets, separated by commas. */
export function group(open: string, items: readonly Code[], close: string): Code {
  return items.length === 0 ? `${open.trimEnd()}${close.trimStart()}` : { open, items, close };
}

/** `{ a: 1, b }` */
export function object(members: readonly Code[]): Code {
  return group("{ ", members, " }");
}

/** Pieces that follow each other directly. */
export function sequence(...parts: readonly Code[]): Code {
  return { parts };
}

/** An item of a group with a doc comment before it. */
export function commented(comment: readonly string[], code: Code): Code {
  return { comment, code };
}

/** `callee(a, b)`; an object that is the last argument keeps its brace on the line of the call, where that fits. */
export function call(callee: string, ...args: readonly Code[]): Code {
  return { callee, args };
}

/** The code as text. It begins at `column` of a block that is indented by `level`. */
export function layOut(code: Code, level = 0, column = level * indentation.length): string {
  if (typeof code === "string") return code;
  const flat = flatWithin(code, lineWidth - column);
  if (flat !== undefined) return flat;
  if ("parts" in code) return layOutSequence(code, level, column);
  if ("args" in code) return layOutCall(code, level, column);
  const margin = indentation.repeat(level);
  if ("comment" in code) {
    return `${docComment(code.comment, margin).trimStart()}${margin}${layOut(code.code, level, column)}`;
  }
  const inner = indentation.repeat(level + 1);
  const items = code.items.map((item) => `${inner}${layOut(item, level + 1, inner.length + 1)},\n`);
  return `${code.open.trimEnd()}\n${items.join("")}${margin}${code.close.trimStart()}`;
}

function layOutCall({ callee, args }: Call, level: number, column: number): string {
  const last = args.at(-1);
  if (typeof last === "object" && "items" in last) {
    const start = `${callee}(${args
      .slice(0, -1)
      .map((argument) => `${flatText(argument)}, `)
      .join("")}`;
    const fits = !start.includes("\n") && column + start.length + last.open.trimEnd().length <= lineWidth;
    if (fits) return `${start}${layOut(last, level, column + start.length + ")".length)})`;
  }
  return `${callee}${layOut(group("(", args, ")"), level, column + callee.length)}`;
}

function layOutSequence({ parts }: Sequence, level: number, column: number): string {
  let text = "";
  for (const [i, part] of parts.entries()) {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    const at = line.length + (line.length === text.length ? column : 0);
    text += layOut(part, level, at + widthBeforeBreak(parts.slice(i + 1)));
  }
  return text;
}

/** What stands on the same line in any case, up to the first place where it can be broken. */
function widthBeforeBreak(parts: readonly Code[]): number {
  let width = 0;
  for (const part of parts) {
    if (typeof part !== "string") return "open" in part ? width + part.open.trimEnd().length : width;
    width += part.length;
  }
  return width;
}

/** On one line; `undefined`: it is longer than there is room, which is found out without looking at the rest. */
function flatWithin(code: Code, room: number): string | undefined {
  if (typeof code === "string") return code.length > room || code.includes("\n") ? undefined : code;
  if ("comment" in code) return undefined;
  if ("parts" in code) return flatList(code.parts, "", "", "", room);
  if ("args" in code) return flatList(code.args, `${code.callee}(`, ", ", ")", room);
  return flatList(code.items, code.open, ", ", code.close, room);
}

function flatList(
  items: readonly Code[],
  open: string,
  separator: string,
  close: string,
  room: number,
): string | undefined {
  let text = open;
  for (const [i, item] of items.entries()) {
    if (i > 0) text += separator;
    const flat = flatWithin(item, room - text.length);
    if (flat === undefined) return undefined;
    text += flat;
  }
  text += close;
  return text.length > room || open.includes("\n") ? undefined : text;
}

function flatText(code: Code): string {
  if (typeof code === "string") return code;
  if ("parts" in code) return code.parts.map(flatText).join("");
  if ("args" in code) return `${code.callee}(${code.args.map(flatText).join(", ")})`;
  if ("comment" in code) return `\n${flatText(code.code)}`;
  return `${code.open}${code.items.map(flatText).join(", ")}${code.close}`;
}
