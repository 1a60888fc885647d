/**
 * Tables with their fields but without permissions: the input of relationships, row filters and functions of all tables
 * in the source.
 */
import type { RemoteRelationship } from "../catalog/model.ts";
import type { AnalyzedColumn, AnalyzedComputedField, AnalyzedRelationship, AnalyzedTable } from "./analyzed-table.ts";
import type { ObjectId } from "./object-id.ts";
import type { NamedTables, TableBase } from "./tables.ts";

export interface ColumnEntry {
  readonly id: ObjectId;
  readonly column: AnalyzedColumn;
  /** Index in the table's columns. */
  readonly index: number;
}

export interface Fields {
  /** By name, sorted. */
  readonly relationships: ReadonlyMap<string, AnalyzedRelationship>;
  /** By name, sorted. */
  readonly computedFields: ReadonlyMap<string, AnalyzedComputedField>;
  /** Remote relationships without name clashes, by name, sorted. */
  readonly remoteRelationships: ReadonlyMap<string, RemoteRelationship>;
  /**
   * Relationships that are inconsistent because of a dependency. Objects that name such a relationship are inconsistent
   * for the same reason.
   */
  readonly dangling: ReadonlySet<string>;
  /** Dependencies of the relationships and computed fields, by `objectKey`. */
  readonly dependencies: () => AnalyzedTable["dependencies"];
}

export class TableFields implements Fields {
  readonly base: TableBase;
  readonly relationships: Fields["relationships"];
  readonly computedFields: Fields["computedFields"];
  readonly remoteRelationships: Fields["remoteRelationships"];
  readonly dangling: Fields["dangling"];
  readonly dependencies: Fields["dependencies"];
  readonly id: ObjectId;
  #columns: ReadonlyMap<string, ColumnEntry> | undefined;

  constructor(base: TableBase, fields: Fields) {
    this.base = base;
    this.relationships = fields.relationships;
    this.computedFields = fields.computedFields;
    this.remoteRelationships = fields.remoteRelationships;
    this.dangling = fields.dangling;
    this.dependencies = fields.dependencies;
    this.id = { kind: "table", source: base.source, table: base.table.table };
  }

  /** By name. Built on first use, because most tables of a change need no columns. */
  get columns(): ReadonlyMap<string, ColumnEntry> {
    this.#columns ??= columnEntries(this.base);
    return this.#columns;
  }

  /** Returns true if row filters and functions that use this table need not be bound again. */
  isEquivalentTo(previous: AnalyzedTable): boolean {
    return (
      this.base.shape === previous.shape &&
      this.base.columns === previous.columns &&
      this.relationships === previous.relationships &&
      this.remoteRelationships === previous.remoteRelationships &&
      this.computedFields === previous.computedFields
    );
  }
}

export interface TablesByKey {
  get(key: string): TableFields | undefined;
  values(): Iterable<TableFields>;
}

/** The tables of an analysed source, some of them with new fields. */
export class KnownFields implements TablesByKey {
  readonly #tables: NamedTables<AnalyzedTable>;
  readonly #others: ReadonlyMap<string, TableFields>;

  constructor(tables: NamedTables<AnalyzedTable>, others: ReadonlyMap<string, TableFields>) {
    this.#tables = tables;
    this.#others = others;
  }

  get(key: string): TableFields | undefined {
    const other = this.#others.get(key);
    if (other !== undefined) return other;
    const table = this.#tables.get(key);
    return table && fieldsOf(table);
  }

  *values(): Iterable<TableFields> {
    for (const table of this.#tables.values()) yield this.#others.get(table.key) ?? fieldsOf(table);
    for (const [key, other] of this.#others) if (!this.#tables.has(key)) yield other;
  }
}

const known = new WeakMap<AnalyzedTable, TableFields>();

export function fieldsOf(table: AnalyzedTable): TableFields {
  let fields = known.get(table);
  if (fields === undefined) {
    const { relationships, computedFields, remoteRelationships, dangling } = table;
    const dependencies = () => fieldDependencies(table);
    fields = new TableFields(table, {
      relationships,
      computedFields,
      remoteRelationships,
      dangling: new Set(dangling),
      dependencies,
    });
    known.set(table, fields);
  }
  return fields;
}

/** Returns the dependencies of relationships and computed fields. */
export function fieldDependencies({ dependencies }: AnalyzedTable): AnalyzedTable["dependencies"] {
  return new Map([...dependencies].filter(([, [first]]) => first !== undefined && isField(first.object)));
}

function isField({ kind }: ObjectId): boolean {
  return kind === "object_relation" || kind === "array_relation" || kind === "computed_field";
}

function columnEntries({ source, table, columns }: TableBase): ReadonlyMap<string, ColumnEntry> {
  return new Map(
    columns.map((column, index) => {
      const id: ObjectId = { kind: "column", source, table: table.table, column: column.name };
      return [column.name, { id, column, index }];
    }),
  );
}
