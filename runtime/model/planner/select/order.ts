/** Builds ORDER BY from the orderings of requests. */

import { EngineError, invariant } from "../../../values/errors.ts";
import { compareText } from "../../../values/text-order.ts";
import { type Alias, type Column, columnValue } from "../../definitions/column.ts";
import type { OrderDirection } from "../../definitions/dialect.ts";
import type { ComputedValue } from "../../definitions/function.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { allOf, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ObjectRelationship, TableView } from "../../definitions/view.ts";
import type { InputMeta } from "../../schema/types.ts";
import type { Input, InputMember } from "../request/input.ts";
import { callOfRow, rowsOfCall, valueOfRow } from "./call.ts";
import { type BuildContext, operand } from "./context.ts";
import { isApart, placeOfTable, refuseApart } from "./places.ts";
import { isJoinable, isPresent, joinRelated, type Origin, readCondition, type Scope, wholeRow } from "./scope.ts";

export interface OrderItem {
  /** Ordered expression. */
  readonly value: Sql;
  readonly direction: OrderDirection;
  /** Path of the item in `order_by`: `["author", "name"]`. */
  readonly key: readonly string[];
  /** Type of the value; absent for aggregates of databases without Relay support. */
  readonly type?: ScalarType;
  readonly nullable: boolean;
  /** The ordered column, if it belongs to the table itself. */
  readonly column: Column | undefined;
  /** Set if each occurrence of the value is evaluated separately, because it is an aggregate or a function call. */
  readonly isComputed?: true;
}

/** Returns the items of the ORDER BY clause. */
export function orderBy(items: readonly OrderItem[], { dialect }: BuildContext): readonly Sql[] {
  return items.map(({ value, direction, type, isComputed }) => {
    return dialect.orderItem(value, direction, isComputed ? undefined : type);
  });
}

/** The row that contains the ordered values. */
interface OrderedRow {
  readonly alias: Alias;
  /** Path of the row in `order_by`. */
  readonly key: readonly string[];
  /** Set for rows of the table itself. */
  readonly isOwn?: true;
  /** Returns the condition that the row exists, if it may be missing. */
  readonly isPresent?: () => Sql;
}

/**
 * Returns the items of `order_by`, most significant first. Keys of one object are in schema order. Of several items
 * with the same value, only the first is kept: later ones have no effect, and SQL Server rejects them.
 */
export function orderItems(input: Input | undefined, scope: Scope, context: BuildContext): OrderItem[] {
  if (!input) return [];
  const objects = input.kind === "list" ? input.items : [input];
  const row = { alias: scope.alias, key: [], isOwn: true } as const;
  const items = new Map<string, OrderItem>();
  for (const item of objects.flatMap((object) => objectItems(object, row, scope, context))) {
    const key = item.key.join(".");
    if (!items.has(key)) items.set(key, item);
  }
  return [...items.values()];
}

function objectItems(input: Input, row: OrderedRow, scope: Scope, context: BuildContext): readonly OrderItem[] {
  if (input.kind !== "object") return [];
  const members = [...input.members].sort((a, b) => compareText(a.name, b.name));
  return members.flatMap(({ name, meta, value }): readonly OrderItem[] => {
    const key = [...row.key, name];
    switch (meta.kind) {
      case "column":
        return [columnItem(meta.column, key, directionOf(value), row, context)];
      case "relationship":
        return meta.relationship.kind === "object"
          ? relatedItems(meta.relationship, value, { alias: row.alias, key }, scope, context)
          : [];
      case "aggregate": {
        const { relationship } = meta;
        refuseApart(relationship, row.alias, "an order by aggregates", value.path, context);
        const correlation = (other: Alias) => relationship.join.on(row.alias, other);
        return aggregateItems(relationship.target(), { correlation }, value, { ...row, key }, context);
      }
      case "distance":
        return distanceItem(meta, value, { ...row, key }, context);
      case "computed":
        return meta.computed.kind === "value" ? [computedItem(meta.computed, value, { ...row, key }, context)] : [];
      case "computed_aggregate": {
        const { call, target } = meta.computed;
        const origin = rowsOfCall(call, callOfRow(call, row.alias, context));
        return aggregateItems(target(), origin, value, { ...row, key }, context);
      }
      default:
        return [];
    }
  });
}

function columnItem(
  column: Column,
  key: readonly string[],
  direction: OrderDirection,
  { alias, isOwn }: OrderedRow,
  { session }: BuildContext,
): OrderItem {
  const value = columnValue(column, alias, session);
  // A joined row may be missing.
  const nullable = column.nullable || !isOwn;
  const item = { value, direction, key, type: column.type, nullable, column: isOwn && column };
  return column.visible ? { ...item, isComputed: true } : item;
}

/** Orders by the distance between a vector and the vector of the request, the nearest first by default. */
function distanceItem(
  { column, distance }: Extract<InputMeta, { kind: "distance" }>,
  input: Input,
  { alias, key }: OrderedRow,
  context: BuildContext,
): readonly OrderItem[] {
  if (input.kind !== "object") throw unexpectedOrdering(input);
  const given = new Map(input.members.map(({ name, value }) => [name, value]));
  const to = given.get("to");
  invariant(to, "the vector of a distance is required");
  const direction = given.get("direction");
  const value = distance.sql(columnValue(column, alias, context.session), operand(to, column.type));
  return [
    {
      value,
      direction: direction ? directionOf(direction) : ascending(context),
      key,
      type: distance.type,
      nullable: true,
      column: undefined,
      isComputed: true,
    },
  ];
}

function ascending({ dialect }: BuildContext): OrderDirection {
  const direction = dialect.orderings.get("asc");
  invariant(direction, "each dialect has an ascending order");
  return direction;
}

/** Returns an ascending order item for a column of the table itself. */
export function keyItem(column: Column, alias: Alias, context: BuildContext): OrderItem {
  const row = { alias, key: [], isOwn: true } as const;
  return columnItem(column, [column.field], ascending(context), row, context);
}

function computedItem(computed: ComputedValue, value: Input, row: OrderedRow, context: BuildContext): OrderItem {
  return {
    value: ofPresent(row, valueOfRow(computed, row.alias, context)),
    direction: directionOf(value),
    key: row.key,
    type: computed.type,
    nullable: true,
    column: undefined,
    isComputed: true,
  };
}

/** Returns NULL for missing rows, for which functions and counts might return a value. */
function ofPresent({ isPresent }: OrderedRow, value: Sql): Sql {
  return isPresent ? sql`case when ${isPresent()} then ${value} end` : value;
}

function relatedItems(
  relationship: ObjectRelationship,
  value: Input,
  { alias: row, key }: OrderedRow,
  scope: Scope,
  context: BuildContext,
): readonly OrderItem[] {
  const target = relationship.target();
  if (isJoinable(relationship) || isApart(relationship, row, context)) {
    const alias = joinRelated(scope, row, relationship, context);
    return objectItems(value, { alias, key, isPresent: () => isPresent(relationship, alias) }, scope, context);
  }
  // Several rows may match: a lateral join returns the first one, so that the sort has one row for each parent row.
  const alias = context.alias();
  const inner = context.alias();
  context.places.set(inner, placeOfTable(target));
  const { dialect } = context;
  const rows = dialect.select({
    columns: [wholeRow({ alias: inner, view: target }, context), ...(dialect.rowMarker ? [dialect.rowMarker] : [])],
    from: sql`${verbatim(target.table.sql)} ${inner}`,
    where: allOf([relationship.join.on(row, inner), readCondition(target, inner, context)]),
    limit: sql`1`,
  });
  scope.joins.push(dialect.lateralJoin(rows, alias));
  return objectItems(value, { alias, key, isPresent: () => dialect.isRow(alias) }, scope, context);
}

/** Returns one sub-select for each ordered aggregate. */
function aggregateItems(
  target: TableView,
  { rows = verbatim(target.table.sql), correlation }: Origin,
  value: Input,
  row: OrderedRow,
  context: BuildContext,
): readonly OrderItem[] {
  if (value.kind !== "object") return [];
  const scalar = (
    expression: (other: Alias) => Sql,
    order: Pick<OrderItem, "direction" | "key" | "type">,
  ): OrderItem => {
    const other = context.alias();
    const where = allOf([correlation?.(other), readCondition(target, other, context)]) ?? context.dialect.always;
    const subselect = ofPresent(row, sql`(select ${expression(other)} from ${rows} ${other} where ${where})`);
    return { value: subselect, ...order, nullable: true, column: undefined, isComputed: true };
  };
  return value.members.flatMap(({ name, meta, value: order }: InputMember): readonly OrderItem[] => {
    if (meta.kind === "count") {
      const type = context.dialect.bigintParameterType;
      const item = { direction: directionOf(order), key: [...row.key, name], type };
      return [{ ...scalar(() => context.dialect.count([], false), item), nullable: row.isPresent !== undefined }];
    }
    if (meta.kind !== "function" || order.kind !== "object") return [];
    const { call, typeOf } = meta.function;
    return order.members.map((member) => {
      if (member.meta.kind !== "column") throw unexpectedOrdering(member.value);
      const { column } = member.meta;
      return scalar((other) => call(columnValue(column, other, context.session), column.type), {
        direction: directionOf(member.value),
        key: [...row.key, name, member.name],
        ...(typeOf ? { type: typeOf(column.type) } : {}),
      });
    });
  });
}

/** Returns the direction of an `order_by` value. */
export function directionOf(input: Input): OrderDirection {
  if (input.kind === "enum" && input.meta.kind === "ordering") return input.meta.direction;
  throw unexpectedOrdering(input);
}

function unexpectedOrdering(input: Input): EngineError {
  return new EngineError("unexpected", input.path, "expected an ordering", { status: 500 });
}

/** Returns the type of an item of a cursor. */
export function typeOfItem({ key, type }: OrderItem): ScalarType {
  invariant(type, `the type of ${key.join(".")} is known`);
  return type;
}
