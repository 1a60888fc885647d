/**
 * The condition on rows that lie on one side of a cursor. The first key of their order decides, and the next one where
 * it is equal. Written so that an index on the keys can be used.
 */
import type { RelayDialect } from "../../definitions/dialect.ts";
import { sourceValue, valueSlot } from "../../definitions/parameters.ts";
import { compared, operatorName } from "../../definitions/scalar-type.ts";
import { allOf, inParentheses, joinSql, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { decodeCursor, encodeCursorKey } from "../../relay/cursor.ts";
import type { Page, PageCursor } from "./connection-page.ts";
import { type BuildContext, relayOf } from "./context.ts";
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
 * Rows on one side of the cursor: the first key decides, the next one where it is equal. `undefined` where there can
 * be none.
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
  // The part that an index on the first key can use.
  return first.value && !first.item.nullable
    ? allOf([keyCompared(first, `${comparison(first, side)}=`, first.value), either])
    : either;
}

/**
 * One comparison for all keys, where none of them is NULL, all go the same way, and one name means the operators of
 * all: what an index is best at.
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

/** Which values of a key come later, or earlier. */
function comparison({ item }: CursorKey, side: Side): ">" | "<" {
  return isLater(side) === item.direction.descending ? "<" : ">";
}

const isLater = (side: Side): boolean => side === "after" || side === "from";

const sameKey = ({ item, value }: CursorKey, relay: RelayDialect): Sql =>
  value === null ? relay.isNull(item.value) : keyCompared({ item }, "=", value);

const keyCompared = ({ item }: Pick<CursorKey, "item">, symbol: string, value: Sql): Sql =>
  compared(item.value, symbol, value, typeOfItem(item));

/** Rows whose key lies on that side of the cursor's; `undefined` where there can be none. */
function strictlyBeyond(key: CursorKey, side: Side, relay: RelayDialect): Sql | undefined {
  const { item, value } = key;
  const hasNulls = item.nullable && (item.direction.nulls === "last") === isLater(side);
  if (value === null) return hasNulls || !item.nullable ? undefined : relay.isNotNull(item.value);
  const later = keyCompared(key, comparison(key, side), value);
  return hasNulls ? inParentheses(sql`${later} or ${relay.isNull(item.value)}`) : later;
}
