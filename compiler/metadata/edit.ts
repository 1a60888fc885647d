/**
 * Immutable edits of a catalog. Unchanged parts are shared with the original by identity, because analysis compares
 * objects by identity to find changes.
 */

import type { Catalog } from "../catalog/catalog.ts";
import type { InlineModel, LogicalModel, QualifiedName, Source, Table } from "../catalog/model.ts";

/** Returns the list with each matching item changed, or the same list if nothing changed. */
export function mapWhere<T>(items: readonly T[], matches: (item: T) => boolean, to: (item: T) => T): readonly T[] {
  let changed = false;
  const result = items.map((item) => {
    if (!matches(item)) return item;
    const next = to(item);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? result : items;
}

/** Returns the list without the matching items, or the same list if none matches. */
export function without<T>(items: readonly T[], matches: (item: T) => boolean): readonly T[] {
  return items.some(matches) ? items.filter((item) => !matches(item)) : items;
}

/** Returns the list with the matching item replaced by `item`, or with `item` appended if none matches. */
export function put<T>(items: readonly T[], item: T, matches: (item: T) => boolean): readonly T[] {
  return items.some(matches) ? mapWhere(items, matches, () => item) : [...items, item];
}

/** Returns the object with one property changed, or the same object if the value is the same. */
export function set<T extends object, K extends keyof T>(owner: T, key: K, value: T[K]): T {
  return owner[key] === value ? owner : { ...owner, [key]: value };
}

export function sameName(left: QualifiedName, right: QualifiedName): boolean {
  return left.name === right.name && left.schema === right.schema;
}

export function changeSource(catalog: Catalog, name: string, to: (source: Source) => Source): Catalog {
  return set(
    catalog,
    "sources",
    mapWhere(catalog.sources, (source) => source.name === name, to),
  );
}

export function changeTable(
  catalog: Catalog,
  source: string,
  table: QualifiedName,
  to: (table: Table) => Table,
): Catalog {
  return changeSource(catalog, source, (owner) => set(owner, "tables", withChanged(owner.tables, table, to)));
}

type Positions = ReadonlyMap<string, number>;

/** Index of each table in a list of tables, by list. */
const positions = new WeakMap<readonly Table[], Positions>();

function positionsOf(tables: readonly Table[]): Positions {
  let known = positions.get(tables);
  if (known === undefined) {
    known = new Map(tables.map(({ table }, position) => [keyOf(table), position]));
    positions.set(tables, known);
  }
  return known;
}

/** Finds a table by name in constant time: a source may have thousands. */
export function tableNamed(tables: readonly Table[], name: QualifiedName): Table | undefined {
  return tables[positionsOf(tables).get(keyOf(name)) ?? -1];
}

function withChanged(tables: readonly Table[], name: QualifiedName, to: (table: Table) => Table): readonly Table[] {
  const known = positionsOf(tables);
  const position = known.get(keyOf(name)) ?? -1;
  const table = tables[position];
  const next = table && to(table);
  if (next === undefined || next === table) return tables;
  const changed = tables.with(position, next);
  // The names and their order did not change.
  if (next.table === table?.table) positions.set(changed, known);
  return changed;
}

function keyOf({ schema, name }: QualifiedName): string {
  return `${schema}\u0000${name}`;
}

/** Identifies a logical model, or the inline model of a native query. */
export interface ModelName {
  readonly of: "logical_model" | "native_query";
  readonly name: string;
}

export function changeModel(
  source: Source,
  { of, name }: ModelName,
  to: <M extends InlineModel>(model: M) => M,
): Source {
  if (of === "logical_model") {
    const models = mapWhere<LogicalModel>(source.logical_models, (model) => model.name === name, to);
    return set(source, "logical_models", models);
  }
  const queries = mapWhere(
    source.native_queries,
    ({ root_field_name }) => root_field_name === name,
    (query) => (typeof query.returns === "string" ? query : set(query, "returns", to(query.returns))),
  );
  return set(source, "native_queries", queries);
}
