/**
 * Parameters of statements. A plan contains slots, and each request binds its own values to them, so that statement
 * text depends only on the structure of a request.
 */
import { EngineError, pathTo } from "../../values/errors.ts";

/** Origin of a value in a request: the document, a variable or a part of one, or a literal that contains variables. */
export type ValueSource =
  | { readonly kind: "constant"; readonly value: unknown }
  /** A literal whose value other documents of the same plan may replace. */
  | { readonly kind: "literal"; readonly index: number }
  | {
      readonly kind: "variable";
      readonly name: string;
      /** Keys and indexes inside the variable's value; empty for the value itself. */
      readonly within: readonly (string | number)[];
    }
  | { readonly kind: "list"; readonly items: readonly ValueSource[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, ValueSource])[] };

/**
 * Converts a JSON value to the text that the database casts; throws `EngineError` at `path`. `literal` marks a value in
 * the document, for messages.
 */
export type Encode = (value: unknown, path: string, literal?: boolean) => string | null;

/** The function call or constant of this package that returns this `encode`. */
export interface EncoderCode {
  readonly name: string;
  /** Absent: a constant. */
  readonly arguments?: readonly (string | readonly string[] | Readonly<Record<string, string>> | EncoderCode)[];
}

/** Encodes values as text; `code` is its form in generated code. */
export interface Encoder {
  readonly encode: Encode;
  readonly code?: EncoderCode;
}

export type ParameterSlot =
  | {
      readonly kind: "value";
      /** Slots with equal keys always bind equal values, and share a parameter. */
      readonly key: string;
      readonly source: ValueSource;
      readonly encode: Encode;
      readonly code?: EncoderCode;
      readonly path: string;
    }
  /** Initial position of a stream; later positions replace it. */
  | {
      readonly kind: "cursor";
      readonly key: string;
      readonly source: ValueSource;
      readonly encode: Encode;
      readonly path: string;
    }
  /** A key column of the last row that a stream delivered; NULL initially. */
  | { readonly kind: "tie"; readonly key: string }
  /** A value of the upper bound of a stream, set when the statement is executed; NULL: no rows. */
  | { readonly kind: "bound"; readonly key: string }
  /** One column of the inserted rows, as a list. */
  | {
      readonly kind: "column";
      readonly key: string;
      readonly rows: InputRows;
      /** Key in the rows' objects; rows without it have NULL. */
      readonly name: string;
      readonly encode: Encode;
      readonly code?: EncoderCode;
      readonly list: (texts: readonly (string | null)[]) => string;
    }
  /** A result of an earlier statement of the same field. */
  | { readonly kind: "result"; readonly key: string; readonly step: number; readonly column: number }
  /** Values of rows written by earlier statements of the same field, as a list. */
  | {
      readonly kind: "copied";
      readonly key: string;
      readonly parts: readonly CopiedPart[];
      readonly texts: (list: string) => readonly (string | null)[];
      readonly list: (texts: readonly (string | null)[]) => string;
    }
  /** Keys that join rows of another source: all keys of one place of the statement, as a list. */
  | {
      readonly kind: "join_keys";
      readonly key: string;
      readonly place: number;
      /** Index in the key. */
      readonly column: number;
      readonly form: KeyForm;
      readonly list: (texts: readonly (string | null)[]) => string;
    }
  | CrossSourceSlot
  | { readonly kind: "session"; readonly key: string; readonly variable: string }
  /** All session variables as a JSON object. */
  | { readonly kind: "whole_session"; readonly key: string };

/** Values of rows in another source, as a list. They are read before the statement. */
export interface CrossSourceSlot {
  readonly kind: "crossSource";
  readonly key: string;
  readonly statement: CrossSourceStatement;
  readonly form: KeyForm;
  readonly list: (texts: readonly (string | null)[]) => string;
}

/** A statement with one row: a JSON list of objects with one value each (`cross-source-values.ts`). */
export interface CrossSourceStatement {
  readonly source: string;
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
}

/** Form of a key in the database: JSON, or a string without quotes. */
export type KeyForm = "json" | "text";

/** Inserted rows, whose number does not affect the plan. */
export interface InputRows {
  /** Unique among all rows of the same plan. */
  readonly key: string;
  readonly of: (variables: BindInput["variables"]) => readonly RowGroup[];
  /** The rows, if they are literals in the document. */
  readonly written?: readonly WrittenRow[];
  /** Position of the rows in a handler's response. */
  readonly fromHandler?: HandlerObjects;
}

export interface HandlerObjects {
  /** Index of the place in the response. */
  readonly place: number;
  /** Path of the field that returns the objects. */
  readonly path: string;
}

/** Rows from one place of a request. */
export interface RowGroup {
  readonly values: readonly Readonly<Record<string, unknown>>[];
  /** Returns the path of a row, for errors; computing all paths in advance is slower. */
  readonly pathOf: (index: number) => string;
  /** The rows are literals in the document. */
  readonly literal: boolean;
}

export interface WrittenRow {
  readonly members: readonly (readonly [name: string, source: ValueSource])[];
  readonly path: string;
  readonly literal: boolean;
}

/**
 * Returns rows that are literals in the document.
 * @param key unique among all rows of the plan
 */
export function writtenRows(key: string, written: readonly WrittenRow[]): InputRows {
  return {
    key,
    written,
    of: (variables) =>
      written.map(({ members, path, literal }) => {
        const values: Record<string, unknown> = Object.create(null);
        for (const [name, source] of members) values[name] = sourceValue(source, variables) ?? null;
        return { values: [values], pathOf: () => path, literal };
      }),
  };
}

/** Concatenates rows. */
export function joinInputRows(parts: readonly InputRows[]): InputRows {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const key = JSON.stringify(parts.map(({ key }) => key));
  const written = parts.flatMap((part) => part.written ?? []);
  if (parts.every((part) => part.written)) return writtenRows(key, written);
  return { key, of: (variables) => parts.flatMap((part) => part.of(variables)) };
}

/** Creates a slot for values of another source. */
export function crossSourceSlot(
  statement: CrossSourceStatement,
  form: KeyForm,
  list: CrossSourceSlot["list"],
): CrossSourceSlot {
  const { source, text, slots } = statement;
  const key = `crossSource ${JSON.stringify([source, text, form, slots.map((slot) => slot.key)])}`;
  return { kind: "crossSource", key, statement, form, list };
}

export function sessionSlot(variable: string): ParameterSlot {
  return { kind: "session", key: `session ${variable}`, variable };
}

export const wholeSessionSlot: ParameterSlot = { kind: "whole_session", key: "whole session" };

/** A value of an earlier row that is copied to other rows. */
export interface CopiedPart {
  /** The column that contains the list of values. */
  readonly step: number;
  readonly column: number;
  readonly index: number;
  /** The rows that receive the value. */
  readonly rows: InputRows;
}

export function copiedSlot(
  parts: readonly CopiedPart[],
  texts: Extract<ParameterSlot, { kind: "copied" }>["texts"],
  list: Extract<ParameterSlot, { kind: "copied" }>["list"],
): ParameterSlot {
  const key = `copied ${JSON.stringify(parts.map(({ rows, ...part }) => [part, rows.key]))}`;
  return { kind: "copied", key, parts, texts, list };
}

/** Creates a slot for a column of an earlier statement's only row. */
export function resultSlot({ step, column }: { readonly step: number; readonly column: number }): ParameterSlot {
  return { kind: "result", key: `result ${step} ${column}`, step, column };
}

/** Creates a slot for a column of the keys of a place. */
export function joinKeysSlot(
  place: number,
  column: number,
  form: KeyForm,
  list: Extract<ParameterSlot, { kind: "join_keys" }>["list"],
): ParameterSlot {
  const key = `join keys ${place} ${column}`;
  return { kind: "join_keys", key, place, column, form, list };
}

/**
 * Creates a slot for a value.
 * @param encoding identifies `encode`, so that equal uses of a value share one parameter
 */
export function valueSlot(source: ValueSource, encoder: Encoder, encoding: string, path: string): ParameterSlot {
  const { encode, code } = encoder;
  return {
    kind: "value",
    key: `value ${encoding} ${JSON.stringify(source)}`,
    source,
    encode,
    ...(code && { code }),
    path,
  };
}

/** Creates the slot of a stream's position. Its key is unique, because only this value changes while a stream runs. */
export function cursorSlot(source: ValueSource, encode: Encode, path: string): ParameterSlot {
  return { kind: "cursor", key: "cursor", source, encode, path };
}

/** @param index index of the column in the key */
export const tieSlot = (index: number): ParameterSlot => ({ kind: "tie", key: `tie ${index}` });

/** @param index 0 for the cursor column, then the columns of the key */
export const boundSlot = (index: number): ParameterSlot => ({ kind: "bound", key: `bound ${index}` });

export interface BindInput {
  /**
   * Variables by name. Without a prototype, or accessed only after `Object.hasOwn`, because names come from requests.
   * Literals that are not part of the plan are stored by index, which cannot be a variable name.
   */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: ReadonlyMap<string, string>;
  /** Rows of the preceding statements. */
  readonly results?: readonly (readonly (string | null)[])[];
  /** Values read from other sources, by slot key; absent if they are not supported. */
  readonly crossSourceValues?: Pick<ReadonlyMap<string, string>, "get"> | undefined;
  /** Join keys as JSON: for each place of the statement, the values of each key. */
  readonly joinKeys?: readonly (readonly (readonly string[])[])[];
}

/**
 * Returns the values of a statement's parameters for one request.
 * @throws EngineError `not-found` for a missing session variable, `not-supported` for values of other sources without
 *   `crossSourceValues`; errors of `encode` for an invalid value
 */
export function bind(slots: readonly ParameterSlot[], input: BindInput): (string | null)[] {
  const values: (string | null)[] = new Array(slots.length);
  for (let i = 0; i < slots.length; i++) values[i] = bindOne(slots[i] as ParameterSlot, input);
  return values;
}

function bindOne(slot: ParameterSlot, input: BindInput): string | null {
  switch (slot.kind) {
    case "value":
    case "cursor":
      return slot.encode(sourceValue(slot.source, input.variables), slot.path, slot.source.kind !== "variable");
    case "column":
      return slot.list(columnTexts(slot, input.variables));
    case "tie":
    case "bound":
      return null;
    case "result":
      return input.results?.[slot.step]?.[slot.column] ?? null;
    case "copied":
      return slot.list(copiedTexts(slot, input));
    case "join_keys":
      return slot.list(keyTexts(slot, input));
    case "crossSource":
      return crossSourceValue(slot, input);
    case "session":
      return sessionValue(slot.variable, input.session);
    case "whole_session":
      return sessionText(input.session);
  }
}

function copiedTexts(
  { parts, texts }: Extract<ParameterSlot, { kind: "copied" }>,
  { variables, results }: BindInput,
): (string | null)[] {
  const lists = new Map<string, readonly (string | null)[]>();
  const copied: (string | null)[] = [];
  for (const { step, column, index, rows } of parts) {
    const list = lists.get(`${step} ${column}`) ?? texts(results?.[step]?.[column] ?? "");
    lists.set(`${step} ${column}`, list);
    const value = list[index] ?? null;
    for (const { values } of rows.of(variables)) {
      for (const _ of values) copied.push(value);
    }
  }
  return copied;
}

function columnTexts(
  { rows, name, encode }: Extract<ParameterSlot, { kind: "column" }>,
  variables: BindInput["variables"],
): (string | null)[] {
  const texts: (string | null)[] = [];
  for (const { values, pathOf, literal } of rows.of(variables)) {
    for (const [i, row] of values.entries()) {
      const value = Object.hasOwn(row, name) ? row[name] : null;
      texts.push(encodeItem(encode, value, () => pathTo(pathOf(i), name), literal));
    }
  }
  return texts;
}

function keyTexts(
  { place, column, form }: Extract<ParameterSlot, { kind: "join_keys" }>,
  { joinKeys }: BindInput,
): string[] {
  const keys = (joinKeys?.[place] ?? []).map((values) => values[column] ?? "");
  return form === "json" ? keys : keys.map(unquoted);
}

/** Returns the text of a JSON value; strings without quotes. */
export const unquoted = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json);

/**
 * Returns the values of another source. Throws if they have not been read, so that no statement runs with an incomplete
 * filter.
 */
function crossSourceValue({ key }: CrossSourceSlot, { crossSourceValues }: BindInput): string {
  const values = crossSourceValues?.get(key);
  if (values !== undefined) return values;
  throw new EngineError("not-supported", "$", "row filters that use other sources are not supported in subscriptions");
}

/**
 * Encodes a value inside a list or a row. Its path is computed only after an error, because that is slower than
 * encoding.
 */
export function encodeItem(encode: Encode, value: unknown, path: () => string, literal?: boolean): string | null {
  try {
    return encode(value, "$", literal);
  } catch {
    return encode(value, path(), literal);
  }
}

/** Returns all session variables as a JSON object. */
export function sessionText(session: ReadonlyMap<string, string>): string {
  let members = "";
  for (const [name, value] of session) {
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return `{${members}}`;
}

function sessionValue(variable: string, session: ReadonlyMap<string, string>): string {
  const value = session.get(variable);
  if (value === undefined) {
    const fault = { kind: "missing_session_variable", variable } as const;
    throw new EngineError("not-found", "$", `missing session variable: "${variable}"`, { fault });
  }
  return value;
}

/** Returns the value of a source; `undefined` for a variable without a value. */
export function sourceValue(source: ValueSource, variables: Readonly<Record<string, unknown>>): unknown {
  switch (source.kind) {
    case "constant":
      return source.value;
    case "literal":
      return variables[source.index];
    case "list":
      return source.items.map((item) => sourceValue(item, variables) ?? null);
    case "object":
      return Object.fromEntries(source.members.map(([key, member]) => [key, sourceValue(member, variables)]));
    case "variable": {
      let value: unknown = variables[source.name];
      for (const key of source.within) {
        if (value === null || typeof value !== "object") return undefined;
        value = (value as Record<string | number, unknown>)[key];
      }
      return value;
    }
  }
}
