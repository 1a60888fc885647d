/** Labels of comparison operators. Operators without a label are listed last, by name. */
import type { ColumnOperator } from "../http/metadata-types.ts";

const labels: Readonly<Record<string, string>> = {
  _eq: "equals",
  _neq: "does not equal",
  _gt: "is greater than",
  _gte: "is at least",
  _lt: "is less than",
  _lte: "is at most",
  _in: "is in",
  _nin: "is not in",
  _is_null: "is null",
  _like: "is like",
  _ilike: "is like (case-insensitive)",
  _ceq: "equals column",
  _cneq: "does not equal column",
  _cgt: "is greater than column",
  _cgte: "is at least column",
  _clt: "is less than column",
  _clte: "is at most column",
};

const order = Object.keys(labels);

/** Returns the label of an operator, or its name if it has none. */
export const operatorLabel = (operator: string): string => labels[operator] ?? operator;

/** Returns the operators of a column as choices, plus `chosen` if the column lacks it. */
export function operatorChoices(column: { readonly operators: readonly ColumnOperator[] } | undefined, chosen: string) {
  const names = new Set([...(column?.operators ?? []).map(({ name }) => name), chosen]);
  const known = order.filter((name) => names.has(name));
  const others = [...names].filter((name) => !order.includes(name)).sort();
  return [...known, ...others].map((name) => ({ value: name, label: operatorLabel(name) }));
}
