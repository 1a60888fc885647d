/** Builds the types of rows in a trigger's events, by operation. */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedColumn, AnalyzedEventTrigger, AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { operationsOf } from "../catalog/event-operations.ts";
import type { ColumnList } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { type JsonType, nullable } from "../dialects/json-type.ts";
import type { EventVariant } from "./payloads.ts";

const none: JsonType = { kind: "null" };

/**
 * Returns the operations of a trigger with the types of their rows.
 * @param stringify returns text types for numbers that JavaScript would round
 * @param declare declares the type of a row; called once if all operations have the same columns
 */
export function eventRows(
  table: AnalyzedTable,
  { trigger }: AnalyzedEventTrigger,
  source: AnalyzedSource,
  stringify: boolean,
  declare: (suffix: string, type: JsonType) => JsonType,
): readonly EventVariant[] {
  const operations = operationsOf(trigger);
  const shapes = operations.map(({ payload }) => rowType(table, payload, source, stringify));
  const isShared = new Set(shapes.map((shape) => JSON.stringify(shape))).size === 1;
  const shared = isShared && shapes[0] ? declare("Row", shapes[0]) : undefined;
  const dialect = dialectOf(source.source.kind);
  const variants = operations.map(({ operation }, i): EventVariant => {
    const row = shared ?? declare(`${suffixes[operation]}Row`, shapes[i] ?? none);
    const before = { INSERT: none, UPDATE: dialect.keepsOldRow ? row : nullable(row), DELETE: row };
    return { operation, old: before[operation], new: operation === "DELETE" ? none : row };
  });
  if (trigger.definition.enable_manual !== true) return variants;
  return [...variants, { operation: "MANUAL", old: none, new: { kind: "unknown" } }];
}

const suffixes = { INSERT: "Inserted", UPDATE: "Updated", DELETE: "Deleted" } as const;

function rowType(table: AnalyzedTable, payload: ColumnList, source: AnalyzedSource, stringify: boolean): JsonType {
  const columns = table.columns.filter(({ name }) => payload === "*" || payload.includes(name));
  const members = columns.map((column) => {
    const type = columnType(column, source, stringify);
    const { comment } = column.shape;
    return {
      name: column.name,
      type: column.shape.nullable ? nullable(type) : type,
      ...(comment && { comment }),
    };
  });
  return { kind: "object", members };
}

function columnType({ shape, enumTable }: AnalyzedColumn, source: AnalyzedSource, stringify: boolean): JsonType {
  const values = enumTable === undefined ? undefined : source.tables.get(enumTable)?.shape.enumValues;
  if (values !== undefined) return { kind: "enum", values: values.map(({ value }) => value) };
  return dialectOf(source.source.kind).recordedType(shape.type, source.shape, stringify);
}
