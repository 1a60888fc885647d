/**
 * Tables with their fields but without permissions: what relationships, row filters and functions of any table of
 * the source can look at.
 */
import type { RemoteRelationship } from "../catalog/model.ts";
import type { AnalyzedColumn, AnalyzedComputedField, AnalyzedRelationship, AnalyzedTable } from "./analysis.ts";
import type { ObjectId } from "./object-id.ts";
import type { TableBase } from "./tables.ts";

export interface ColumnEntry {
  readonly id: ObjectId;
  readonly column: AnalyzedColumn;
  /** Its place in the table. */
  readonly index: number;
}

export interface Fields {
  /** By name, in order. */
  readonly relationships: ReadonlyMap<string, AnalyzedRelationship>;
  /** By name, in order. */
  readonly computedFields: ReadonlyMap<string, AnalyzedComputedField>;
  /** Those whose names are free, by name, in order. */
  readonly remoteRelationships: ReadonlyMap<string, RemoteRelationship>;
  /** Relationships that were given up because of what they depend on; who names one is given up the same way. */
  readonly dangling: ReadonlySet<string>;
  /** Of the relationships and computed fields, by `objectKey`. */
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

  /** By name; made when the first permission asks, since most tables of a change are not asked. */
  get columns(): ReadonlyMap<string, ColumnEntry> {
    this.#columns ??= columnEntries(this.base);
    return this.#columns;
  }

  /** Whether row filters and functions that look at this table see the same as before. */
  looksLike(previous: AnalyzedTable): boolean {
    return (
      this.base.shape === previous.shape &&
      this.base.columns === previous.columns &&
      this.relationships === previous.relationships &&
      this.computedFields === previous.computedFields
    );
  }
}

function columnEntries({ source, table, columns }: TableBase): ReadonlyMap<string, ColumnEntry> {
  return new Map(
    columns.map((column, index) => {
      const id: ObjectId = { kind: "column", source, table: table.table, column: column.name };
      return [column.name, { id, column, index }];
    }),
  );
}
