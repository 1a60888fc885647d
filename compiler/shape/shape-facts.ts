/**
 * Converts a shape to facts, which a sealed server uses to compare its database with the shape it was built for.
 * Database drivers return the same facts (`runtime/databases/sources/<kind>/facts.ts`).
 */
import type { DatabaseFact } from "../../runtime/values/database-fact.ts";
import type { ColumnShape, FunctionShape, Shape, TableShape } from "./shape.ts";

export function shapeFacts({ tables, functions }: Shape): readonly DatabaseFact[] {
  return [...tables.flatMap(tableFacts), ...functions.map(functionFact)];
}

function tableFacts(table: TableShape): readonly DatabaseFact[] {
  const {
    schema,
    name,
    kind,
    columns,
    primaryKey,
    uniqueKeys,
    uniqueIndexes = [],
    foreignKeys,
    enumValues = [],
  } = table;
  const object = [schema, name] as const;
  const keys = [...(primaryKey ? [["p", primaryKey] as const] : []), ...uniqueKeys.map((key) => ["u", key] as const)];
  return [
    { object, part: ["table"], value: kind },
    ...columns.map((column): DatabaseFact => ({ object, ...columnFact(column) })),
    ...keys.map(([type, key]): DatabaseFact => {
      return { object, part: ["key", key.name], value: `${type} ${key.columns.join(", ")}` };
    }),
    ...uniqueIndexes.map(({ name, columns, elements = columns, condition }): DatabaseFact => {
      const over = elements.length > columns.length ? [...columns, "expressions"] : columns;
      const rows = condition === undefined ? "" : " of some rows";
      return { object, part: ["unique index", name], value: `${over.join(", ")}${rows}` };
    }),
    ...foreignKeys.map(({ name, columns, foreignTable, foreignColumns }): DatabaseFact => {
      const target = `${foreignTable.schema}.${foreignTable.name} (${foreignColumns.join(", ")})`;
      return { object, part: ["foreign key", name], value: `${columns.join(", ")} → ${target}` };
    }),
    ...enumValues.map(({ value }): DatabaseFact => ({ object, part: ["value", value], value: "a value" })),
  ];
}

function functionFact(shape: FunctionShape): DatabaseFact {
  const { schema, name, arguments: inputs, returnsSet, returns, volatility, columns } = shape;
  const typeOf = ({ schema, name }: FunctionShape["returns"]): string => `${schema}.${name}`;
  const taken = inputs.map(({ name, type }) => (name === null ? typeOf(type) : `${name} ${typeOf(type)}`));
  const rows = columns
    ? `, rows of ${columns.map((column) => `${column.name} ${typeOf(column.type)}`).join(", ")}`
    : "";
  const defaults = inputs.filter(({ hasDefault }) => hasDefault).length;
  return {
    object: [schema, name],
    part: ["function", inputs.map(({ type }) => typeOf(type)).join(", ")],
    value: `(${taken.join(", ")}), ${defaults} optional, returns ${returnsSet ? "setof " : ""}${typeOf(returns)}, ${volatility}${rows}`,
  };
}

/** Describes a column. Whether a domain accepts NULL is a property of the domain. */
function columnFact({ name, type, nullable, hasDefault, identity, generated }: ColumnShape) {
  const presence = type.category === "domain" ? "" : nullable ? " null" : " not null";
  const filled = identity === null ? (generated ? " generated" : "") : ` identity ${identity}`;
  const isOptional = nullable || hasDefault || identity !== null || generated;
  return {
    part: ["column", name] as const,
    value: `${type.schema}.${type.name}${presence}${filled}`,
    ...(isOptional && { isOptional }),
  };
}
