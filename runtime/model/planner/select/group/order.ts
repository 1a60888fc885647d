/** Builds the order of groups: by keys, and by aggregates of their rows. */
import { EngineError, invariant } from "../../../../values/errors.ts";
import { compareText } from "../../../../values/text-order.ts";
import type { OrderDirection } from "../../../definitions/dialect.ts";
import type { Sql } from "../../../definitions/sql.ts";
import type { Input } from "../../request/input.ts";
import { columnAggregate, countOfArguments } from "../column-aggregate.ts";
import type { BuildContext } from "../context.ts";
import { directionOf } from "../order.ts";
import { type GroupedRows, rowsOfFilter } from "./having.ts";
import { columnOf, type GroupKey, type GroupKeys, membersOf, partOf, pathOf } from "./keys.ts";

type Direction = Omit<OrderDirection, "description">;

/** An ordering of groups: a key, or an aggregate over the rows of a group. */
export type GroupOrder = { readonly direction: Direction } & (
  | { readonly key: GroupKey }
  /** `name` identifies the aggregate. */
  | { readonly aggregate: Sql; readonly name: string }
);

interface Grouped extends GroupedRows {
  readonly keys: GroupKeys;
}

/**
 * Returns the orderings of `order_by`, followed by all keys, so that pages of groups do not overlap. Of several
 * orderings by the same value, only the first is kept, because SQL Server rejects the others.
 */
export function groupOrder(input: Input | undefined, { keys, carried, context }: Grouped): readonly GroupOrder[] {
  const objects = input === undefined ? [] : input.kind === "list" ? input.items : [input];
  const given = objects.flatMap((object): readonly GroupOrder[] => {
    const members = membersOf(object);
    return [
      ...aggregateOrders(members.get("aggregate"), { carried, context }),
      ...keyOrders(members.get("key"), [], keys, context),
    ];
  });
  const ascending: Direction = context.dialect.orderings.get("asc") ?? { descending: false, nulls: "last" };
  const all = [...given, ...keys.all.map((key): GroupOrder => ({ key, direction: ascending }))];
  const nameOf = (order: GroupOrder): string => ("key" in order ? `key ${order.key.id}` : order.name);
  return all.filter((order, i) => all.findIndex((other) => nameOf(other) === nameOf(order)) === i);
}

function keyOrders(
  input: Input | undefined,
  names: readonly string[],
  keys: GroupKeys,
  context: BuildContext,
): readonly GroupOrder[] {
  if (input?.kind !== "object") return [];
  const members = [...input.members].sort((a, b) => compareText(a.name, b.name));
  return members.flatMap(({ name, meta, value }): readonly GroupOrder[] => {
    if (meta.kind === "relationship") return keyOrders(value, [...names, name], keys, context);
    if (meta.kind === "column") {
      return [{ key: keys.find({ names, column: meta.column }, value.path), direction: directionOf(value) }];
    }
    return [derivedOrder(name, value, names, keys, context)];
  });
}

function derivedOrder(
  name: string,
  input: Input,
  names: readonly string[],
  keys: GroupKeys,
  context: BuildContext,
): GroupOrder {
  const given = membersOf(input);
  const [column, order] = [columnOf(given.get("column")), given.get("order")];
  const part = name === "_part" ? partOf(given.get("part")) : undefined;
  const path = name === "_at" ? pathOf(given.get("path"), context) : undefined;
  if (!column || !order || (name === "_part" && part === undefined) || (name === "_at" && path === undefined)) {
    const missing = name === "_part" ? "part" : "path";
    throw new EngineError("validation-failed", input.path, `missing required field '${missing}'`);
  }
  const key = keys.find({ names, column, part, path, isBucket: name === "_bucket" }, input.path);
  return { key, direction: directionOf(order) };
}

function aggregateOrders(input: Input | undefined, rows: GroupedRows): readonly GroupOrder[] {
  if (input?.kind !== "object") return [];
  const { carried, context } = rows;
  const members = [...input.members].sort((a, b) => compareText(a.name, b.name));
  return members.flatMap(({ name, meta, value }): readonly GroupOrder[] => {
    if (meta.kind === "count") {
      return [{ name, aggregate: context.dialect.count([], false), direction: directionOf(value) }];
    }
    if (meta.kind === "count_of" || meta.kind === "column_aggregate") {
      const args = membersOf(value);
      const [call, values] = [{ args, path: value.path }, rowsOfFilter(args, rows)];
      const order = args.get("order");
      invariant(order, "an ordering by an aggregate has a direction");
      const aggregate =
        meta.kind === "count_of"
          ? countOfArguments(call, values, context)
          : columnAggregate(meta.aggregate, call, values, context);
      return [{ name: value.path, aggregate, direction: directionOf(order) }];
    }
    if (meta.kind !== "function" || value.kind !== "object") return [];
    const { call } = meta.function;
    return value.members.flatMap((member): readonly GroupOrder[] => {
      if (member.meta.kind !== "column") return [];
      const { column } = member.meta;
      const aggregate = call(carried.column(column), column.type);
      return [{ name: `${name} ${member.name}`, aggregate, direction: directionOf(member.value) }];
    });
  });
}
