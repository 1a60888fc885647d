/**
 * Metadata in parts, as it is stored: one for each table, one for the rest of each source, one for everything else, so
 * that storing a change costs what the change is large, not what the metadata is. Input: the catalogs before and after
 * a change; output: the parts to write and to remove.
 */
import { invariant } from "../../runtime/values/errors.ts";
import { writeSource, writeTable } from "./canonical/source.ts";
import { storeMetadata } from "./canonical.ts";
import { type Catalog, emptyCatalog } from "./catalog.ts";
import type { JsonObject, Source, Table } from "./model.ts";
import { replacedTables } from "./replaced-tables.ts";

/** Where a part stands in the document. Sources and tables have names, so what has none is empty. */
export interface PartKey {
  /** Empty: what belongs to no source. */
  readonly source: string;
  readonly schema: string;
  /** A table of the source; empty: the source itself. */
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

/** Every part of a catalog. */
export function partsOf(catalog: Catalog): readonly MetadataPart[] {
  const { written } = changedParts(emptyCatalog, { ...catalog, sources: [...catalog.sources] });
  return sameBut(emptyCatalog, catalog, "sources") ? [globalPart(catalog), ...written] : written;
}

/** What makes the parts of `before` those of `after`. What is the same object in both is taken to be the same. */
export function changedParts(before: Catalog, after: Catalog): PartChanges {
  const written: MetadataPart[] = [];
  const removed: PartKey[] = [];
  if (!sameBut(before, after, "sources")) written.push(globalPart(after));
  if (before.sources === after.sources) return { written, removed };
  const earlier = keyed(before.sources, ({ name }) => name);
  const later = keyed(after.sources, ({ name }) => name);
  for (const [name, source] of later) {
    const known = earlier.get(name);
    // Another kind of database has other defaults, which are left out.
    const alike = known?.kind === source.kind ? known : undefined;
    if (alike === undefined || !sameBut(alike, source, "tables")) written.push(sourcePart(source));
    const replaced = alike && replacedTables(alike.tables, source.tables);
    if (replaced) for (const { after } of replaced) written.push(tablePart(source, after));
    else changedTables(known, source, { isAlike: alike !== undefined, written, removed });
  }
  for (const [name, source] of earlier) if (!later.has(name)) removed.push(sourceKey(name), ...tableKeys(source));
  return { written, removed };
}

interface TableChanges {
  /** An unchanged table is stored as it was. */
  readonly isAlike: boolean;
  readonly written: MetadataPart[];
  readonly removed: PartKey[];
}

/** Where tables came or went, or stand in another order. */
function changedTables(before: Source | undefined, after: Source, { isAlike, written, removed }: TableChanges): void {
  const known = keyed(before?.tables ?? [], tableName);
  const tables = keyed(after.tables, tableName);
  for (const [name, table] of tables) {
    if (!isAlike || known.get(name) !== table) written.push(tablePart(after, table));
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

/** By name; the form of metadata refuses names that occur twice. */
function keyed<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T> {
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  invariant(byName.size === items.length, "two parts of the metadata have one name");
  return byName;
}

/** Whether both have the same members, leaving one out. */
function sameBut<T extends object>(left: T, right: T, except: keyof T): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof T>;
  keys.delete(except);
  return [...keys].every((key) => left[key] === right[key]);
}
