/** Selects the rows of a connection in a total order, and the rows of a page. */
import { invariant } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import type { OrderDirection, RelayDialect } from "../../definitions/dialect.ts";
import { sourceValue, valueSlot } from "../../definitions/parameters.ts";
import { compared, operatorName } from "../../definitions/scalar-type.ts";
import { allOf, inParentheses, joinSql, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import { decodeCursor, encodeCursorKey } from "../../relay/cursor.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { checkDistinct, distinctColumns } from "./arguments.ts";
import type { Page, PageCursor } from "./connection-page.ts";
import { type BuildContext, relayOf } from "./context.ts";
import { keyItem, type OrderItem, orderBy, orderItems, typeOfItem } from "./order.ts";
import { fromClause, type Origin, readCondition, type Scope, scopeOf } from "./scope.ts";
import { topPer, topRows } from "./top-per.ts";
import { condition } from "./where.ts";

/** The rows of a connection, and the keys of their order. */
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
  if (!context.dialect.distinctOn) {
    const { scope, given: items, where } = base;
    const first = topPer(distinct, sql`1`, { items }, scope, context);
    const rows = topRows(first, { alias: scope.alias, where, uses: [] }, context);
    return { ...base, scope: { ...scope, rows }, where: undefined };
  }
  // Selects the first row of each group.
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

/** Returns the condition that a SELECT contains a row's key. `in` finds operators by name only, without their schema. */
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
  const scope = scopeOf(view, context, origin.rows, origin.place);
  const given = orderItems(field.args.get(naming.field("order_by")), scope, context);
  const filter = field.args.get("where");
  const where = allOf([
    origin.correlation?.(scope.alias),
    readCondition(view, scope.alias, context, origin),
    filter && condition(filter, scope.alias, context),
  ]);
  return { scope, given, keys: totalOrder(given, scope, context), where };
}

/** No field can have this name. */
const hiddenKey = "";

/** Returns the distinct items of the request, followed by the remaining columns of the primary key. */
function totalOrder(given: readonly OrderItem[], scope: Scope, context: BuildContext): readonly OrderItem[] {
  const items = new Map<string, OrderItem>();
  const key = scope.view.table.primaryKey.map((column) => keyItem(column, scope.alias, context));
  const add = (item: OrderItem): void => {
    const name = JSON.stringify(item.key);
    if (!items.has(name)) items.set(name, item.isComputed ? onceForEachRow(item, scope, context) : item);
  };
  for (const item of given) add(item);
  for (const item of key) {
    // If the role can read a column only in some rows, ordering by it does not order by the key.
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

/** Selects the rows of the page, in the order in which they are read. */
export function sliceOf(page: Page, { where, keys }: BaseRows, context: BuildContext) {
  const { limit, looksAhead, isBackward, cursor } = page;
  const items = isBackward ? keys.map((item) => ({ ...item, direction: reversed(item.direction) })) : keys;
  return {
    where: allOf([where, cursor && beyondCursor(keys, cursor, cursor.side, page, context)]),
    orderBy: orderBy(items, context),
    limit: looksAhead && limit ? sql`${limit} + 1` : limit,
  };
}

function reversed({ descending, nulls }: OrderDirection): OrderDirection {
  return { descending: !descending, nulls: nulls === "first" ? "last" : "first" };
}

/** Returns the condition that rows exist on the other side of the cursor, including the cursor's row. */
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

// The condition on rows on one side of a cursor. Keys are compared in order; the next key is compared if the previous
// one is equal. The form of the condition allows the use of an index on the keys.

type Side = "after" | "before" | "until" | "from";

/** A key of the order with its value in the cursor; `null` for NULL. */
interface CursorKey {
  readonly item: OrderItem;
  readonly value: Sql | null;
}

/** Returns the condition on the rows on one side of a cursor. */
function beyondCursor(
  keys: readonly OrderItem[],
  { input }: PageCursor,
  side: Side,
  { texts, path }: Page,
  context: BuildContext,
): Sql {
  const literal = input.source.kind !== "variable";
  const cursor = decodeCursor(sourceValue(input.source, context.variables), texts, path, input.path, literal);
  const relay = relayOf(context);
  const known = keys.map((item): CursorKey => {
    const type = typeOfItem(item);
    const comparable = { ...item, value: relay.compared({ value: item.value, type }) };
    if (cursor.value(item.key) === null) return { item: comparable, value: null };
    const name = JSON.stringify([item.key, type.cast, texts.use, path]);
    const encode = encodeCursorKey(item.key, texts, path);
    const slot = valueSlot(input.source, { encode }, `cursor ${name}`, input.path);
    return { item: comparable, value: relay.operand(parameter(slot), type) };
  });
  return lexicographic(known, side, context) ?? context.dialect.never;
}

/**
 * Returns the lexicographic comparison of the keys with the cursor, or `undefined` if no row can match.
 */
function lexicographic(keys: readonly CursorKey[], side: Side, context: BuildContext): Sql | undefined {
  const [first, ...others] = keys;
  if (!first) return side === "until" || side === "from" ? context.dialect.always : undefined;
  const relay = relayOf(context);
  const row = relay.comparesRows || keys.length === 1 ? rowComparison(keys, side) : undefined;
  if (row) return row;
  const beyond = strictlyBeyond(first, side, relay);
  const rest = lexicographic(others, side, context);
  const equal = rest && allOf([sameKey(first, relay), rest]);
  if (!beyond || !equal) return beyond ?? equal;
  const either = inParentheses(joinSql([beyond, equal].map(inParentheses), " or "));
  // The first condition is redundant, but can use an index on the first key.
  return first.value && !first.item.nullable
    ? allOf([keyCompared(first, `${comparison(first, side)}=`, first.value), either])
    : either;
}

/**
 * Returns a row comparison of all keys, the best form for an index. Requires that no key is NULL, that all have the same
 * direction, and that one operator name applies to all.
 */
function rowComparison(keys: readonly CursorKey[], side: Side): Sql | undefined {
  const [first] = keys;
  const symbol = first && `${comparison(first, side)}${side === "until" || side === "from" ? "=" : ""}`;
  const operatorOf = ({ item }: CursorKey): string | undefined => symbol && operatorName(symbol, typeOfItem(item));
  const operator = first && operatorOf(first);
  const isAlike = (key: CursorKey): boolean =>
    key.value !== null &&
    !key.item.nullable &&
    key.item.direction.descending === first?.item.direction.descending &&
    operatorOf(key) === operator;
  if (operator === undefined || !keys.every(isAlike)) return undefined;
  const left = keys.map(({ item }) => item.value);
  const right = keys.map(({ value }) => value ?? sql`null`);
  if (keys.length === 1) return sql`${left[0] ?? sql`null`} ${verbatim(operator)} ${right[0] ?? sql`null`}`;
  return sql`(${joinSql(left, ", ")}) ${verbatim(operator)} (${joinSql(right, ", ")})`;
}

/** Returns the operator for values of a key on one side of the cursor's value. */
function comparison({ item }: CursorKey, side: Side): ">" | "<" {
  return isLater(side) === item.direction.descending ? "<" : ">";
}

const isLater = (side: Side): boolean => side === "after" || side === "from";

const sameKey = ({ item, value }: CursorKey, relay: RelayDialect): Sql =>
  value === null ? relay.isNull(item.value) : keyCompared({ item }, "=", value);

const keyCompared = ({ item }: Pick<CursorKey, "item">, symbol: string, value: Sql): Sql =>
  compared(item.value, symbol, value, typeOfItem(item));

/** Returns the condition on rows whose key is strictly beyond the cursor's, or `undefined` if no row can match. */
function strictlyBeyond(key: CursorKey, side: Side, relay: RelayDialect): Sql | undefined {
  const { item, value } = key;
  const hasNulls = item.nullable && (item.direction.nulls === "last") === isLater(side);
  if (value === null) return hasNulls || !item.nullable ? undefined : relay.isNotNull(item.value);
  const later = keyCompared(key, comparison(key, side), value);
  return hasNulls ? inParentheses(sql`${later} or ${relay.isNull(item.value)}`) : later;
}
