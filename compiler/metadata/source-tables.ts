/** Responses about the tables of a database, tracked or untracked, without partitions. Input: its shape; output: JSON. */

import type { Operator } from "../../runtime/model/definitions/operator.ts";
import type { ScalarType } from "../../runtime/model/definitions/scalar-type.ts";
import { columnOperatorNames } from "../2-analyze/comparisons.ts";
import { shapeProblems } from "../2-analyze/rules/functions.ts";
import type { Json, JsonObject, QualifiedName } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { ColumnShape, ForeignKeyShape, FunctionShape, Shape, TableShape, TypeRef } from "../shape/shape.ts";
import type { TableDetails } from "../shape/table-details.ts";
import { sameName } from "./edit.ts";

/** Lists tables, views and foreign tables by schema and name. Materialized views and partitions are left out. */
export function sourceTables({ tables }: Shape): Json {
  return tables.filter(({ kind, isPartition }) => kind !== "materialized_view" && isPartition !== true).map(nameJson);
}

/** Describes one table; `null` if it does not exist. */
export function tableInfo({ tables }: Shape, name: QualifiedName): Json {
  const table = tables.find((each) => sameName(each, name));
  return table === undefined ? null : infoOf(table);
}

/**
 * Describes a table with the values and operators of its columns, its indexes, constraints, view definition and the
 * number of its rows by the statistics of the database.
 */
export function tableDescription(table: TableShape, details: TableDetails, dialect: Dialect): Json {
  const { kind, comment, uniqueKeys } = table;
  const { indexes, constraints, viewDefinition, estimatedRows, enumValues } = details;
  return {
    ...infoOf(table),
    columns: table.columns.map((column) => {
      const values = Object.hasOwn(enumValues, column.name) ? enumValues[column.name] : undefined;
      return {
        ...columnJson(table, column),
        ...valuesJson(column.type, dialect),
        ...(values && { enum_values: values }),
      };
    }),
    kind,
    comment,
    unique_keys: Object.fromEntries(uniqueKeys.map(({ name, columns }) => [name, columns])),
    indexes: indexes.map((index) => ({ ...index })),
    constraints: constraints.map((constraint) => ({ ...constraint })),
    view_definition: viewDefinition,
    estimated_rows: estimatedRows,
  };
}

/** Lists relations of every kind except partitions, and functions with each overload separately, by schema and name. */
export function sourceDescription({ tables, functions }: Shape): Json {
  const count = new Map<string, number>();
  const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
  for (const each of functions) count.set(keyOf(each), (count.get(keyOf(each)) ?? 0) + 1);
  return {
    tables: tables.flatMap((table) => (table.isPartition ? [] : [{ ...nameJson(table), kind: table.kind }])),
    functions: functions.map((shape) => functionJson(shape, (count.get(keyOf(shape)) ?? 0) > 1)),
  };
}

/** Lists relations of every kind except partitions, with their columns and keys, by schema and name. */
export function tableOutlines({ tables }: Shape): Json {
  return tables.flatMap((table) => (table.isPartition ? [] : [outlineOf(table)]));
}

function outlineOf(table: TableShape): JsonObject {
  const { kind, columns, primaryKey, uniqueKeys, foreignKeys } = table;
  return {
    ...nameJson(table),
    kind,
    columns: columns.map(({ name, type, nullable }) => ({ name, type: type.sql, nullable })),
    primary_key: primaryKey?.columns ?? [],
    unique_keys: uniqueKeys.map(({ columns }) => columns),
    foreign_keys: foreignKeys.map((key) => ({ name: key.name, ...foreignKeyJson(key) })),
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

/** Returns the JSON form of a column's values, and the operators that row filters may use on it, by name. */
function valuesJson(type: TypeRef, dialect: Dialect): JsonObject {
  const scalar = dialect.scalarOf(dialect.scalarCall(type));
  const own = dialect.runtime.dialect
    .operators(scalar)
    .map((operator) => ({ name: operator.name, ...operandJson(operator) }));
  const withColumns = columnOperatorNames.map((name) => ({ name, operand: "column" }));
  // Row filters refuse columns of type `json`.
  const operators = scalar.graphql === "json" && scalar.element === undefined ? [] : [...own, ...withColumns];
  return { value: valueKind(scalar), operators };
}

function operandJson(operator: Operator): JsonObject {
  if (operator.kind === "flag") return { operand: "boolean" };
  if (operator.kind !== "compare") return { operand: "json" };
  const { operand, list } = operator;
  return list ? { operand: valueKind(operand.element ?? operand), list } : { operand: valueKind(operand) };
}

function valueKind(scalar: ScalarType): "number" | "boolean" | "json" | "text" {
  if (scalar.element !== undefined) return "text";
  if (scalar.json) return "json";
  if (scalar.graphql === "Boolean") return "boolean";
  return scalar.numeric ? "number" : "text";
}

function foreignKeyJson({ columns, foreignTable, foreignColumns }: ForeignKeyShape): JsonObject {
  return {
    foreign_table: nameJson(foreignTable),
    column_mapping: Object.fromEntries(columns.map((column, index) => [column, foreignColumns[index] ?? null])),
  };
}
