/**
 * Where the values of a statement come from. A plan holds slots; every request binds its own values to them, so
 * that statement text depends on the shape of a request only.
 */
import { EngineError, pathTo } from "../../values/errors.ts";

/** A value in a request: written in the document, (a part of) a variable, or a literal with variables inside. */
export type ValueSource =
  | { readonly kind: "constant"; readonly value: unknown }
  /** Written in the document, in a place where other documents of the same plan have other values. */
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
 * Turns a JSON value into the text that the database casts; throws `EngineError` at `path`. `literal` says that
 * the value was written in the document, which messages tell apart.
 */
export type Encode = (value: unknown, path: string, literal?: boolean) => string | null;

/** A call of a function of this package, or one of its constants, whose value has the `encode` in question. */
export interface EncoderCode {
  readonly name: string;
  /** Absent: a constant. */
  readonly arguments?: readonly (string | readonly string[] | Readonly<Record<string, string>> | EncoderCode)[];
}

/** What turns values into text, and how generated code writes it. */
export interface Encoder {
  readonly encode: Encode;
  readonly code?: EncoderCode;
}

export type ParameterSlot =
  | {
      readonly kind: "value";
      /** Slots with equal keys always bind equal values: one parameter serves them all. */
      readonly key: string;
      readonly source: ValueSource;
      readonly encode: Encode;
      readonly code?: EncoderCode;
      readonly path: string;
    }
  /** Where a stream begins; where it stands later takes its place. */
  | {
      readonly kind: "cursor";
      readonly key: string;
      readonly source: ValueSource;
      readonly encode: Encode;
      readonly path: string;
    }
  /** How far a stream may go for now; whoever runs the statement knows, NULL: nowhere. */
  | { readonly kind: "bound"; readonly key: string }
  /** One column of the rows that a statement inserts, as one list. */
  | {
      readonly kind: "column";
      readonly key: string;
      readonly rows: InputRows;
      /** The key in the rows' objects; rows without it have NULL. */
      readonly name: string;
      readonly encode: Encode;
      readonly code?: EncoderCode;
      readonly list: (texts: readonly (string | null)[]) => string;
    }
  /** What an earlier statement of the same field gave. */
  | { readonly kind: "result"; readonly key: string; readonly step: number; readonly column: number }
  /** Values of rows that earlier statements of the same field wrote, as one list. */
  | {
      readonly kind: "copied";
      readonly key: string;
      readonly parts: readonly CopiedPart[];
      readonly texts: (list: string) => readonly (string | null)[];
      readonly list: (texts: readonly (string | null)[]) => string;
    }
  /** Keys that rows of another source are found by: all those of one place of the statement, as one list. */
  | {
      readonly kind: "join_keys";
      readonly key: string;
      readonly place: number;
      /** Which of the keys. */
      readonly column: number;
      readonly form: KeyForm;
      readonly list: (texts: readonly (string | null)[]) => string;
    }
  | ElsewhereSlot
  | { readonly kind: "session"; readonly key: string; readonly variable: string }
  /** All session variables as one JSON object. */
  | { readonly kind: "whole_session"; readonly key: string };

/** Values that rows of another source have, as one list; they are read before. */
export interface ElsewhereSlot {
  readonly kind: "elsewhere";
  readonly key: string;
  readonly statement: ElsewhereStatement;
  readonly form: KeyForm;
  readonly list: (texts: readonly (string | null)[]) => string;
}

/** One row with a JSON list of objects, each of which holds a value (`values-elsewhere.ts`). */
export interface ElsewhereStatement {
  readonly source: string;
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
}

/** How a key reaches the database: as JSON, or a string without its quotes. */
export type KeyForm = "json" | "text";

/** Rows to insert, whose number a plan does not depend on. */
export interface InputRows {
  /** Differs from that of all other rows of the same plan. */
  readonly key: string;
  readonly of: (variables: BindInput["variables"]) => readonly RowGroup[];
  /** The rows, where the document writes them. */
  readonly written?: readonly WrittenRow[];
  /** Where they stand in what a handler answers. */
  readonly answered?: AnsweredRows;
}

export interface AnsweredRows {
  /** Which of the places of an answer. */
  readonly place: number;
  /** Of the field whose objects they are. */
  readonly path: string;
}

/** Rows that stand together in a request. */
export interface RowGroup {
  readonly values: readonly Readonly<Record<string, unknown>>[];
  /** Path of the row with this index: made when it is refused, which takes less time than making all of them. */
  readonly pathOf: (index: number) => string;
  /** They were written in the document. */
  readonly literal: boolean;
}

export interface WrittenRow {
  readonly members: readonly (readonly [name: string, source: ValueSource])[];
  readonly path: string;
  readonly literal: boolean;
}

/** Rows that the document writes; `key` differs from that of other rows of the plan. */
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

/** The rows of several, one after the other. */
export function joinInputRows(parts: readonly InputRows[]): InputRows {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const key = JSON.stringify(parts.map(({ key }) => key));
  const written = parts.flatMap((part) => part.written ?? []);
  if (parts.every((part) => part.written)) return writtenRows(key, written);
  return { key, of: (variables) => parts.flatMap((part) => part.of(variables)) };
}

/** A slot for values of another source. */
export function elsewhereSlot(
  statement: ElsewhereStatement,
  form: KeyForm,
  list: ElsewhereSlot["list"],
): ElsewhereSlot {
  const { source, text, slots } = statement;
  const key = `elsewhere ${JSON.stringify([source, text, form, slots.map((slot) => slot.key)])}`;
  return { kind: "elsewhere", key, statement, form, list };
}

export function sessionSlot(variable: string): ParameterSlot {
  return { kind: "session", key: `session ${variable}`, variable };
}

export const wholeSessionSlot: ParameterSlot = { kind: "whole_session", key: "whole session" };

/** A value of an earlier row, for rows that take it over. */
export interface CopiedPart {
  /** The column that holds the list of values. */
  readonly step: number;
  readonly column: number;
  readonly index: number;
  /** The rows that take it over. */
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

/** A slot for a column of an earlier statement's only row. */
export function resultSlot({ step, column }: { readonly step: number; readonly column: number }): ParameterSlot {
  return { kind: "result", key: `result ${step} ${column}`, step, column };
}

/** A slot for a column of the keys of a place of a statement. */
export function joinKeysSlot(
  place: number,
  column: number,
  form: KeyForm,
  list: Extract<ParameterSlot, { kind: "join_keys" }>["list"],
): ParameterSlot {
  const key = `join keys ${place} ${column}`;
  return { kind: "join_keys", key, place, column, form, list };
}

/** A slot for a value; `encoding` names what `encode` does, so that equal uses of a value share one parameter. */
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

/** A slot that no other use of the value shares: only the cursor moves. */
export function cursorSlot(source: ValueSource, encode: Encode, path: string): ParameterSlot {
  return { kind: "cursor", key: "cursor", source, encode, path };
}

export const boundSlot: ParameterSlot = { kind: "bound", key: "bound" };

export interface BindInput {
  /**
   * Without a prototype, or read with `Object.hasOwn` before: names come from requests. Literals that are not part of the
   * plan are here by their index, which no variable can be called.
   */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: ReadonlyMap<string, string>;
  /** Rows of the statements before this one. */
  readonly results?: readonly (readonly (string | null)[])[];
  /** Values that were read of other sources, by the keys of their slots; absent: none can be. */
  readonly elsewhere?: Pick<ReadonlyMap<string, string>, "get"> | undefined;
  /** Keys to join by, as JSON: of each place of the statement, several for each position. */
  readonly joinKeys?: readonly (readonly (readonly string[])[])[];
}

/**
 * The values of a statement's parameters for one request.
 * @throws EngineError `not-found` for a missing session variable, `not-supported` for values of other sources where nobody
 * read them; what `encode` throws for a bad value
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
    case "bound":
      return null;
    case "result":
      return input.results?.[slot.step]?.[slot.column] ?? null;
    case "copied":
      return slot.list(copiedTexts(slot, input));
    case "join_keys":
      return slot.list(keyTexts(slot, input));
    case "elsewhere":
      return elsewhereValue(slot, input);
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

/** The value of a JSON text as text: a string without its quotes. */
export const unquoted = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json);

/** Nothing runs with a filter that is not complete. */
function elsewhereValue({ key }: ElsewhereSlot, { elsewhere }: BindInput): string {
  const values = elsewhere?.get(key);
  if (values !== undefined) return values;
  throw new EngineError(
    "not-supported",
    "$",
    "permissions that look at other sources are not supported in subscriptions",
  );
}

/** A value inside a list or a row. Its path is made when it is refused: making it takes longer than encoding it. */
export function encodeItem(encode: Encode, value: unknown, path: () => string, literal?: boolean): string | null {
  try {
    return encode(value, "$", literal);
  } catch {
    return encode(value, path(), literal);
  }
}

/** All session variables as one JSON object. */
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

/** The value a source stands for; `undefined` where a variable has none. */
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
