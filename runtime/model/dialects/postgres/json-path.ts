/** Converts the `path` argument of JSON columns, such as `$.a.b[0]["c d"]`, to the array of keys for `#>`. */

import { EngineError } from "../../../values/errors.ts";
import type { Encode } from "../../definitions/parameters.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { pg, pgArray } from "./scalars.ts";

const step = /\.?\[(?:(\d+)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]|\.([A-Za-z_][A-Za-z0-9_-]*)/y;
const firstName = /[A-Za-z_][A-Za-z0-9_-]*/y;

/** Returns the keys of a path, or `undefined` for an invalid path. */
export function parseJsonPath(text: string): string[] | undefined {
  const keys: string[] = [];
  let position = text.startsWith("$") ? 1 : 0;
  if (position === 0) {
    firstName.lastIndex = 0;
    const first = firstName.exec(text);
    if (first) {
      keys.push(first[0]);
      position = firstName.lastIndex;
    }
  }
  while (position < text.length) {
    step.lastIndex = position;
    const match = step.exec(text);
    if (!match) return undefined;
    const [, index, double, single, name] = match;
    keys.push(index ?? name ?? (double ?? single ?? "").replace(/\\(.)/g, "$1"));
    position = step.lastIndex;
  }
  return keys;
}

const texts = pgArray(pg("text"));

const encodePath: Encode = (value, path) => {
  const keys = typeof value === "string" ? parseJsonPath(value) : undefined;
  if (keys) return texts.encode(keys, path);
  throw new EngineError(
    "validation-failed",
    path,
    `parse json path error: ${String(value)}. Accept letters, digits, underscore (_) or hyphen (-) only. Use quotes enclosed in bracket (["..."]) if there is any special character`,
  );
};

/** The parameter type of a path. */
export const jsonPathType: ScalarType = { ...texts, encode: encodePath, code: { name: "jsonPathType" } };
