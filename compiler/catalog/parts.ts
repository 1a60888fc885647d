/**
 * Splits metadata into the parts in which it is stored: one for each table, one for each source without its tables, and
 * one for the document without its sources. The cost of storing a change depends on the size of the change, not on the
 * size of the metadata. Input: the catalogs before and after a change; output: the parts to write and to remove.
 */
import { invariant } from "../../runtime/values/errors.ts";
import { stringifyJson } from "../../runtime/values/json-number.ts";
import { writeSource, writeTable } from "./canonical/source.ts";
import { storeMetadata } from "./canonical.ts";
import { type Catalog, emptyCatalog } from "./catalog.ts";
import type { JsonObject, Source, Table } from "./model.ts";

/**
 * Position of a part in the document. Source and table names are never empty, so empty strings mark the other parts.
 */
export interface PartKey {
  /** Empty for the part outside sources. */
  readonly source: string;
  readonly schema: string;
  /** Table of the source; empty for the part with the source itself. */
  readonly name: string;
}

export interface MetadataPart extends PartKey {
  /** A table, a source without its `tables`, or the document without `sources`; in canonical form. */
  readonly value: JsonObject;
}

export interface PartChanges {
  readonly written: readonly MetadataPart[];
  readonly removed: readonly PartKey[];
}

export function partsOf(catalog: Catalog): readonly MetadataPart[] {
  const { written } = changedParts(emptyCatalog, { ...catalog, sources: [...catalog.sources] });
  return sameBut(emptyCatalog, catalog, "sources") ? [globalPart(catalog), ...written] : written;
}

/** Returns the parts to write and to remove. Identical objects are assumed unchanged. */
export function changedParts(before: Catalog, after: Catalog): PartChanges {
  const written: MetadataPart[] = [];
  const removed: PartKey[] = [];
  if (!sameBut(before, after, "sources")) written.push(globalPart(after));
  if (before.sources === after.sources) return { written, removed };
  const earlier = keyed(before.sources, ({ name }) => name);
  const later = keyed(after.sources, ({ name }) => name);
  for (const [name, source] of later) {
    const known = earlier.get(name);
    // Source kinds have different defaults, which the stored form leaves out.
    const sameKind = known?.kind === source.kind ? known : undefined;
    if (sameKind === undefined || !sameBut(sameKind, source, "tables")) written.push(sourcePart(source));
    const replaced = sameKind && replacedTables(sameKind.tables, source.tables);
    if (replaced) for (const { after } of replaced) written.push(tablePart(source, after));
    else changedTables(known, source, { isSameKind: sameKind !== undefined, written, removed });
  }
  for (const [name, source] of earlier) if (!later.has(name)) removed.push(sourceKey(name), ...tableKeys(source));
  return { written, removed };
}

/** A part before and after a change; `null` where it does not exist. */
export interface ComparedPart extends PartKey {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Returns the parts whose text differs, with sources and tables in the order of the texts of their names. */
export function comparedParts(before: Catalog, after: Catalog): readonly ComparedPart[] {
  const found = new Map<string, ComparedPart>();
  const add = (parts: readonly MetadataPart[], side: "before" | "after"): void => {
    for (const { value, ...key } of parts) {
      const name = [key.source, key.schema, key.name].join("\u0000");
      found.set(name, { before: null, after: null, ...found.get(name), ...key, [side]: value });
    }
  };
  add(changedParts(after, before).written, "before");
  add(changedParts(before, after).written, "after");
  return [...found]
    .filter(([, part]) => stringifyJson(part.before) !== stringifyJson(part.after))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, part]) => part);
}

/** Returns the position of a part in responses: a table, a source without its tables, or `null`s for the rest. */
export function partPosition({ source, schema, name }: PartKey): JsonObject {
  return { source: source === "" ? null : source, table: name === "" ? null : { schema, name } };
}

interface TableChanges {
  /** The source kind did not change, so unchanged tables need not be written. */
  readonly isSameKind: boolean;
  readonly written: MetadataPart[];
  readonly removed: PartKey[];
}

/** Compares tables by name, for lists with added, removed or reordered tables. */
function changedTables(
  before: Source | undefined,
  after: Source,
  { isSameKind, written, removed }: TableChanges,
): void {
  const known = keyed(before?.tables ?? [], tableName);
  const tables = keyed(after.tables, tableName);
  for (const [name, table] of tables) {
    if (!isSameKind || known.get(name) !== table) written.push(tablePart(after, table));
  }
  for (const [name, gone] of known) if (!tables.has(name)) removed.push(tableKey(after, gone));
}

function sourcePart(source: Source): MetadataPart {
  const { tables: _, ...value } = writeSource({ ...source, tables: [] });
  return { ...sourceKey(source.name), value };
}

function tablePart(source: Source, table: Table): MetadataPart {
  return { ...tableKey(source, table), value: writeTable(source.kind, table) };
}

function globalPart(catalog: Catalog): MetadataPart {
  const { sources: _, ...value } = storeMetadata({ ...catalog, sources: [] });
  return { source: "", schema: "", name: "", value };
}

function sourceKey(source: string): PartKey {
  return { source, schema: "", name: "" };
}

function tableKey({ name: source }: Source, { table: { schema, name } }: Table): PartKey {
  return { source, schema, name };
}

function tableKeys(source: Source): readonly PartKey[] {
  return source.tables.map((table) => tableKey(source, table));
}

function tableName({ table: { schema, name } }: Table): string {
  return `${schema}\u0000${name}`;
}

/** Indexes items by name. The metadata schema refuses duplicate names. */
function keyed<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T> {
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  invariant(byName.size === items.length, "two parts of the metadata share a name");
  return byName;
}

/** Returns true if both objects have identical members, except one. */
function sameBut<T extends object>(left: T, right: T, except: keyof T): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof T>;
  keys.delete(except);
  return [...keys].every((key) => left[key] === right[key]);
}

/** A table that a change of metadata replaced. */
export interface ReplacedTable {
  readonly before: Table;
  readonly after: Table;
}

/** Compares two lists by identity and position. Returns the replaced tables; `undefined` unless both lists name the same tables in the same order. */
export function replacedTables(
  before: readonly Table[],
  after: readonly Table[],
): readonly ReplacedTable[] | undefined {
  if (before.length !== after.length) return undefined;
  const replaced: ReplacedTable[] = [];
  for (let i = 0; i < after.length; i++) {
    const [known, table] = [before[i], after[i]];
    if (known === table || known === undefined || table === undefined) continue;
    if (known.table.name !== table.table.name || known.table.schema !== table.table.schema) return undefined;
    replaced.push({ before: known, after: table });
  }
  return replaced;
}
