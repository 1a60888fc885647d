/**
 * Encodes the selected fields of a handler's response as JSON, with rows of related tables (`docs/how-to/actions.md`). The
 * selection of each plan is compiled once into functions that write the text in a single pass.
 */
import type { OutputMember, OutputObject } from "../../model/planner/action-plan.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { quoted } from "../../values/quoted.ts";

type Value = Readonly<Record<string, unknown>>;

/** Related rows by location, in the order of the objects. */
export type RelatedRows = ReadonlyMap<number, readonly unknown[]>;

export function outputText(value: unknown, output: OutputObject | null, related: RelatedRows): string {
  if (output === null) return stringifyJson(value);
  let write = writers.get(output);
  if (write === undefined) {
    write = valueWriter(output);
    writers.set(output, write);
  }
  return write(value, new RowCursor(related));
}

const writers = new WeakMap<OutputObject, Write>();

type Write = (value: unknown, rows: RowCursor) => string;

/** Assigns related rows to objects in the order in which they are visited. */
class RowCursor {
  readonly #related: RelatedRows;
  readonly #counts = new Map<number, number>();

  constructor(related: RelatedRows) {
    this.#related = related;
  }

  /** Returns the related row of the next object of a location. */
  next(place: number): Value {
    const index = this.#counts.get(place) ?? 0;
    this.#counts.set(place, index + 1);
    const found = this.#related.get(place)?.[index];
    return isObject(found) ? found : nothing;
  }
}

const nothing: Value = {};

/** Returns a writer for an object or nested lists of objects. The writer copies null and scalars unchanged. */
function valueWriter(output: OutputObject): Write {
  const writeObject = objectWriter(output);
  const write: Write = (value, rows) => {
    if (isObject(value)) return writeObject(value, rows);
    if (!Array.isArray(value)) return stringifyJson(value);
    let text = "[";
    for (const item of value) text += text === "[" ? write(item, rows) : `,${write(item, rows)}`;
    return `${text}]`;
  };
  return write;
}

function objectWriter({ members, place }: OutputObject): (value: Value, rows: RowCursor) => string {
  // Keys are GraphQL names, which need no escaping.
  const keys = members.map(({ key }, i) => `${i === 0 ? "" : ","}"${key}":`);
  const writes = members.map(memberWriter);
  return (value, rows) => {
    const related = place === undefined ? nothing : rows.next(place);
    let text = "{";
    for (let i = 0; i < keys.length; i++) text += `${keys[i]}${writes[i]?.(value, rows, related)}`;
    return `${text}}`;
  };
}

type WriteMember = (value: Value, rows: RowCursor, related: Value) => string;

function memberWriter(member: OutputMember): WriteMember {
  switch (member.kind) {
    case "constant": {
      const text = quoted(member.value);
      return () => text;
    }
    case "read": {
      const read = memberReader(member.key);
      return (_value, _rows, related) => scalarText(read(related));
    }
    case "join": {
      const readKeys = member.names.map(memberReader);
      return (value) => stringifyJson(keysOf(readKeys.map((read) => read(value))));
    }
    case "member": {
      const read = memberReader(member.name);
      if (!member.object) return (value) => scalarText(read(value));
      const write = valueWriter(member.object);
      return (value, rows) => write(read(value), rows);
    }
  }
}

/** Returns a function that reads an own member of an object, or returns `null` if it is missing. */
function memberReader(name: string): (value: Value) => unknown {
  if (name in Object.prototype) return (value) => (Object.hasOwn(value, name) ? value[name] : null);
  return (value) => value[name] ?? null;
}

/** Returns the join key in the form that joins expect; `null` if a part of it is null. */
function keysOf(keys: readonly unknown[]): unknown {
  if (keys.includes(null)) return null;
  return keys.length === 1 ? keys[0] : Object.fromEntries(keys.map((key, i) => [`k${i + 1}`, key]));
}

/** Returns the JSON text of a value, with a fast path for scalars. */
function scalarText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      return Number.isFinite(value) ? String(value) : "null";
    default:
      return value === null ? "null" : stringifyJson(value);
  }
}
