/**
 * Compares two exported metadata documents: as unified diffs of their parts, which are the files of a metadata
 * directory, or as a list of changes.
 */

import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { fileNames, qualifiedFile } from "../metadata-directory/file-names.ts";
import type { Format } from "../project/choices.ts";
import { formatted, printable } from "../project/output.ts";
import { unifiedHunks } from "./unified-diff.ts";

// ---------------------------------------------------------------- unified

export interface Side {
  readonly name: string;
  readonly document: JsonObject;
}

/** Returns the lines of the diff; empty for equal documents. */
export function unifiedDiff(before: Side, after: Side, format: Format): readonly string[] {
  const partsBefore = partsOf(before.document);
  const partsAfter = partsOf(after.document);
  const labels = [...new Set([...partsBefore.keys(), ...partsAfter.keys()])].sort();
  return labels.flatMap((label) => {
    const [from, to] = [partsBefore.get(label), partsAfter.get(label)];
    // Most parts are equal, and comparing them is faster than printing them.
    if (canonicalJson(from) === canonicalJson(to)) return [];
    const textOf = (part: Json | undefined) => (part === undefined ? "" : formatted(part, format));
    const hunks = unifiedHunks(textOf(from), textOf(to));
    if (hunks.length === 0) return [];
    const file = (side: Side, part: Json | undefined) =>
      part === undefined ? "/dev/null" : printable(`${side.name}/${label}.${format}`);
    return [`--- ${file(before, from)}`, `+++ ${file(after, to)}`, ...hunks];
  });
}

/** Splits a document into tables, functions, the other members of each source, and the other sections. */
function partsOf({ sources, ...sections }: JsonObject): ReadonlyMap<string, Json> {
  const parts = new Map<string, Json>();
  const add = (label: string, part: Json) => {
    // Duplicate names are inconsistent, but both are shown.
    let unique = label;
    for (let number = 2; parts.has(unique); number++) unique = `${label}#${number}`;
    parts.set(unique, part);
  };
  for (const [key, section] of Object.entries(sections)) add(key, section);
  for (const { tables, functions, ...source } of objects(sources)) {
    const folder = `databases/${String(source.name)}`;
    add(folder, source);
    for (const table of objects(tables)) add(`${folder}/tables/${fileOf(table.table)}`, table);
    for (const tracked of objects(functions)) add(`${folder}/functions/${fileOf(tracked.function)}`, tracked);
  }
  return parts;
}

/** Returns the file name of a table or function in a metadata directory. */
function fileOf(name: Json | undefined): string {
  const [file = ""] = fileNames([qualifiedFile(name)]);
  return file;
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject<Json>) : [];
}

// ---------------------------------------------------------------- changes

/** A difference at a path. `before` or `after` is absent if that side has no value. */
export type Change = { readonly path: string; readonly before?: Json; readonly after?: Json };

/**
 * Returns the differences of two values. Matches list elements by name, if they have names, and uses the names in
 * paths.
 */
export function changes(before: Json, after: Json, path = "$"): readonly Change[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const [left, right] = [membersOf(before), membersOf(after)];
  if (left === undefined || right === undefined || left.kind !== right.kind || isReordered(left, right)) {
    return [{ path, before, after }];
  }
  const keys = new Set([...left.members.keys(), ...right.members.keys()]);
  return [...keys].flatMap((key): readonly Change[] => {
    const [from, to] = [left.members.get(key), right.members.get(key)];
    const inner = pathTo(path, key);
    if (from !== undefined && to !== undefined) return changes(from, to, inner);
    return [{ path: inner, ...(from !== undefined && { before: from }), ...(to !== undefined && { after: to }) }];
  });
}

interface Members {
  readonly kind: "object" | "list";
  readonly members: ReadonlyMap<string, Json>;
}

/** Returns `undefined` for values that are compared as a whole. */
function membersOf(value: Json): Members | undefined {
  if (isObject(value)) return { kind: "object", members: new Map(Object.entries(value)) };
  if (!Array.isArray(value)) return undefined;
  const members = new Map<string, Json>();
  for (const item of value) {
    const name = isObject<Json>(item) ? identity(item) : undefined;
    if (name === undefined || members.has(name)) return undefined;
    members.set(name, item);
  }
  return { kind: "list", members };
}

/** Returns true if the common elements of two lists differ in order. */
function isReordered(left: Members, right: Members): boolean {
  if (left.kind === "object") return false;
  const common = (one: Members, other: Members) => [...one.members.keys()].filter((key) => other.members.has(key));
  const order = common(right, left);
  return common(left, right).some((key, index) => key !== order[index]);
}

const identifyingKeys = ["name", "table", "function", "role", "role_name", "collection"] as const;

function identity(item: JsonObject): string | undefined {
  const key = identifyingKeys.find((key) => item[key] !== undefined);
  return key === undefined ? undefined : nameText(item[key]);
}

/** Returns `schema.name` of a table or function, or any other name unchanged. */
function nameText(name: Json | undefined): string {
  return isObject(name) ? `${String(name.schema)}.${String(name.name)}` : String(name);
}
