/** Prints keys, conditions and orderings of groups. */
import { filterInput, type Input } from "./input.ts";
import type { Column, Table } from "./model.ts";
import type { GroupCondition, GroupKey, GroupOrder } from "./query.ts";

/** Returns a field with its response key. */
export const alias = (key: string, name: string): string => (key === name ? name : `${key}: ${name}`);

/** Returns an object with one member, at a path. */
export const nest = (path: readonly string[], value: Input): Input =>
  path.reduceRight<Input>((inner, name) => ({ kind: "object", members: [[name, inner]] }), value);

/** Returns the arguments of an aggregate, with a filter of its rows. */
function aggregateInput(
  { value, filter }: GroupCondition | GroupOrder,
  table: Table,
  more: readonly [string, Input],
): Input {
  const name = (column: Column): Input => ({ kind: "enum", name: column.name });
  const members: [string, Input][] = filter ? [["filter", filterInput(filter)]] : [];
  if (value.kind === "count") {
    if (value.columns.length > 0) members.push(["columns", { kind: "list", items: value.columns.map(name) }]);
    members.push(["distinct", { kind: "value", value: value.distinct, type: "Boolean" }]);
  } else {
    members.push(["column", name(value.column)]);
  }
  if (value.kind === "percentile") members.push(["fraction", { kind: "value", value: value.fraction, type: "Float" }]);
  if (value.kind === "texts") {
    members.push(["separator", { kind: "value", value: value.separator, type: "String" }]);
    const order = nest([table.tie.name], { kind: "enum", name: "asc" });
    members.push(["order_by", { kind: "list", items: [order] }]);
  }
  return { kind: "object", members: [...members, more] };
}

export function conditionInput(condition: GroupCondition, table: Table): Input {
  const isText = "contains" in condition;
  const operand: Input = isText
    ? { kind: "value", value: `%${condition.contains}%`, type: "String" }
    : { kind: "value", value: condition.above, type: "Float" };
  const compared = nest([isText ? "_like" : "_gt"], operand);
  return nest([isText ? "string_agg" : "percentile_cont"], aggregateInput(condition, table, ["predicate", compared]));
}

export function groupOrderInput(order: GroupOrder, table: Table): Input {
  const { value } = order;
  const by = value.kind === "booleans" ? value.name : value.kind === "count" ? "count_of" : "percentile_cont";
  const direction: Input = { kind: "enum", name: order.direction };
  return nest(["aggregate", by], aggregateInput(order, table, ["order", direction]));
}

export function keyInput({ through, column, part, unit }: GroupKey): Input {
  const members: [string, Input][] = [["column", { kind: "enum", name: column.name }]];
  if (part) members.push(["part", { kind: "enum", name: part }]);
  if (unit) members.push(["truncate", { kind: "enum", name: unit }]);
  const own: Input = { kind: "object", members };
  if (!through) return own;
  const related: Input = { kind: "object", members: [[through.name, own]] };
  return { kind: "object", members: [["related", related]] };
}

export function keyText({ key, through, column, part }: GroupKey): string {
  const value = part ? `_part(column: ${column.name}, part: ${part})` : column.name;
  return through ? `${alias(key, through.name)} { v: ${value} }` : `${key}: ${value}`;
}
