/** Answers about the tables of a database, tracked or not (`metadata-api.md` 2.1). Input: its Shape; output: JSON. */

import { shapeProblems } from "../2-analyze/rules/functions.ts";
import type { Json, JsonObject, QualifiedName } from "../catalog/model.ts";
import type { ColumnShape, ForeignKeyShape, FunctionShape, Shape, TableShape } from "../shape/shape.ts";
import type { TableDetails } from "../shape/table-details.ts";
import { sameName } from "./edit.ts";

/** Tables, views and foreign tables, by schema and name; neither materialized views nor partitions. */
export function sourceTables({ tables }: Shape): Json {
  return tables.filter(({ kind, isPartition }) => kind !== "materialized_view" && isPartition !== true).map(nameJson);
}

/** What is known of one table; `null` when there is none. */
export function tableInfo({ tables }: Shape, name: QualifiedName): Json {
  const table = tables.find((each) => sameName(each, name));
  return table === undefined ? null : infoOf(table);
}

/** The same with all that people want to know. */
export function tableDescription(table: TableShape, details: TableDetails): Json {
  const { kind, comment, uniqueKeys } = table;
  const { indexes, constraints, viewDefinition } = details;
  return {
    ...infoOf(table),
    kind,
    comment,
    unique_keys: Object.fromEntries(uniqueKeys.map(({ name, columns }) => [name, columns])),
    indexes: indexes.map((index) => ({ ...index })),
    constraints: constraints.map((constraint) => ({ ...constraint })),
    view_definition: viewDefinition,
  };
}

/** Relations of every kind but partitions, and functions, each overload by itself; by schema and name. */
export function sourceDescription({ tables, functions }: Shape): Json {
  const count = new Map<string, number>();
  const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
  for (const each of functions) count.set(keyOf(each), (count.get(keyOf(each)) ?? 0) + 1);
  return {
    tables: tables.flatMap((table) => (table.isPartition ? [] : [{ ...nameJson(table), kind: table.kind }])),
    functions: functions.map((shape) => functionJson(shape, (count.get(keyOf(shape)) ?? 0) > 1)),
  };
}

function functionJson(shape: FunctionShape, isOverloaded: boolean): JsonObject {
  const { volatility, comment, returns, returnsSet, returnsTable } = shape;
  const problems = [...(isOverloaded ? ["overloaded functions are not supported"] : []), ...shapeProblems(shape)];
  return {
    ...nameJson(shape),
    volatility,
    comment,
    arguments: shape.arguments.map(({ name, type, hasDefault, table }) => ({
      name,
      type: type.sql,
      has_default: hasDefault,
      table: table && nameJson(table),
    })),
    returns: { type: returns.sql, set: returnsSet, table: returnsTable && nameJson(returnsTable) },
    problems,
  };
}

function infoOf(table: TableShape): JsonObject {
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
