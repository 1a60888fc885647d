import type { Dependency, ObjectId } from "./object-id.ts";
import type { SourceContext } from "./source-context.ts";
import type { ColumnEntry, TableFields, TablesByKey } from "./table-fields.ts";

export interface PredicateScope {
  readonly context: SourceContext;
  readonly tables: TablesByKey;
  /** Table of the permission, which `$` refers to; `null` in an expression about another source. */
  readonly root: TableFields | null;
  /** Table of the row that is tested. */
  readonly row: TableFields;
  readonly uses: Uses;
  readonly others: OtherSources;
}

/** Sources that relationships of row filters lead to. */
export interface OtherSources {
  /** Returns a source by name; `undefined` if there is none or it cannot be served. */
  named(name: string): OtherSource | undefined;
  /** Returns true if the source was changed, added or removed since the previous analysis. */
  hasChanged(name: string): boolean;
  anyHasChanged(besides: string): boolean;
}

export interface OtherSource {
  readonly context: SourceContext;
  readonly tables: TablesByKey;
}

// Collects the dependencies of an object while it is resolved.

type FieldKind = "object_relation" | "array_relation" | "computed_field" | "remote_relationship";

export class Uses {
  readonly #tables = new Set<TableFields>();
  /** Column → whether a static value depends on its type. */
  readonly #columns = new Map<ColumnEntry, boolean>();
  readonly #fields = new Map<string, ObjectId>();

  table(table: TableFields): void {
    this.#tables.add(table);
  }

  column(entry: ColumnEntry, onType = false): void {
    if (onType || !this.#columns.has(entry)) this.#columns.set(entry, onType);
  }

  field({ base }: TableFields, kind: FieldKind, name: string): void {
    const key = JSON.stringify([base.source, base.key, name]);
    if (!this.#fields.has(key)) {
      this.#fields.set(key, { kind, source: base.source, table: base.table.table, name });
    }
  }

  /** Returns the dependencies on tables, columns and other fields, each group in the order of first use. */
  dependenciesOf(object: ObjectId): readonly Dependency[] {
    const dependencies: Dependency[] = [];
    for (const { id } of this.#tables) dependencies.push({ object, on: id });
    for (const [{ id }, onType] of this.#columns) {
      dependencies.push(onType ? { object, on: id, onType } : { object, on: id });
    }
    for (const on of this.#fields.values()) dependencies.push({ object, on });
    return dependencies;
  }
}
