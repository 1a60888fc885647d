/**
 * Metadata in parts, as it is stored: one for each table, one for the rest of each source, one for everything else, so
 * that storing a change costs what the change is large, not what the metadata is. Input: the catalogs before and after
 * a change; output: the parts to write and to remove.
 */
import { invariant } from "../../runtime/support/errors.ts";
import { writeSource, writeTable } from "./canonical/source.ts";
import { storeMetadata } from "./canonical.ts";
import { type Catalog, emptyCatalog, type JsonObject, type Source, type Table } from "./model.ts";

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
    changedSource(known?.kind === source.kind ? known : undefined, source, written);
    for (const gone of known === undefined ? [] : tableKeys(known)) {
      if (!tablesOf(source).has(keyOf(gone))) removed.push(gone);
    }
  }
  for (const [name, source] of earlier) if (!later.has(name)) removed.push(sourceKey(name), ...tableKeys(source));
  return { written, removed };
}

function changedSource(before: Source | undefined, after: Source, written: MetadataPart[]): void {
  if (before === undefined || !sameBut(before, after, "tables")) {
    const { tables: _, ...value } = writeSource({ ...after, tables: [] });
    written.push({ ...sourceKey(after.name), value });
  }
  if (before?.tables === after.tables) return;
  const known: ReadonlyMap<string, Table> = before === undefined ? new Map() : tablesOf(before);
  for (const [key, table] of tablesOf(after)) {
    if (known.get(key) !== table) written.push({ ...tableKey(after, table), value: writeTable(after.kind, table) });
  }
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

function keyOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${schema}\u0000${name}`;
}

const tablesBySource = new WeakMap<Source, ReadonlyMap<string, Table>>();

function tablesOf(source: Source): ReadonlyMap<string, Table> {
  let tables = tablesBySource.get(source);
  if (tables === undefined) {
    tables = keyed(source.tables, ({ table }) => keyOf(table));
    tablesBySource.set(source, tables);
  }
  return tables;
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
