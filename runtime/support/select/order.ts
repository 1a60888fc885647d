/** Orderings of requests → ORDER BY (`sql-generation.md` 5). */
import type { OrderDirection } from "../dialect.ts";
import { EngineError } from "../errors.ts";
import type { ComputedValue } from "../function.ts";
import type { Input, InputMember } from "../operation/input.ts";
import { allOf, type Sql, sql, verbatim } from "../sql.ts";
import { type Alias, type Column, columnValue } from "../table.ts";
import type { ObjectRelationship, TableView } from "../view.ts";
import { callOfRow, rowsOfCall, valueOfRow } from "./call.ts";
import type { BuildContext } from "./context.ts";
import { isJoinable, isPresent, joinRelated, type Origin, type Scope } from "./scope.ts";

export interface OrderItem {
  readonly sql: Sql;
  /** The column of the table itself that the item orders by, if it does. */
  readonly column: Column | undefined;
}

/** The row that items order by. */
interface OrderedRow {
  readonly alias: Alias;
  /** A row of the table itself. */
  readonly isOwn?: true;
  /** Whether there is such a row, where it may be absent. */
  readonly isPresent?: () => Sql;
}

/** The items of `order_by`, most significant first. Keys of one object count in the order of the schema. */
export function orderItems(input: Input | undefined, scope: Scope, context: BuildContext): OrderItem[] {
  if (!input) return [];
  const objects = input.kind === "list" ? input.items : [input];
  return objects.flatMap((object) => objectItems(object, { alias: scope.alias, isOwn: true }, scope, context));
}

function objectItems(input: Input, row: OrderedRow, scope: Scope, context: BuildContext): readonly OrderItem[] {
  if (input.kind !== "object") return [];
  const members = [...input.members].sort((a, b) => (a.name < b.name ? -1 : 1));
  return members.flatMap(({ field, value }): readonly OrderItem[] => {
    const { meta } = field;
    switch (meta.kind) {
      case "column": {
        const { column } = meta;
        const ordered = columnValue(column, row.alias, context.session);
        const item = context.dialect.orderItem(ordered, directionOf(value), column.type);
        return [{ sql: item, column: row.isOwn && column }];
      }
      case "relationship":
        return meta.relationship.kind === "object"
          ? relatedItems(meta.relationship, value, row.alias, scope, context)
          : [];
      case "aggregate": {
        const { relationship } = meta;
        const correlation = (other: Alias) => relationship.join.on(row.alias, other);
        return aggregateItems(relationship.target(), { correlation }, value, row, context);
      }
      case "computed":
        return meta.computed.kind === "value" ? [computedItem(meta.computed, value, row, context)] : [];
      case "computed_aggregate": {
        const { call, target } = meta.computed;
        return aggregateItems(target(), rowsOfCall(call, callOfRow(call, row.alias, context)), value, row, context);
      }
      default:
        return [];
    }
  });
}

function computedItem(computed: ComputedValue, value: Input, row: OrderedRow, context: BuildContext): OrderItem {
  const result = ofPresent(row, valueOfRow(computed, row.alias, context));
  return { sql: context.dialect.orderItem(result, directionOf(value)), column: undefined };
}

/** Functions, and counts, may give a value for a row that is not there; absent rows have none. */
function ofPresent({ isPresent }: OrderedRow, value: Sql): Sql {
  return isPresent ? sql`case when ${isPresent()} then ${value} end` : value;
}

function relatedItems(
  relationship: ObjectRelationship,
  value: Input,
  row: Alias,
  scope: Scope,
  context: BuildContext,
): readonly OrderItem[] {
  const target = relationship.target();
  if (isJoinable(relationship)) {
    const alias = joinRelated(scope, row, relationship, context);
    return objectItems(value, { alias, isPresent: () => isPresent(target, alias) }, scope, context);
  }
  // Several rows may match: the first one found, in a lateral join, so that the sort sees one row for each.
  const alias = context.alias();
  const inner = context.alias();
  const { dialect } = context;
  const rows = dialect.select({
    columns: [sql`${inner}.*`],
    from: sql`${verbatim(target.table.sql)} ${inner}`,
    where: allOf([relationship.join.on(row, inner), target.visible?.(inner, context.session)]),
    limit: sql`1`,
  });
  scope.joins.push(dialect.lateralJoin(rows, alias));
  return objectItems(value, { alias, isPresent: () => dialect.isRow(alias) }, scope, context);
}

/** One sub-select for each aggregate that is ordered by. */
function aggregateItems(
  target: TableView,
  { rows = verbatim(target.table.sql), correlation }: Origin,
  value: Input,
  row: OrderedRow,
  context: BuildContext,
): readonly OrderItem[] {
  if (value.kind !== "object") return [];
  const scalar = (expression: (other: Alias) => Sql, direction: OrderDirection): OrderItem => {
    const other = context.alias();
    const where = allOf([correlation?.(other), target.visible?.(other, context.session)]) ?? context.dialect.always;
    const subselect = ofPresent(row, sql`(select ${expression(other)} from ${rows} ${other} where ${where})`);
    return { sql: context.dialect.orderItem(subselect, direction), column: undefined };
  };
  return value.members.flatMap(({ field, value: order }: InputMember): readonly OrderItem[] => {
    const { meta } = field;
    if (meta.kind === "count") return [scalar(() => context.dialect.count([], false), directionOf(order))];
    if (meta.kind !== "function" || order.kind !== "object") return [];
    const { call } = meta.function;
    return order.members.map((member) => {
      if (member.field.meta.kind !== "column") throw unexpectedOrdering(member.value);
      const { column } = member.field.meta;
      const value = (other: Alias) => call(columnValue(column, other, context.session), column.type);
      return scalar(value, directionOf(member.value));
    });
  });
}

function directionOf(input: Input): OrderDirection {
  if (input.kind === "enum" && input.meta.kind === "ordering") return input.meta.direction;
  throw unexpectedOrdering(input);
}

function unexpectedOrdering(input: Input): EngineError {
  return new EngineError("unexpected", input.path, "an ordering was expected here", { status: 500 });
}
