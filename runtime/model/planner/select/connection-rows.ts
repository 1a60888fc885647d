/** The rows that a connection pages through, in a total order, and those of them that are on a page. */

import { invariant } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import type { OrderDirection } from "../../definitions/dialect.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { checkDistinct, distinctColumns } from "./arguments.ts";
import { beyondCursor } from "./beyond-cursor.ts";
import type { Page } from "./connection-page.ts";
import { type BuildContext, relayOf } from "./context.ts";
import { keyItem, type OrderItem, orderBy, orderItems } from "./order.ts";
import { fromClause, type Origin, readCondition, type Scope, scopeOf } from "./scope.ts";
import { condition } from "./where.ts";

/** The rows that a connection pages through, and the keys of their order. */
export interface BaseRows {
  readonly scope: Scope;
  readonly keys: readonly OrderItem[];
  readonly where: Sql | undefined;
}

export function baseRows(view: TableView, field: SelectedField, context: BuildContext, origin: Origin): BaseRows {
  const { naming } = view.table.source;
  const base = visibleRows(view, field, context, origin);
  const distinct = distinctColumns(field.args.get(naming.field("distinct_on")));
  checkDistinct(distinct, base.given, field);
  if (distinct.length === 0) return base;
  // Of each group the row that comes first.
  const groups = visibleRows(view, field, context, origin);
  const columns = distinct.map((column) => keyItem(column, groups.scope.alias, context));
  const first = context.dialect.select({
    columns: keyOf(view, groups.scope.alias),
    distinctOn: columns.map(({ value }) => value),
    from: fromClause(groups.scope),
    where: groups.where,
    orderBy: orderBy(groups.given.length > 0 ? groups.keys : [...columns, ...groups.keys], context),
  });
  return { ...base, where: allOf([base.where, isAmong(first, view, base.scope.alias, context)]) };
}

/** Whether the key of a row is among those that a SELECT gives. `in` finds operators by their names alone. */
function isAmong(keys: Sql, view: TableView, row: Alias, context: BuildContext): Sql {
  const { primaryKey } = view.table;
  if (primaryKey.every(({ type }) => type.operatorSchema === undefined)) {
    return sql`(${joinSql(keyOf(view, row), ", ")}) in (${keys})`;
  }
  const alias = context.alias();
  const names = primaryKey.map((_, i) => verbatim(`k${i + 1}`));
  const equal = keyOf(view, row).map((value, i) => {
    const [type, name] = [primaryKey[i]?.type, names[i]];
    invariant(type && name, "a key has a type and a name for each of its columns");
    return compared(value, "=", sql`${alias}.${name}`, type);
  });
  return sql`exists (select 1 from (${keys}) ${alias}(${joinSql(names, ", ")}) where ${joinSql(equal, " and ")})`;
}

const keyOf = ({ table }: TableView, row: Alias): readonly Sql[] =>
  table.primaryKey.map((column) => sql`${row}.${verbatim(column.sql)}`);

function visibleRows(
  view: TableView,
  field: SelectedField,
  context: BuildContext,
  origin: Origin,
): BaseRows & { readonly given: readonly OrderItem[] } {
  const { naming } = view.table.source;
  const scope = scopeOf(view, context, origin.rows);
  const given = orderItems(field.args.get(naming.field("order_by")), scope, context);
  const filter = field.args.get("where");
  const where = allOf([
    origin.correlation?.(scope.alias),
    readCondition(view, scope.alias, context, origin),
    filter && condition(filter, scope.alias, context),
  ]);
  return { scope, given, keys: totalOrder(given, scope, context), where };
}

/** No field is called so. */
const hiddenKey = "";

/** The items of the request, each once, and the columns of the primary key that are not among them. */
function totalOrder(given: readonly OrderItem[], scope: Scope, context: BuildContext): readonly OrderItem[] {
  const items = new Map<string, OrderItem>();
  const key = scope.view.table.primaryKey.map((column) => keyItem(column, scope.alias, context));
  const add = (item: OrderItem): void => {
    const name = JSON.stringify(item.key);
    if (!items.has(name)) items.set(name, item.isComputed ? onceForEachRow(item, scope, context) : item);
  };
  for (const item of given) add(item);
  for (const item of key) {
    // Of a column that the role sees in some rows only, the order that the request asked for is not that of the key.
    const isHidden = items.get(JSON.stringify(item.key))?.column?.visible !== undefined;
    add(isHidden ? { ...item, key: [hiddenKey, ...item.key] } : item);
  }
  return [...items.values()];
}

function onceForEachRow(item: OrderItem, scope: Scope, context: BuildContext): OrderItem {
  const { join, value } = relayOf(context).evaluatedOnce(item.value, context.alias());
  scope.joins.push(join);
  return { ...item, value };
}

/** The rows of the page, in the order in which they are found. */
export function sliceOf(page: Page, { where, keys }: BaseRows, context: BuildContext) {
  const { limit, looksAhead, isBackward, cursor } = page;
  const found = isBackward ? keys.map((item) => ({ ...item, direction: reversed(item.direction) })) : keys;
  return {
    where: allOf([where, cursor && beyondCursor(keys, cursor, cursor.side, page, context)]),
    orderBy: orderBy(found, context),
    limit: looksAhead && limit ? sql`${limit} + 1` : limit,
  };
}

function reversed({ descending, nulls }: OrderDirection): OrderDirection {
  return { descending: !descending, nulls: nulls === "first" ? "last" : "first" };
}

/** Whether the base set has rows on the other side of the cursor, the cursor's own included. */
export function existsBeyond(
  view: TableView,
  field: SelectedField,
  context: BuildContext,
  origin: Origin,
  page: Page,
): Sql | undefined {
  const { cursor } = page;
  if (!cursor) return undefined;
  const { scope, where, keys } = baseRows(view, field, context, origin);
  const beyond = beyondCursor(keys, cursor, cursor.side === "after" ? "until" : "from", page, context);
  return sql`exists (${context.dialect.select({
    columns: [sql`1`],
    from: fromClause(scope),
    where: allOf([where, beyond]),
  })})`;
}
