/**
 * What a handler answered → the JSON text of what the request selects of it, with what is read of tables beside
 * (`docs/actions.md`). The selection of each plan becomes functions once: they write the text in one walk.
 */
import type { OutputMember, OutputObject } from "../../model/planner/action-plan.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { quoted } from "../../values/quoted.ts";

type Value = Readonly<Record<string, unknown>>;

/** What was read for the objects of each place, in their order. */
export type BesideAnswer = ReadonlyMap<number, readonly unknown[]>;

/** The JSON text of a field's value. */
export function answerText(answer: unknown, output: OutputObject | null, beside: BesideAnswer): string {
  if (output === null) return stringifyJson(answer);
  let write = writers.get(output);
  if (write === undefined) {
    write = valueWriter(output);
    writers.set(output, write);
  }
  return write(answer, new Met(beside));
}

const writers = new WeakMap<OutputObject, Write>();

type Write = (value: unknown, met: Met) => string;

/** Counts the objects of each place while they are met. */
class Met {
  readonly #beside: BesideAnswer;
  readonly #counts = new Map<number, number>();

  constructor(beside: BesideAnswer) {
    this.#beside = beside;
  }

  /** What was read for the next object of a place. */
  next(place: number): Value {
    const index = this.#counts.get(place) ?? 0;
    this.#counts.set(place, index + 1);
    const found = this.#beside.get(place)?.[index];
    return isObject(found) ? found : nothing;
  }
}

const nothing: Value = {};

/** Of an object, or of lists of them. Null and scalars are passed on. */
function valueWriter(output: OutputObject): Write {
  const writeObject = objectWriter(output);
  const write: Write = (value, met) => {
    if (isObject(value)) return writeObject(value, met);
    if (!Array.isArray(value)) return stringifyJson(value);
    let text = "[";
    for (const item of value) text += text === "[" ? write(item, met) : `,${write(item, met)}`;
    return `${text}]`;
  };
  return write;
}

function objectWriter({ members, place }: OutputObject): (value: Value, met: Met) => string {
  // Keys are names of GraphQL, which have nothing to escape.
  const keys = members.map(({ key }, i) => `${i === 0 ? "" : ","}"${key}":`);
  const writes = members.map(memberWriter);
  return (value, met) => {
    const beside = place === undefined ? nothing : met.next(place);
    let text = "{";
    for (let i = 0; i < keys.length; i++) text += `${keys[i]}${writes[i]?.(value, met, beside)}`;
    return `${text}}`;
  };
}

type WriteMember = (value: Value, met: Met, beside: Value) => string;

function memberWriter(member: OutputMember): WriteMember {
  switch (member.kind) {
    case "constant": {
      const text = quoted(member.value);
      return () => text;
    }
    case "read": {
      const own = memberReader(member.key);
      return (_value, _met, beside) => scalarText(own(beside));
    }
    case "join": {
      const own = member.names.map(memberReader);
      return (value) => stringifyJson(keysOf(own.map((read) => read(value))));
    }
    case "member": {
      const own = memberReader(member.name);
      if (!member.object) return (value) => scalarText(own(value));
      const write = valueWriter(member.object);
      return (value, met) => write(own(value), met);
    }
  }
}

/** @returns the member of an object itself; `null` where it has none */
function memberReader(name: string): (value: Value) => unknown {
  if (name in Object.prototype) return (value) => (Object.hasOwn(value, name) ? value[name] : null);
  return (value) => value[name] ?? null;
}

/** As joins find them in the place of what they join; `null`: one of them is null. */
function keysOf(keys: readonly unknown[]): unknown {
  if (keys.includes(null)) return null;
  return keys.length === 1 ? keys[0] : Object.fromEntries(keys.map((key, i) => [`k${i + 1}`, key]));
}

/** Mostly of a scalar: those that need nothing else are written at once. */
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
