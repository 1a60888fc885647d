/** Stores source locations of objects, lists and members of metadata, separately from the plain JSON values. */

import type { Json } from "../../compiler/catalog/model.ts";
import { EngineError } from "../values/errors.ts";
import { numberAsWritten } from "../values/json-number.ts";

export interface SourceText {
  /** Path in messages. */
  readonly file: string;
  readonly text: string;
}

/** An offset into a file, in UTF-16 units. */
export interface Place {
  readonly source: SourceText;
  readonly offset: number;
}

/** Lines and columns start at 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function locationOf({ source, offset }: Place): Location {
  const before = source.text.slice(0, offset);
  const line = before.split("\n").length;
  return { file: source.file, line, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

/** Returns an error whose message begins with file, line and column. */
export function fileError(place: Place, message: string): EngineError {
  const { file, line, column } = locationOf(place);
  return new EngineError("parse-failed", "$", `${file}:${line}:${column}: ${message}`);
}

/** A problem that does not prevent reading other parts of the files. */
export interface FileWarning extends Location {
  readonly message: string;
}

export function fileWarning(place: Place, message: string): FileWarning {
  return { ...locationOf(place), message };
}

export function fileWarningText({ file, line, column, message }: FileWarning): string {
  return `${file}:${line}:${column}: warning: ${message}`;
}

interface Container {
  readonly place: Place | undefined;
  readonly members: ReadonlyMap<string, Place>;
}

/** A value and its start; merged values have no start. */
export interface Located {
  readonly value: Json;
  readonly place: Place | undefined;
}

/** Source positions of all objects and lists of a document. */
export class Locations {
  readonly #containers = new WeakMap<object, Container>();

  object(entries: readonly (readonly [key: string, member: Located])[], place?: Place): Json {
    const value = Object.fromEntries(entries.map(([key, member]) => [key, member.value]));
    return this.#remember(value, entries, place);
  }

  list(items: readonly Located[], place?: Place): Json {
    const entries = items.map((item, index): [string, Located] => [String(index), item]);
    return this.#remember(
      items.map(({ value }) => value),
      entries,
      place,
    );
  }

  #remember<T extends object>(value: T, entries: readonly (readonly [string, Located])[], place?: Place): T {
    const members = new Map<string, Place>();
    for (const [key, member] of entries) if (member.place !== undefined) members.set(key, member.place);
    this.#containers.set(value, { place, members });
    return value;
  }

  /** Returns a member with its source position. */
  member(holder: Json | undefined, key: string): Located | undefined {
    const value = childOf(holder, key);
    if (value === undefined) return undefined;
    return { value, place: this.placeOf(value) ?? this.#containerOf(holder)?.members.get(key) };
  }

  placeOf(value: Json): Place | undefined {
    return this.#containerOf(value)?.place;
  }

  #containerOf(value: Json | undefined): Container | undefined {
    return typeof value === "object" && value !== null ? this.#containers.get(value) : undefined;
  }

  /** Returns the location of a JSONPath, or of its nearest ancestor that has one. */
  find(root: Json, path: string): Location | undefined {
    const keys = keysOf(path);
    if (keys === undefined) return undefined;
    let current: Located = { value: root, place: this.placeOf(root) };
    for (const key of keys) {
      const next = this.member(current.value, key);
      if (next === undefined) break;
      current = { value: next.value, place: next.place ?? current.place };
    }
    return current.place === undefined ? undefined : locationOf(current.place);
  }
}

function childOf(holder: Json | undefined, key: string): Json | undefined {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return (holder as Readonly<Record<string, Json>>)[key];
}

/** Returns the keys of a path such as `$.sources[0]["a b"]`, or `undefined` for an invalid path. */
function keysOf(path: string): readonly string[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const step = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  step.lastIndex = 1;
  const keys: string[] = [];
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null) return undefined;
    const [, name, index, quoted] = match;
    keys.push(quoted === undefined ? (name ?? index ?? "") : String(JSON.parse(quoted)));
  }
  return keys;
}

/** Returns a number that keeps its text. */
export function jsonOfNumber(text: string): Json {
  // Code that passes JSON on supports JsonNumber, which the type Json does not include.
  return numberAsWritten(text) as unknown as Json;
}
