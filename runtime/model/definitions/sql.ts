/**
 * SQL as fragments: text that was quoted at compile time or written in this package, and parameters. A plain string
 * is not a fragment, so text from a request cannot become SQL. `render` numbers the parameters.
 */
import type { ParameterSlot } from "./parameters.ts";

type Part = string | ParameterSlot | Sql;

/** A piece of a statement. Made by the `sql` template and the functions of this file only. */
export class Sql {
  readonly parts: readonly Part[];

  /** @internal use `sql`, `verbatim` or `parameter` */
  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/**
 * Builds a fragment. Interpolations are fragments; the text between them is SQL that a programmer or the compiler
 * wrote. In generated modules identifiers and constants stand in that text, quoted.
 */
export function sql(strings: TemplateStringsArray, ...fragments: readonly Sql[]): Sql {
  const parts: Part[] = [];
  for (let i = 0; i < strings.length; i++) {
    const text = strings[i];
    if (text) parts.push(text);
    const fragment = fragments[i];
    if (fragment) parts.push(fragment);
  }
  return new Sql(parts);
}

/** SQL text from metadata that the compiler has already quoted. Never call it with text from a request. */
export function verbatim(text: string): Sql {
  return new Sql([text]);
}

export function parameter(slot: ParameterSlot): Sql {
  return new Sql([slot]);
}

export function joinSql(fragments: readonly Sql[], separator: string): Sql {
  const parts: Part[] = [];
  for (const [i, fragment] of fragments.entries()) {
    if (i > 0) parts.push(separator);
    parts.push(fragment);
  }
  return new Sql(parts);
}

/** Whether a piece of text stands in a fragment. */
export function mentions({ parts }: Sql, text: string): boolean {
  return parts.some((part) =>
    typeof part === "string" ? part.includes(text) : part instanceof Sql && mentions(part, text),
  );
}

/** Joins conditions with AND; `undefined` stands for no condition at all. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const present = conditions.filter((c) => c !== undefined);
  if (present.length <= 1) return present[0];
  return joinSql(present.map(inParentheses), " and ");
}

export function inParentheses(fragment: Sql): Sql {
  return new Sql(["(", fragment, ")"]);
}

export interface RenderedSql {
  readonly text: string;
  /** In the order of `$1`, `$2`, …; equal slots share a number. */
  readonly slots: readonly ParameterSlot[];
}

const castPattern = /^::(?:"(?:[^"]|"")*"|[\w.])+(?:\[\])*/;

/**
 * Writes a fragment as text with `$n` parameters. Slots with the same key and the same cast behind them are one
 * parameter: the server takes a parameter's type from its first cast and would refuse another.
 */
export function render(
  fragment: Sql,
  dialect: { readonly parameterReference: (number: number) => string },
): RenderedSql {
  const { text, slots } = renderWith(fragment, dialect.parameterReference);
  return { text, slots };
}

/**
 * The same with other references to the parameters.
 * @param reference text for the parameter of this number, counted from 1
 * @returns besides, the cast behind each parameter: `::int4`; empty where there is none
 */
export function renderWith(
  fragment: Sql,
  reference: (number: number) => string,
): RenderedSql & { readonly casts: readonly string[] } {
  const numbers = new Map<string, number>();
  const slots: ParameterSlot[] = [];
  const casts: string[] = [];
  let text = "";
  let waiting: ParameterSlot | undefined;
  const place = (following: string): void => {
    if (!waiting) return;
    const cast = castPattern.exec(following)?.[0] ?? "";
    const key = `${waiting.key} ${cast}`;
    let number = numbers.get(key);
    if (number === undefined) {
      slots.push(waiting);
      casts.push(cast);
      number = slots.length;
      numbers.set(key, number);
    }
    text += reference(number);
    waiting = undefined;
  };
  const write = (part: Part): void => {
    if (typeof part === "string") {
      place(part);
      text += part;
    } else if (part instanceof Sql) {
      for (const inner of part.parts) write(inner);
    } else {
      place("");
      waiting = part;
    }
  };
  write(fragment);
  place("");
  return { text, slots, casts };
}
