/**
 * The condition on rows that lie on one side of a cursor. The first key of their order decides, and the next one where
 * it is equal. Written so that an index on the keys can be used.
 */
import { sourceValue, valueSlot } from "../../definitions/parameters.ts";
import { allOf, inParentheses, joinSql, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { decodeCursor, encodeCursorKey } from "../../relay/cursor.ts";
import type { Page, PageCursor } from "./connection-page.ts";
import type { BuildContext } from "./context.ts";
import { type OrderItem, typeOfItem } from "./order.ts";

type Side = "after" | "before" | "until" | "from";

/** A key of the order with its value in the cursor; `null`: the cursor has NULL there. */
interface CursorKey {
  readonly item: OrderItem;
  readonly value: Sql | null;
}

/** The condition on the rows of one side of a cursor. */
export function beyondCursor(
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
    const cast = verbatim(`::${typeOfItem(item).cast}`);
    const name = JSON.stringify([item.key, typeOfItem(item).cast, texts.use, path]);
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
