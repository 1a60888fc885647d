/**
 * SQL fragments: text that was quoted at compile time or written in this package, and parameters. A plain string is not
 * a fragment, so text from a request cannot become SQL. `render` numbers the parameters.
 */
import type { ParameterSlot } from "./parameters.ts";

type Part = string | ParameterSlot | Sql;

/** A part of a statement, created only by the `sql` template and the functions of this file. */
export class Sql {
  readonly parts: readonly Part[];

  /** @internal use `sql`, `verbatim` or `parameter` */
  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/**
 * Builds a fragment. Interpolations are fragments; the text between them is SQL written by a programmer or the
 * compiler. In generated modules that text contains quoted identifiers and constants.
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

/** Builds a fragment from metadata that the compiler has quoted. Never call it with text from a request. */
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

/** Returns an empty fragment, and a function that sets its content before it is rendered. */
export function laterSql(): { readonly fragment: Sql; readonly set: (content: Sql) => void } {
  const parts: Part[] = [];
  return { fragment: new Sql(parts), set: (content) => void parts.splice(0, parts.length, content) };
}

/** Returns true if a fragment contains a text. */
export function mentions({ parts }: Sql, text: string): boolean {
  return parts.some((part) =>
    typeof part === "string" ? part.includes(text) : part instanceof Sql && mentions(part, text),
  );
}

/** Joins conditions with AND; `undefined` means no condition. */
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
 * Renders a fragment as text with `$n` parameters. Slots with the same key followed by the same cast share a parameter:
 * the server takes a parameter's type from its first cast and rejects a different one.
 */
export function render(
  fragment: Sql,
  dialect: { readonly parameterReference: (number: number) => string },
): RenderedSql {
  const { text, slots } = renderWith(fragment, dialect.parameterReference);
  return { text, slots };
}

/**
 * Renders a fragment with custom parameter references.
 * @param reference returns the text for a parameter, counted from 1
 * @returns also the cast after each parameter: `::int4`; empty if there is none
 */
export function renderWith(
  fragment: Sql,
  reference: (number: number) => string,
): RenderedSql & { readonly casts: readonly string[] } {
  const numbers = new Map<string, number>();
  const slots: ParameterSlot[] = [];
  const casts: string[] = [];
  let text = "";
  let pending: ParameterSlot | undefined;
  const place = (following: string): void => {
    if (!pending) return;
    const cast = castPattern.exec(following)?.[0] ?? "";
    const key = `${pending.key} ${cast}`;
    let number = numbers.get(key);
    if (number === undefined) {
      slots.push(pending);
      casts.push(cast);
      number = slots.length;
      numbers.set(key, number);
    }
    text += reference(number);
    pending = undefined;
  };
  const write = (part: Part): void => {
    if (typeof part === "string") {
      place(part);
      text += part;
    } else if (part instanceof Sql) {
      for (const inner of part.parts) write(inner);
    } else {
      place("");
      pending = part;
    }
  };
  write(fragment);
  place("");
  return { text, slots, casts };
}
