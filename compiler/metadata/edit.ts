/**
 * Immutable edits of a Catalog. Input: a catalog and what is to be different; output: a catalog that shares with the
 * first everything that is not, by identity, because analysis only looks again at what is another object.
 */

import type { Catalog } from "../catalog/catalog.ts";
import type { InlineModel, LogicalModel, QualifiedName, Source, Table } from "../catalog/model.ts";

/** The list with each matching item changed; the same list when no item became another one. */
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

/** The list without the matching items; the same list when none matches. */
export function without<T>(items: readonly T[], matches: (item: T) => boolean): readonly T[] {
  return items.some(matches) ? items.filter((item) => !matches(item)) : items;
}

/** The list with `item` in the place of the one that matches, or at its end when none does. */
export function put<T>(items: readonly T[], item: T, matches: (item: T) => boolean): readonly T[] {
  return items.some(matches) ? mapWhere(items, matches, () => item) : [...items, item];
}

/** The object with one property changed; the same object when the value is the same. */
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

/** Where the tables of a list stand. */
const positions = new WeakMap<readonly Table[], Positions>();

function positionsOf(tables: readonly Table[]): Positions {
  let known = positions.get(tables);
  if (known === undefined) {
    known = new Map(tables.map(({ table }, position) => [keyOf(table), position]));
    positions.set(tables, known);
  }
  return known;
}

/** A table of a list, without a walk through all of them, of which there may be thousands. */
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
  // The same names in the same places.
  if (next.table === table?.table) positions.set(changed, known);
  return changed;
}

function keyOf({ schema, name }: QualifiedName): string {
  return `${schema}\u0000${name}`;
}

/** Which model: a logical model, or that of one native query. */
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
