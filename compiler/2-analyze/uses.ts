/** What an object of a table needs, collected while it is resolved (`metadata-api.md` 2.5, 4.6). */
import type { Dependency } from "./dependency.ts";
import type { ObjectId } from "./object-id.ts";
import type { ColumnEntry, TableFields } from "./table-fields.ts";

type FieldKind = "object_relation" | "array_relation" | "computed_field" | "remote_relationship";

export class Uses {
  readonly #tables = new Set<TableFields>();
  /** Whether a static value is tied to the type of the column. */
  readonly #columns = new Map<ColumnEntry, boolean>();
  readonly #fields = new Map<string, ObjectId>();

  table(table: TableFields): void {
    this.#tables.add(table);
  }

  column(entry: ColumnEntry, onType = false): void {
    if (onType || !this.#columns.has(entry)) this.#columns.set(entry, onType);
  }

  /** A relationship or computed field. */
  field({ base }: TableFields, kind: FieldKind, name: string): void {
    const key = JSON.stringify([base.source, base.key, name]);
    if (!this.#fields.has(key)) {
      this.#fields.set(key, { kind, source: base.source, table: base.table.table, name });
    }
  }

  /** Tables, columns, and other fields, each in the order in which they were first used. */
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
