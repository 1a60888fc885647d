/** Reads `limit`, `offset`, `distinct_on`, `order_by` and `where` of a list. */

import { kindOfValue } from "../../../values/describe-json.ts";
import { EngineError, pathTo } from "../../../values/errors.ts";
import { isJsonNumber, numberText } from "../../../values/json-number.ts";
import { type Column, columnValue } from "../../definitions/column.ts";
import type { Encode, Encoder } from "../../definitions/parameters.ts";
import { type Sql, verbatim } from "../../definitions/sql.ts";
import type { Input } from "../request/input.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import { type BuildContext, operand } from "./context.ts";
import { type OrderItem, orderBy, orderItems } from "./order.ts";
import type { Scope } from "./scope.ts";
import { condition } from "./where.ts";

export interface ListArguments {
  readonly where: Sql | undefined;
  /** Empty in databases without `distinct on`. */
  readonly distinctOn: readonly Sql[];
  readonly orderBy: readonly Sql[];
  /** The items of `orderBy`. */
  readonly items: readonly OrderItem[];
  /** Limit of the argument, without the limit of the permission. */
  readonly limit: Sql | undefined;
  readonly offset: Sql | undefined;
}

/** Reads the arguments of a list field for the rows of a scope. */
export function listArguments(field: SelectedRows, scope: Scope, context: BuildContext): ListArguments {
  const { naming } = scope.view.table.source;
  const argument = (name: string): Input | undefined => field.args.get(naming.field(name));
  const where = argument("where");
  const items = orderItems(argument("order_by"), scope, context);
  const distinct = distinctColumns(argument("distinct_on"));
  checkDistinct(distinct, items, field);
  return {
    where: where ? condition(where, scope.alias, context) : undefined,
    distinctOn: context.dialect.distinctOn
      ? distinct.map((column) => columnValue(column, scope.alias, context.session))
      : [],
    orderBy: orderBy(items, context),
    items,
    ...pageArguments(field, context),
  };
}

/** Reads `limit` and `offset`. */
export function pageArguments(
  { args }: Pick<SelectedRows, "args">,
  context: BuildContext,
): Pick<ListArguments, "limit" | "offset"> {
  const [limit, offset] = [args.get("limit"), args.get("offset")];
  const { bigintParameterType } = context.dialect;
  return {
    limit: limit ? operand(limit, bigintParameterType, limitValue) : undefined,
    offset: offset ? operand(offset, bigintParameterType, offsetValue) : undefined,
  };
}

/** Returns the smaller of the argument's limit and the permission's. */
export function effectiveLimit(
  argument: Sql | undefined,
  rowLimit: number | undefined,
  { dialect }: BuildContext,
): Sql | undefined {
  if (rowLimit === undefined) return argument;
  const permitted = verbatim(String(rowLimit));
  return argument ? dialect.smaller(argument, permitted) : permitted;
}

/** Returns the columns of `distinct_on`. */
export function distinctColumns(input: Input | undefined): readonly Column[] {
  if (!input) return [];
  const items = input.kind === "list" ? input.items : [input];
  return items.flatMap((item) => (item.kind === "enum" && item.meta.kind === "column" ? [item.meta.column] : []));
}

/** Checks that the column types support equality, and that the first `order_by` items are the `distinct_on` columns. */
export function checkDistinct(distinct: readonly Column[], items: readonly OrderItem[], field: SelectedRows): void {
  checkDistinguishable(distinct, pathTo(field.path, "args", "distinct_on"));
  const columns = new Set(distinct);
  if (columns.size === 0 || items.length === 0) return;
  const first = new Set(items.slice(0, columns.size).map((item) => item.column));
  const same = first.size === columns.size && [...columns].every((column) => first.has(column));
  if (same) return;
  throw new EngineError(
    "validation-failed",
    pathTo(field.path, "args"),
    '"distinct_on" columns must match initial "order_by" columns',
  );
}

/**
 * Checks that the types of columns support equality.
 * @throws EngineError for a column whose type has no equality in the database
 */
export function checkDistinguishable(columns: readonly Column[], path: string): void {
  const column = columns.find(({ type }) => type.unordered);
  if (column === undefined) return;
  const message = `values of type "${column.type.cast}" cannot be compared for equality: "${column.field}"`;
  throw new EngineError("validation-failed", path, message);
}

const maximumInt = 2_147_483_647;

/** Encodes non-negative 32-bit integers. */
const encodeLimit: Encode = (value, path, literal) => {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maximumInt) return String(value);
  throw wrongNumber("a non-negative 32-bit integer", value, path, literal);
};

/** Encodes 64-bit integers and strings of digits; the database refuses negative values. */
const encodeOffset: Encode = (value, path, literal) => {
  const text = isJsonNumber(value) ? numberText(value) : value;
  if (typeof text === "string" && /^-?\d{1,19}$/.test(text)) return text;
  const expected = "a 32-bit integer, or a 64-bit integer represented as a string";
  throw wrongNumber(expected, value, path, literal);
};

export const limitValue: Encoder = { encode: encodeLimit, code: { name: "limitValue" } };
export const offsetValue: Encoder = { encode: encodeOffset, code: { name: "offsetValue" } };

function wrongNumber(expected: string, value: unknown, path: string, literal = false): EngineError {
  const found = kindOfValue(value, literal);
  return new EngineError("validation-failed", path, `expected ${expected} for type 'Int', but found ${found}`);
}
