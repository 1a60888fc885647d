/**
 * Matches results in canonical form (the selected members in order, without blanks) by one regular expression. A
 * matching text is passed on verbatim; other texts are parsed. Matching takes a third of the time of scanning, and a
 * tenth of the time of parsing and printing.
 */
import { maxMatchLength, scalarSource, stringSource } from "./scanner.ts";

/** The source of a regular expression; `undefined` if the values have no canonical form or the expression is too long. */
export type Form = string | undefined;

const maxSourceLength = 16_384;
/** Matches any string, number or word of JSON. */
export const scalarForm = `(?:${stringSource}|${scalarSource})`;

/** Matches strings in which no escape has a shorter form. */
const writtenString = String.raw`"[^"\\\u0000-\u001f]*(?:\\["\\bfnrt][^"\\\u0000-\u001f]*)*"`;
/** Matches numbers without exponents or trailing zeros, and with few enough digits for an exact JavaScript number. */
const writtenNumber = String.raw`0|-?(?:[1-9]\d{0,14}|(?:0|[1-9]\d{0,8})\.\d{0,4}[1-9])`;
/** Matches scalars other than null in the form in which they are printed. */
export const writtenScalarForm = `(?:${writtenString}|true|false|${writtenNumber})`;

export const nullOr = (form: Form): Form => form && `(?:null|${form})`;

/**
 * Returns the form of a list. It contains the form of an item only once, so that forms of nested lists do not grow
 * exponentially, and refuses a trailing comma.
 */
export const listForm = (item: Form): Form => item && String.raw`\[(?:${item}(?:,(?!\])|(?=\])))*\]`;

/**
 * Returns the form of an object.
 * @param members GraphQL names, which need no escaping, and the forms of the values
 */
export function objectForm(members: Iterable<readonly [name: string, form: Form]>): Form {
  const sources: string[] = [];
  let length = 0;
  for (const [name, form] of members) {
    if (form === undefined) return undefined;
    sources.push(`"${name}":${form}`);
    length += form.length;
    if (length > maxSourceLength) return undefined;
  }
  return String.raw`\{${sources.join(",")}\}`;
}

/** A plan's expression is compiled at this use, counted from 1. Compiling would not pay for rarely used plans. */
const compilingUse = 3;

interface Use {
  count: number;
  expression?: RegExp | undefined;
}

/** The canonical forms of plans' results, compiled for plans that are used often. */
export class CanonicalForms<Plan extends object> {
  readonly #formOf: (plan: Plan) => Form;
  readonly #uses = new WeakMap<Plan, Use>();

  constructor(formOf: (plan: Plan) => Form) {
    this.#formOf = formOf;
  }

  /** Counts a use of the plan, and returns true if its result has the canonical form. */
  matches(plan: Plan, text: string): boolean {
    if (text.length > maxMatchLength) return false;
    let use = this.#uses.get(plan);
    if (use === undefined) {
      use = { count: 0 };
      this.#uses.set(plan, use);
    }
    if (use.count < compilingUse && ++use.count === compilingUse) use.expression = expressionOf(this.#formOf(plan));
    return use.expression?.test(text) === true;
  }
}

/** Returns an expression that matches whole texts of a form. */
export function expressionOf(form: Form): RegExp | undefined {
  return form === undefined || form.length > maxSourceLength ? undefined : new RegExp(`^${form}$`);
}
