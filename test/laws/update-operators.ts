/** The effect of update operators on values, as in PostgreSQL, in plain TypeScript. */
import type { Choices } from "./choices.ts";
import type { ColumnType, Value } from "./column-types.ts";

type Members = { readonly [key: string]: Value };

const isArray = (value: Value): value is readonly Value[] => Array.isArray(value);
const isObject = (value: Value): value is Members => value !== null && typeof value === "object" && !isArray(value);

/** Returns the update operators for columns of a type. */
export function operatorsOf(type: ColumnType): readonly string[] {
  if (type.aggregates === "numeric") return ["_set", "_inc"];
  if (type.sql === "jsonb") return ["_set", "_append", "_prepend", "_delete_key", "_delete_elem", "_delete_at_path"];
  return ["_set"];
}

export function randomOperand(choices: Choices, operator: string, type: ColumnType): Value {
  switch (operator) {
    case "_delete_key":
      return choices.pick(["a", "b", "no"]);
    case "_delete_elem":
      return choices.pick([0, 1, -1, 7]);
    case "_delete_at_path":
      return choices.pick([["a"], ["b", "a"], ["no"], []]);
    default:
      return choices.pick(type.values);
  }
}

/** Returns the new value; `undefined` if PostgreSQL raises an error. */
export function applyChange(operator: string, type: ColumnType, old: Value, operand: Value): Value | undefined {
  if (operator === "_set") return operand;
  if (old === null || operand === null) return null;
  switch (operator) {
    case "_inc":
      return sum(type, Number(old), Number(operand));
    case "_append":
      return concatenated(old, operand);
    case "_prepend":
      return concatenated(operand, old);
    case "_delete_key":
      return withoutKey(old, String(operand));
    case "_delete_elem":
      return withoutElement(old, Number(operand));
    case "_delete_at_path":
      return withoutPath(old, operand as readonly string[]);
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}

function sum(type: ColumnType, a: number, b: number): number | undefined {
  if (type.sql === "integer") return Math.abs(a + b) > 2_147_483_647 ? undefined : a + b;
  return type.sql.startsWith("numeric") ? Math.round((a + b) * 100) / 100 : a + b;
}

/** Implements `||`: merges objects; other values become elements of a list, unless they are lists. */
function concatenated(left: Value, right: Value): Value {
  if (isObject(left) && isObject(right)) return { ...left, ...right };
  return [...(isArray(left) ? left : [left]), ...(isArray(right) ? right : [right])];
}

/** Implements `- text`: removes a key of an object, or strings of a list. */
function withoutKey(value: Value, key: string): Value | undefined {
  if (isArray(value)) return value.filter((item) => item !== key);
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** Implements `- integer`: negative indexes count from the end. */
function withoutElement(value: Value, index: number): Value | undefined {
  if (!isArray(value)) return undefined;
  const at = index < 0 ? value.length + index : index;
  return value.filter((_, i) => i !== at);
}

/** Implements `#-` with keys of objects. */
function withoutPath(value: Value, [key, ...rest]: readonly string[]): Value | undefined {
  if (!isArray(value) && !isObject(value)) return undefined;
  if (key === undefined) return value;
  if (isArray(value)) return value.length === 0 ? value : undefined;
  if (!Object.hasOwn(value, key)) return value;
  if (rest.length === 0) return withoutKey(value, key);
  const inner = value[key] ?? null;
  if (!isArray(inner) && !isObject(inner)) return value;
  const changed = withoutPath(inner, rest);
  return changed === undefined ? undefined : { ...value, [key]: changed };
}
