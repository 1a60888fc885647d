/** Answers about the tables of a database, tracked or not (`metadata-api.md` 2.1). Input: its Shape; output: JSON. */

import type { Json, JsonObject, QualifiedName } from "../catalog/model.ts";
import type { ColumnShape, ForeignKeyShape, Shape, TableShape } from "../shape/shape.ts";
import { sameName } from "./edit.ts";

/** Tables, views and foreign tables, by schema and name; neither materialized views nor partitions. */
export function sourceTables({ tables }: Shape): Json {
  return tables.filter(({ kind, isPartition }) => kind !== "materialized_view" && isPartition !== true).map(nameJson);
}

/** What is known of one table; `null` when there is none. */
export function tableInfo({ tables }: Shape, name: QualifiedName): Json {
  const table = tables.find((each) => sameName(each, name));
  if (table === undefined) return null;
  const { kind, columns, primaryKey, foreignKeys, insertable, updatable, deletable } = table;
  return {
    name: nameJson(table),
    type: kind === "view" || kind === "materialized_view" ? "view" : "table",
    columns: columns.map((column) => columnJson(table, column)),
    ...(primaryKey !== null && { primary_key: primaryKey.columns }),
    ...(foreignKeys.length > 0 && {
      foreign_keys: Object.fromEntries(foreignKeys.map((key) => [key.name, foreignKeyJson(key)])),
    }),
    insertable,
    updatable,
    deletable,
  };
}

function nameJson({ schema, name }: QualifiedName): JsonObject {
  return { name, schema };
}

function columnJson({ insertable, updatable }: TableShape, column: ColumnShape): JsonObject {
  const { name, type, nullable, comment, generated, identity, hasDefault } = column;
  const isWritable = !generated && identity !== "always";
  return {
    name,
    type: type.sql,
    nullable,
    insertable: insertable && isWritable,
    updatable: updatable && isWritable,
    ...(comment !== null && { description: comment }),
    ...(identity !== null && { value_generated: { type: "auto_increment" } }),
    ...(identity === null && (generated || hasDefault) && { value_generated: { type: "default_value" } }),
  };
}

function foreignKeyJson({ columns, foreignTable, foreignColumns }: ForeignKeyShape): JsonObject {
  return {
    foreign_table: nameJson(foreignTable),
    column_mapping: Object.fromEntries(columns.map((column, index) => [column, foreignColumns[index] ?? null])),
  };
}
