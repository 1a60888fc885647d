/**
 * Pages of rows for the Relay API: rows in a total order, after or before a cursor. Reading one row more than the limit
 * shows whether there is a next page; an EXISTS shows whether there are rows on the other side of the cursor. Both run
 * only if they are selected.
 */
import { EngineError } from "../../../values/errors.ts";
import { lazy } from "../../../values/lazy.ts";
import type { Alias } from "../../definitions/column.ts";
import type { JsonField, JsonMember } from "../../definitions/dialect.ts";
import { inParentheses, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { type Page, readPage } from "./connection-page.ts";
import { type BaseRows, baseRows, existsBeyond, sliceOf } from "./connection-rows.ts";
import { type BuildContext, relayOf } from "./context.ts";
import { type OrderItem, typeOfItem } from "./order.ts";
import { fromClause, type Origin, type Scope } from "./scope.ts";

/** Selects the fields of a row and adds the necessary joins to the scope. */
export type RowFields = (
  selection: readonly SelectedField[],
  scope: Scope,
  row: Alias,
  context: BuildContext,
) => readonly JsonField[];

/** Returns the JSON object of a connection. */
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
    const forward = context.dialect.keepsOrder ? undefined : number();
    const position = page.isBackward ? sql`${number()} desc` : forward;
    return context.dialect.jsonAggregate(carry(object), { filter: kept(), position });
  };
  const cursor = lazy(() => carry(cursorOf(base.keys, context)));
  const pageInfo = pageInfoOf(page, { number, kept, cursor }, context, () =>
    existsBeyond(view, field, context, origin, page),
  );
  const parts = field.selection.map((selected): JsonMember => {
    const { key } = selected;
    switch (selected.meta.kind) {
      case "constant":
        return { key, value: context.dialect.textLiteral(selected.meta.value) };
      case "edges":
        return { key, value: edges(selected), holdsJson: true };
      case "page_info":
        return { key, members: pageInfo.fields(selected.selection) };
      default:
        throw misplaced(selected);
    }
  });
  const { dialect } = context;
  if (carried.length === 0 && !pageInfo.usesRows()) return objectOf(parts, context);
  // If derived tables do not keep their order, ORDER BY only selects the rows that a limit keeps.
  const orderBy = dialect.keepsOrder || slice.limit ? slice.orderBy : [];
  const columns = carried.length > 0 ? carried : [sql`1 as c1`];
  const select = (more: readonly Sql[]): Sql =>
    dialect.select({ columns: [...columns, ...more], from: fromClause(base.scope), ...slice, orderBy });
  if (!isNumbered) return dialect.jsonOfAggregates(parts, select([]), rows);
  const numbered = dialect.keepsOrder
    ? sql`select r.*, ${dialect.rowNumber([])} as n from (${select([])}) r`
    : select([sql`${dialect.rowNumber(slice.orderBy)} as n`]);
  return dialect.jsonOfAggregates(parts, numbered, rows);
}

/** Returns the JSON object of a connection that needs no rows. */
function objectOf(members: readonly JsonMember[], context: BuildContext): Sql {
  const fields = members.map((member): JsonField => {
    return "members" in member ? { key: member.key, value: objectOf(member.members, context) } : member;
  });
  return context.dialect.jsonObject(fields);
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
        return { key, value: cursorOf(base.keys, context) };
      case "edge_node": {
        const { scope } = base;
        return { key, value: context.dialect.jsonObject(rowFields(selected.selection, scope, scope.alias, context)) };
      }
      default:
        throw misplaced(selected);
    }
  });
}

/** Expressions of the outer selection over the rows. */
interface PageRows {
  /** Returns the row number, counted from 1, in the order in which rows are read. */
  readonly number: () => Sql;
  /** Returns the condition that the row is on the page; `undefined` if all rows are. */
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
  const relay = relayOf(context);
  const rowCursor = (isLast: boolean): Sql => {
    usesRows = true;
    const end = isLast === isBackward ? "first" : "last";
    const text = relay.textAt(end, cursor(), number(), kept());
    return sql`coalesce(${text}, ${context.dialect.textLiteral("")})`;
  };
  /** Returns true if there are rows before the page's first row, or after its last. */
  const hasMore = (isLast: boolean): Sql => {
    const isAhead = isLast !== isBackward && looksAhead && limit !== undefined;
    const isOpposite = given !== undefined && (given.side === "before") === isLast;
    const reasons = [
      ...(isAhead ? [sql`count(*) > ${limit}`] : []),
      ...(isOpposite ? [existsOpposite()].filter((exists) => exists !== undefined) : []),
    ];
    if (reasons.length === 0) return relay.truth(context.dialect.never);
    usesRows = true;
    const count = sql`count(*)`;
    const isEmpty = limit ? sql`${context.dialect.smaller(count, limit)} = 0` : sql`${count} = 0`;
    return relay.truth(sql`not ${isEmpty} and ${inParentheses(joinSql(reasons, " or "))}`);
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
    /** Returns true if a selected field depends on the rows. */
    usesRows: () => usesRows,
  };
}

function misplaced(field: SelectedField): EngineError {
  return new EngineError("unexpected", field.path, `field ${field.key} is not allowed here`, { status: 500 });
}

// Cursors are built by the statement that reads the row, and decoded by `runtime/model/relay/cursor.ts`.

/** Returns the keys in the structure of `order_by`. */
function cursorOf(keys: readonly OrderItem[], context: BuildContext): Sql {
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
  const relay = relayOf(context);
  const type = typeOfItem(item);
  return relay.keepsValue(type) ? item.value : relay.textOf({ value: item.value, type });
}
