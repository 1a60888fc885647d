/**
 * Combinators of the metadata schemas: objects whose optional keys may be `null`, lists without duplicates, maps, and
 * choices that inspect the value first, because a union of objects reports useless errors. An issue has a complete
 * message, or the details from which `decode-error.ts` builds one.
 */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import { didYouMean } from "../../../runtime/values/nearest-name.ts";
import type { JsonObject } from "../model.ts";

/** Details of a custom issue, read by `decode-error.ts`. */
export interface IssueDetails {
  /** Expected JSON type, for the message "parsing `parsing` failed, expected `expected`, but encountered …". */
  readonly parsing?: string;
  readonly expected?: string;
  /** The issue is about the object that contains this list: its path ends one step earlier. */
  readonly atParent?: boolean;
  readonly hint?: string;
}

/** Names of zod's types in messages, and their JSON types. */
const jsonTypes: Readonly<Record<string, IssueDetails>> = {
  string: { parsing: "Text", expected: "String" },
  boolean: { parsing: "Bool", expected: "Boolean" },
  array: { parsing: "[]", expected: "Array" },
  object: { parsing: "Object", expected: "Object" },
};

export function issueDetails(issue: z.core.$ZodIssue): IssueDetails {
  if (issue.code === "invalid_type") return jsonTypes[issue.expected] ?? {};
  return issue.code === "custom" ? (issue.params ?? {}) : {};
}

type Shape = Readonly<Record<string, z.ZodType>>;

export interface ObjectDefinition<R extends Shape, O extends Shape, D extends Shape> {
  readonly required?: R;
  /** Absent and `null` keys are absent in the result. */
  readonly optional?: O;
  /** Schemas with a default, which absent and `null` keys get. */
  readonly defaulted?: D;
  /** Refuses unknown keys, with this type name in the message. By default unknown keys are dropped. */
  readonly closed?: string;
  /**
   * Meaning of the keys in Markdown, for the reference and the JSON Schemas. "Default: …." at the end documents a default
   * that other code applies.
   */
  readonly about?: Readonly<Partial<Record<Extract<keyof R | keyof O | keyof D, string>, string>>>;
}

/** Structure of a schema whose parser is a function, which zod cannot inspect. */
export type Form =
  | { readonly kind: "object"; readonly definition: ObjectDefinition<Shape, Shape, Shape> }
  | { readonly kind: "map"; readonly element: z.ZodType }
  | { readonly kind: "choice"; choices(): readonly z.ZodType[] }
  | { readonly kind: "strings"; readonly values: readonly string[] }
  | { readonly kind: "scalar"; readonly name: string };

/** Forms by the function inside the schema, which copies of the schema share. */
const forms = new WeakMap<object, Form>();

/** Returns the form of a schema, or `undefined` if zod can inspect it. */
export function formOf(schema: z.ZodType): Form | undefined {
  const { def } = schema._zod as z.core.$ZodType["_zod"] & { readonly def: { fn?: object; transform?: object } };
  const parser = def.transform ?? def.fn;
  return parser === undefined ? undefined : forms.get(parser);
}

type Required<R extends Shape> = { readonly [K in keyof R]: z.output<R[K]> };
type Optional<O extends Shape> = { readonly [K in keyof O]?: z.output<O[K]> };
type Flat<T> = { readonly [K in keyof T]: T[K] };

// biome-ignore lint/complexity/noBannedTypes: the neutral element of an intersection, for groups that are not given
type None = {};

/** Returns the schema of an object. The keys of the result are in the order required, defaulted, optional. */
export function object<R extends Shape = None, O extends Shape = None, D extends Shape = None>(
  definition: ObjectDefinition<R, O, D>,
): z.ZodType<Flat<Required<R> & Required<D> & Optional<O>>> {
  const optional = Object.entries(definition.optional ?? {});
  const known = new Set(
    [definition.required, definition.defaulted, definition.optional].flatMap((group) => Object.keys(group ?? {})),
  );
  const nullable = [...Object.keys(definition.defaulted ?? {}), ...optional.map(([key]) => key)];
  const inner = z.object({
    ...definition.required,
    ...definition.defaulted,
    ...Object.fromEntries(optional.map(([key, schema]) => [key, z.exactOptional(schema)])),
  });
  const prepare = (input: unknown, context: z.core.$RefinementCtx) => {
    if (!isObject(input)) return input;
    if (definition.closed !== undefined) {
      const unexpected = Object.keys(input).filter((key) => !known.has(key));
      if (unexpected.length > 0) context.issues.push(unexpectedKeys(definition.closed, unexpected, known, input));
    }
    return withoutNulls(input, nullable);
  };
  forms.set(prepare, { kind: "object", definition });
  const prepared = z.preprocess(prepare, inner);
  // zod cannot infer the type of a shape assembled from three groups.
  return prepared as unknown as z.ZodType<Flat<Required<R> & Required<D> & Optional<O>>>;
}

/**
 * Returns the schema of an object that the catalog keeps as JSON. All schemas of this folder return JSON, and so does
 * this one.
 */
export function jsonForm(definition: ObjectDefinition<Shape, Shape, Shape>): z.ZodType<JsonObject> {
  return object(definition) as z.ZodType<object> as z.ZodType<JsonObject>;
}

function unexpectedKeys(type: string, keys: readonly string[], known: Iterable<string>, input: unknown) {
  const message = `unexpected keys when parsing ${type}: ${JSON.stringify(keys)}`;
  return refusal(message, input, { hint: didYouMean(keys[0] ?? "", known) });
}

/** Returns the object without the keys that are `null`. Copies it only if there are any, which is rare. */
function withoutNulls(input: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown {
  if (!keys.some((key) => input[key] === null)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key, value]) => value !== null || !keys.includes(key)));
}

/** Returns true if the object has the key with a value other than `null`. */
export function has(value: unknown, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key) && value[key] !== null;
}

export function list<T>(element: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z.array(element);
}

export function nonEmptyList<T>(element: z.ZodType<T>, message = "parsing NonEmpty failed, unexpected empty list") {
  return list(element).refine((items) => items.length > 0, message);
}

/**
 * Returns the schema of a list in which no two elements have the same key; empty by default. Duplicates are reported
 * for the object that contains the list: `multiple declarations exist for the following <things>: a, b`.
 */
export function namedList<T>(things: string, element: z.ZodType<T>, key: (item: T) => string) {
  return namedRequiredList(things, element, key).default([]);
}

export function namedRequiredList<T>(things: string, element: z.ZodType<T>, key: (item: T) => string) {
  return list(element).superRefine((items, context) => {
    const repeated = duplicates(items.map(key));
    if (repeated.length === 0) return;
    const message = `multiple declarations exist for the following ${things}: ${repeated.join(", ")}`;
    context.addIssue({ code: "custom", message, params: { atParent: true } satisfies IssueDetails });
  });
}

/** Returns the repeated values, each once, in order of first occurrence. */
export function duplicates(values: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) repeated.add(value);
    else seen.add(value);
  }
  return [...repeated];
}

/** Returns the schema of an object used as a map: any keys, including `__proto__`, with values of one type. */
export function mapOf<T>(element: z.ZodType<T>): z.ZodType<Readonly<Record<string, T>>> {
  const parse = (input: unknown, context: z.core.$RefinementCtx): Readonly<Record<string, T>> => {
    if (!isObject(input)) {
      context.issues.push(refusal("", input, { parsing: "Object", expected: "Object" }));
      return z.NEVER;
    }
    const entries: [string, T][] = [];
    for (const [key, value] of Object.entries(input)) {
      const result = element.safeParse(value);
      if (result.success) entries.push([key, result.data]);
      else context.issues.push(...forwarded(result.error, input, key));
    }
    return Object.fromEntries(entries);
  };
  forms.set(parse, { kind: "map", element });
  return z.transform(parse);
}

/** Reason to refuse a value before a schema is chosen for it. */
export interface Refusal {
  readonly refused: string;
  /** Path inside the value; absent for the value itself. */
  readonly path?: readonly PropertyKey[];
  readonly details?: IssueDetails;
}

/**
 * Inspects the value, then parses it with the selected schema.
 * @param choices returns all schemas that `select` may return, for the reference
 */
export function choose<T>(
  choices: () => readonly z.ZodType[],
  select: (input: unknown) => z.ZodType<T> | Refusal,
): z.ZodType<T> {
  const parse = (input: unknown, context: z.core.$RefinementCtx): T => {
    const chosen = select(input);
    if ("refused" in chosen) {
      context.issues.push({ ...refusal(chosen.refused, input, chosen.details), path: [...(chosen.path ?? [])] });
      return z.NEVER;
    }
    const result = chosen.safeParse(input);
    if (result.success) return result.data;
    context.issues.push(...forwarded(result.error, input));
    return z.NEVER;
  };
  forms.set(parse, { kind: "choice", choices });
  return z.transform(parse);
}

function refusal(message: string, input: unknown, details: IssueDetails | { readonly hint: string | undefined } = {}) {
  return { code: "custom" as const, message, input, params: { ...details } };
}

/** Converts the issues of a nested `safeParse`. */
function forwarded(error: z.ZodError, input: unknown, ...prefix: readonly string[]) {
  return error.issues.map((issue) => ({
    ...refusal(issue.message, input, issueDetails(issue)),
    path: [...prefix, ...issue.path],
  }));
}

/** Returns the schema of one of several strings. The default message lists the expected strings. */
export function oneOf<const T extends string>(
  values: readonly T[],
  message: (given: string) => string = (given) => `expected ${alternatives(values)}, but encountered "${given}"`,
): z.ZodType<T> {
  const parse = (input: unknown, context: z.core.$RefinementCtx): T => {
    const found = values.find((value) => value === input);
    if (found !== undefined) return found;
    const details = typeof input === "string" ? { hint: didYouMean(input, values) } : textType;
    context.issues.push(refusal(typeof input === "string" ? message(input) : "", input, details));
    return z.NEVER;
  };
  forms.set(parse, { kind: "strings", values });
  return z.transform(parse);
}

const textType: IssueDetails = { parsing: "Text", expected: "String" };

/** Formats a list: `"a", "b" or "c"`. */
function alternatives(values: readonly string[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/**
 * Returns the schema of a value for which `is` holds. Refuses other values with "parsing <parsing> failed, expected
 * <expected>, …".
 */
export function typed<T>(parsing: string, expected: string, is: (value: unknown) => value is T): z.ZodType<T> {
  const accepts = (value: unknown): value is T => is(value);
  forms.set(accepts, { kind: "scalar", name: parsing });
  return z.custom<T>(accepts, { params: { parsing, expected } satisfies IssueDetails });
}
