/**
 * Selects the first rows of each group: for the argument `top_per` of lists, and for `distinct_on` in databases without
 * `distinct on`.
 */

import { EngineError, pathTo } from "../../../values/errors.ts";
import { type Column, columnValue } from "../../definitions/column.ts";
import { renderWith, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { Input } from "../request/input.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import { checkDistinguishable, distinctColumns, limitValue } from "./arguments.ts";
import { type BuildContext, operand } from "./context.ts";
import { keyItem, type OrderItem, orderBy } from "./order.ts";
import { fromClause, type Origin, type Scope, wholeRow } from "./scope.ts";

/** The first `limit` rows for each combination of the columns' values. */
export interface TopPer {
  readonly columns: readonly Column[];
  readonly limit: Sql;
  /** The columns of the table, or all with `*`. */
  readonly row: Sql;
  /** FROM clause with the joins that the order needs. */
  readonly from: Sql;
  /** Order within a group; the primary key comes last, so that the rows of a group are always the same. */
  readonly order: readonly Sql[];
}

interface ListOrder {
  readonly items: readonly OrderItem[];
  /** Default order. */
  readonly order?: Origin["order"] | undefined;
}

/**
 * Reads the arguments of a list. All rows are one group without columns.
 * @throws EngineError if the list has `distinct_on` too, or if values of a column cannot be compared
 */
export function topPerOf(
  field: SelectedRows,
  sorted: ListOrder,
  scope: Scope,
  context: BuildContext,
): TopPer | undefined {
  const { naming } = scope.view.table.source;
  const name = naming.field("top_per");
  const input = field.args.get(name);
  const distinct = naming.field("distinct_on");
  const distinctOn = distinctColumns(field.args.get(distinct));
  if (input?.kind !== "object") {
    const isNumbered = distinctOn.length > 0 && !context.dialect.distinctOn;
    return isNumbered ? topPer(distinctOn, sql`1`, sorted, scope, context) : undefined;
  }
  if (distinctOn.length > 0) {
    const message = `"${name}" cannot be combined with "${distinct}": a list has either the first rows of each group or one row for each value`;
    throw new EngineError("validation-failed", pathTo(field.path, "args"), message);
  }
  const member = (key: string): Input | undefined => input.members.find((each) => each.name === key)?.value;
  const columns = distinctColumns(member("columns"));
  checkDistinguishable(columns, pathTo(input.path, "columns"));
  const limit = member("limit");
  if (!limit) throw new EngineError("unexpected", input.path, "expected a limit", { status: 500 });
  return topPer(columns, operand(limit, context.dialect.bigintParameterType, limitValue), sorted, scope, context);
}

/** Returns the first rows of each group, in the order of a list. */
export function topPer(
  columns: readonly Column[],
  limit: Sql,
  { items, order }: ListOrder,
  scope: Scope,
  context: BuildContext,
): TopPer {
  return {
    columns: [...new Set(columns)],
    limit,
    row: wholeRow(scope, context),
    from: fromClause(scope),
    order: items.length === 0 && order ? [order(scope.alias)] : orderBy(withKey(items, scope, context), context),
  };
}

/** Adds the columns of the primary key that do not occur in the order; a column that is hidden in some rows occurs too. */
function withKey(items: readonly OrderItem[], { view, alias }: Scope, context: BuildContext): readonly OrderItem[] {
  const given = new Set(items.flatMap(({ column }) => (column && !column.visible ? [column.sql] : [])));
  const rest = view.table.primaryKey.filter((key) => !given.has(key.sql));
  return [...items, ...rest.map((key) => keyItem(key, alias, context))];
}

/** A table with a column of this name cannot be used with `top_per`. */
const place = "place in group";

/**
 * Returns the first rows of each group as a FROM item with the columns of the table.
 * @param where condition on the rows before they are counted: the permission's, and the request's
 * @param uses expressions over the FROM item, with the alias of the scope
 */
export function topRows(
  { columns, limit, row: all, from, order }: TopPer,
  { alias, where, uses }: { readonly alias: Sql; readonly where: Sql | undefined; readonly uses: readonly Sql[] },
  context: BuildContext,
): Sql {
  const { dialect } = context;
  const number = verbatim(dialect.quoteIdentifier(place));
  const groups = columns.map((column) => ({ value: columnValue(column, alias, context.session), type: column.type }));
  // A function of a row accepts only the columns of its table, so the row is kept as one value beside its number.
  const isWhole = uses.some((use) => textOf(use).includes(`${textOf(alias)}.*`));
  const row = isWhole ? sql`coalesce(${alias}.*) as r` : all;
  const numbered = dialect.select({
    columns: [row, sql`${dialect.rowNumber(order, groups)} as ${number}`],
    from,
    where,
  });
  const kept = isWhole ? sql`(g.r).*` : sql`g.*`;
  return sql`(select ${kept} from (${numbered}) g where g.${number} <= ${limit})`;
}

const textOf = (fragment: Sql): string => renderWith(fragment, () => "?").text;
