/**
 * A Shape as facts, the form in which a sealed server compares its database with the Shape it was built for. Drivers
 * answer the same facts of a database (`runtime/sources/<kind>/facts.ts`).
 */
import type { DatabaseFact } from "../../runtime/support/database-fact.ts";
import type { ColumnShape, Shape, TableShape } from "./shape.ts";

export function shapeFacts({ tables }: Shape): readonly DatabaseFact[] {
  return tables.flatMap(tableFacts);
}

function tableFacts({ schema, name, kind, columns, primaryKey, uniqueKeys }: TableShape): readonly DatabaseFact[] {
  const keys = [...(primaryKey ? [["p", primaryKey] as const] : []), ...uniqueKeys.map((key) => ["u", key] as const)];
  return [
    { table: [schema, name], part: ["table"], value: kind },
    ...columns.map((column): DatabaseFact => ({ table: [schema, name], ...columnFact(column) })),
    ...keys.map(([type, key]): DatabaseFact => {
      return { table: [schema, name], part: ["key", key.name], value: `${type} ${key.columns.join(", ")}` };
    }),
  ];
}

/** Whether a domain takes NULL is left to the domain. */
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
