/**
 * Pages of rows for the Relay API (`sql-generation.md` 10): rows in a total order, from or up to a cursor. One row more
 * than asked for tells whether the list goes on; whether there is something on the other side of the cursor is one
 * EXISTS. Neither is looked at unless it is selected.
 */

import type { Alias } from "../../definitions/column.ts";
import type { JsonField, OrderDirection, RelayDialect } from "../../definitions/dialect.ts";
import { sourceValue, valueSlot } from "../../definitions/parameters.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { allOf, inParentheses, joinSql, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import { decodeCursor, encodeCursorKey } from "../../relay/cursor.ts";
import type { RelayTexts } from "../../relay/relay-texts.ts";
import type { OutputMeta } from "../../schema/types.ts";
import { EngineError, invariant, pathTo } from "../../values/errors.ts";
import { lazy } from "../../values/lazy.ts";
import type { Input } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { checkDistinct, distinctColumns, effectiveLimit, limitValue } from "./arguments.ts";
import { type BuildContext, operand } from "./context.ts";
import { keyItem, type OrderItem, orderBy, orderItems } from "./order.ts";
import { fromClause, type Origin, readCondition, type Scope, scopeOf } from "./scope.ts";
import { condition } from "./where.ts";

/** Selects the fields of a row; joins that they need are added to the scope. */
export type RowFields = (
  selection: readonly SelectedField[],
  scope: Scope,
  row: Alias,
  context: BuildContext,
) => readonly JsonField[];

/** JSON object of a connection. */
export function connectionObject(
  view: TableView,
  field: SelectedField,
  context: BuildContext,
  origin: Origin,
  rowFields: RowFields,
): Sql {
  const page = readPage(view, field, context);
  const base = baseRows(view, field, context, origin);
  const rows = context.alias();
  const slice = sliceOf(page, base, context);
  const carried: Sql[] = [];
  const carry = (value: Sql): Sql => {
    const name = verbatim(`c${carried.push(sql`${value} as ${verbatim(`c${carried.length + 1}`)}`)}`);
    return sql`${rows}.${name}`;
  };
  let isNumbered = false;
  const number = (): Sql => {
    isNumbered = true;
    return sql`${rows}.n`;
  };
  const kept = (): Sql | undefined => (page.looksAhead && page.limit ? sql`${number()} <= ${page.limit}` : undefined);
  const edges = (edge: SelectedField): Sql => {
    const object = context.dialect.jsonObject(edgeFields(edge.selection, base, context, rowFields));
    const position = page.isBackward ? sql`${number()} desc` : undefined;
    return context.dialect.jsonAggregate(carry(object), { filter: kept(), position });
  };
  const cursor = lazy(() => carry(cursorOf(base, context)));
  const pageInfo = pageInfoOf(page, { number, kept, cursor }, context, () =>
    existsBeyond(view, field, context, origin, page),
  );
  const parts = field.selection.map((selected): JsonField => {
    const { key } = selected;
    switch (selected.meta.kind) {
      case "constant":
        return { key, value: context.dialect.textLiteral(selected.meta.value) };
      case "edges":
        return { key, value: edges(selected) };
      case "page_info":
        return { key, value: context.dialect.jsonObject(pageInfo.fields(selected.selection)) };
      default:
        throw misplaced(selected);
    }
  });
  const object = context.dialect.jsonObject(parts);
  if (carried.length === 0 && !pageInfo.usesRows()) return object;
  const selected = context.dialect.select({
    columns: carried.length > 0 ? carried : [sql`1`],
    from: fromClause(base.scope),
    ...slice,
  });
  const numbered = isNumbered ? sql`select r.*, ${context.dialect.rowNumber([])} as n from (${selected}) r` : selected;
  return sql`(select ${object} from (${numbered}) ${rows})`;
}

/** What the arguments say of the page. */
interface Page {
  /** The last rows, found in the reverse order. */
  readonly isBackward: boolean;
  readonly limit: Sql | undefined;
  /** One row more than the limit is fetched. */
  readonly looksAhead: boolean;
  readonly cursor: PageCursor | undefined;
  /** As cursors are read. */
  readonly texts: RelayTexts;
  readonly path: string;
}

interface PageCursor {
  readonly side: "after" | "before";
  readonly input: Extract<Input, { kind: "value" }>;
}

function readPage({ rowLimit }: TableView, field: SelectedField, context: BuildContext): Page {
  const path = pathTo(field.path, "args");
  const [first, last, after, before] = ["first", "last", "after", "before"].map((name) => {
    const input = field.args.get(name);
    return input?.kind === "value" ? input : undefined;
  });
  if (first && last) throw invalid(path, '"first" and "last" are not allowed at once');
  if (after && before) throw invalid(path, '"after" and "before" are not allowed at once');
  const count = first ?? last;
  const limit = effectiveLimit(
    count && operand(count, context.dialect.bigintParameterType, limitValue),
    rowLimit,
    context,
  );
  const isBackward = last !== undefined;
  const ahead = isBackward ? "has_previous_page" : "has_next_page";
  const looksAhead = limit !== undefined && selectsPageInfo(field, ahead);
  const input = after ?? before;
  const cursor = input && { side: after ? ("after" as const) : ("before" as const), input };
  const { cursors: texts } = field;
  invariant(texts, "connections have cursors");
  return { isBackward, limit, looksAhead, cursor, texts, path };
}

function selectsPageInfo(field: SelectedField, kind: OutputMeta["kind"]): boolean {
  return field.selection.some(
    ({ meta, selection }) => meta.kind === "page_info" && selection.some((inner) => inner.meta.kind === kind),
  );
}

/** The rows that a connection pages through, and the keys of their order. */
interface BaseRows {
  readonly scope: Scope;
  readonly keys: readonly OrderItem[];
  readonly where: Sql | undefined;
}

function baseRows(view: TableView, field: SelectedField, context: BuildContext, origin: Origin): BaseRows {
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
  const isFirst = sql`(${joinSql(keyOf(view, base.scope.alias), ", ")}) in (${first})`;
  return { ...base, where: allOf([base.where, isFirst]) };
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

function relayOf({ dialect: { relay } }: BuildContext): RelayDialect {
  invariant(relay, "only tables of databases with Relay support have connections");
  return relay;
}

/** The rows of the page, in the order in which they are found. */
function sliceOf(page: Page, { where, keys }: BaseRows, context: BuildContext) {
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
function existsBeyond(
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

type Side = "after" | "before" | "until" | "from";

/** A key of the order with its value in the cursor; `null`: the cursor has NULL there. */
interface CursorKey {
  readonly item: OrderItem;
  readonly value: Sql | null;
}

/** The condition on the rows of one side of a cursor. */
function beyondCursor(
  keys: readonly OrderItem[],
  { input }: PageCursor,
  side: Side,
  { texts, path }: Page,
  context: BuildContext,
): Sql {
  const literal = input.source.kind !== "variable";
  const cursor = decodeCursor(sourceValue(input.source, context.variables), texts, path, input.path, literal);
  const known = keys.map((item): CursorKey => {
    if (cursor.value(item.key) === null) return { item, value: null };
    const cast = verbatim(`::${typeOf(item).cast}`);
    const name = JSON.stringify([item.key, typeOf(item).cast, texts.use, path]);
    const encode = encodeCursorKey(item.key, texts, path);
    const slot = valueSlot(input.source, { encode }, `cursor ${name}`, input.path);
    return { item, value: sql`${parameter(slot)}${cast}` };
  });
  return lexicographic(known, side) ?? sql`false`;
}

/**
 * Rows on one side of the cursor: the first key decides, the next one where it is equal. `undefined` where there can
 * be none.
 */
function lexicographic(keys: readonly CursorKey[], side: Side): Sql | undefined {
  const [first, ...others] = keys;
  if (!first) return side === "until" || side === "from" ? sql`true` : undefined;
  const row = rowComparison(keys, side);
  if (row) return row;
  const beyond = strictlyBeyond(first, side);
  const rest = lexicographic(others, side);
  const equal = rest && allOf([sameKey(first), rest]);
  if (!beyond || !equal) return beyond ?? equal;
  const either = inParentheses(joinSql([beyond, equal].map(inParentheses), " or "));
  // The part that an index on the first key can use.
  return first.value && !first.item.nullable
    ? allOf([sql`${first.item.value} ${verbatim(`${comparison(first, side)}=`)} ${first.value}`, either])
    : either;
}

/** One comparison for all keys, where none of them is NULL and all go the same way: what an index is best at. */
function rowComparison(keys: readonly CursorKey[], side: Side): Sql | undefined {
  const [first] = keys;
  const isAlike = ({ item, value }: CursorKey): boolean =>
    value !== null && !item.nullable && item.direction.descending === first?.item.direction.descending;
  if (!first || !keys.every(isAlike)) return undefined;
  const operator = verbatim(`${comparison(first, side)}${side === "until" || side === "from" ? "=" : ""}`);
  const left = keys.map(({ item }) => item.value);
  const right = keys.map(({ value }) => value ?? sql`null`);
  if (keys.length === 1) return sql`${left[0] ?? sql`null`} ${operator} ${right[0] ?? sql`null`}`;
  return sql`(${joinSql(left, ", ")}) ${operator} (${joinSql(right, ", ")})`;
}

/** Which values of a key come later, or earlier. */
function comparison({ item }: CursorKey, side: Side): ">" | "<" {
  return isLater(side) === item.direction.descending ? "<" : ">";
}

const isLater = (side: Side): boolean => side === "after" || side === "from";

// `is null` looks into rows, and finds those without values.
const sameKey = ({ item, value }: CursorKey): Sql =>
  value === null ? sql`${item.value} is not distinct from null` : sql`${item.value} = ${value}`;

/** Rows whose key lies on that side of the cursor's; `undefined` where there can be none. */
function strictlyBeyond(key: CursorKey, side: Side): Sql | undefined {
  const { item, value } = key;
  const hasNulls = item.nullable && (item.direction.nulls === "last") === isLater(side);
  if (value === null) return hasNulls || !item.nullable ? undefined : sql`${item.value} is distinct from null`;
  const compared = sql`${item.value} ${verbatim(comparison(key, side))} ${value}`;
  return hasNulls ? inParentheses(sql`${compared} or ${item.value} is not distinct from null`) : compared;
}

function edgeFields(
  selection: readonly SelectedField[],
  base: BaseRows,
  context: BuildContext,
  rowFields: RowFields,
): readonly JsonField[] {
  return selection.map((selected): JsonField => {
    const { key } = selected;
    switch (selected.meta.kind) {
      case "constant":
        return { key, value: context.dialect.textLiteral(selected.meta.value) };
      case "cursor":
        return { key, value: cursorOf(base, context) };
      case "edge_node": {
        const { scope } = base;
        return { key, value: context.dialect.jsonObject(rowFields(selected.selection, scope, scope.alias, context)) };
      }
      default:
        throw misplaced(selected);
    }
  });
}

/** The cursor of a row: its keys in the shape of `order_by`. */
function cursorOf({ keys }: BaseRows, context: BuildContext): Sql {
  return relayOf(context).base64(keysObject(keys, 0, context));
}

function keysObject(keys: readonly OrderItem[], depth: number, context: BuildContext): Sql {
  const groups = new Map<string, OrderItem[]>();
  for (const item of keys) {
    const name = item.key[depth] ?? "";
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return context.dialect.jsonObject(
    [...groups].map(([key, items]): JsonField => {
      const [only] = items;
      const isLeaf = only !== undefined && only.key.length === depth + 1;
      return { key, value: isLeaf ? keyValue(only, context) : keysObject(items, depth + 1, context) };
    }),
  );
}

function keyValue(item: OrderItem, context: BuildContext): Sql {
  return relayOf(context).keepsValue(typeOf(item)) ? item.value : context.dialect.asText(item.value);
}

function typeOf({ key, type }: OrderItem): ScalarType {
  invariant(type, `the type of ${key.join(".")} is known`);
  return type;
}

/** What the outer selection calls the rows. */
interface PageRows {
  /** Of the row, from one, in the order in which rows are found. */
  readonly number: () => Sql;
  /** Whether the row is of the page; `undefined`: all are. */
  readonly kept: () => Sql | undefined;
  readonly cursor: () => Sql;
}

function pageInfoOf(
  { isBackward, limit, looksAhead, cursor: given }: Page,
  { number, kept, cursor }: PageRows,
  context: BuildContext,
  existsOpposite: () => Sql | undefined,
) {
  let usesRows = false;
  const rowCursor = (isLast: boolean): Sql => {
    usesRows = true;
    const order = isLast === isBackward ? number() : sql`${number()} desc`;
    return sql`coalesce(${relayOf(context).firstValue(cursor(), order, kept())}, '')`;
  };
  /** Whether rows lie before the page's first row, or after its last. */
  const hasMore = (isLast: boolean): Sql => {
    const isAhead = isLast !== isBackward && looksAhead && limit !== undefined;
    const isOpposite = given !== undefined && (given.side === "before") === isLast;
    const reasons = [
      ...(isAhead ? [sql`count(*) > ${limit}`] : []),
      ...(isOpposite ? [existsOpposite()].filter((exists) => exists !== undefined) : []),
    ];
    if (reasons.length === 0) return sql`false`;
    usesRows = true;
    const isEmpty = limit ? sql`least(count(*), ${limit}) = 0` : sql`count(*) = 0`;
    return sql`not ${isEmpty} and ${inParentheses(joinSql(reasons, " or "))}`;
  };
  const value = (selected: SelectedField): Sql => {
    switch (selected.meta.kind) {
      case "constant":
        return context.dialect.textLiteral(selected.meta.value);
      case "start_cursor":
        return rowCursor(false);
      case "end_cursor":
        return rowCursor(true);
      case "has_next_page":
        return hasMore(true);
      case "has_previous_page":
        return hasMore(false);
      default:
        throw misplaced(selected);
    }
  };
  return {
    fields: (selection: readonly SelectedField[]): readonly JsonField[] =>
      selection.map((selected) => ({ key: selected.key, value: value(selected) })),
    /** Whether something of it is found in the rows. */
    usesRows: () => usesRows,
  };
}

function invalid(path: string, message: string): EngineError {
  return new EngineError("validation-failed", path, message);
}

function misplaced(field: SelectedField): EngineError {
  return new EngineError("unexpected", field.path, `field ${field.key} cannot stand here`, { status: 500 });
}
