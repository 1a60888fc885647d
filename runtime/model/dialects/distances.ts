/** Operators and values of vectors that all databases share. */

import { pathTo } from "../../values/errors.ts";
import { isJsonNumber, numberText } from "../../values/json-number.ts";
import type { Distance } from "../definitions/distance.ts";
import type { StructuredOperator } from "../definitions/operator.ts";
import type { Encode } from "../definitions/parameters.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../definitions/sql.ts";
import { parseFailed, truncateAtNul } from "./encode.ts";

const descriptions: Readonly<Record<string, string>> = {
  l2_distance: "Euclidean distance",
  cosine_distance: "cosine distance: 0 for the same direction, 2 for opposite ones",
  inner_product_distance: "negative inner product, so that the most similar vectors come first",
  l1_distance: "taxicab distance",
};

/** Returns distances with their descriptions. */
export function distancesOf(type: ScalarType, forms: Readonly<Record<string, Distance["sql"]>>): readonly Distance[] {
  return Object.entries(forms).map(([name, form]) => ({
    name,
    description: descriptions[name] ?? name,
    type,
    sql: form,
  }));
}

const bounds = [
  ["_gt", ">"],
  ["_gte", ">="],
  ["_lt", "<"],
  ["_lte", "<="],
] as const;

/**
 * Returns the operators that compare the distance to a vector: `_cosine_distance: {to, _lt, …}`. Without a bound the
 * distance must exist, which it does not for a null.
 */
export function distanceOperators(vector: ScalarType, distances: readonly Distance[]): readonly StructuredOperator[] {
  return distances.map(({ name, type, description, sql: distance }) => ({
    kind: "structured",
    name: `_${name}`,
    description: `compares the ${description}`,
    inputType: `${vector.graphql}_distance_input`,
    fields: {
      to: { type: vector, required: true },
      ...Object.fromEntries(bounds.map(([bound]) => [bound, { type, required: false }])),
    },
    sql: (left, [to = sql`null`, ...given]) => {
      const value = sql`(${distance(left, to)})`;
      const conditions = given.flatMap((bound, i): readonly Sql[] => {
        const symbol = bounds[i]?.[1];
        return bound && symbol ? [sql`${value}${verbatim(` ${symbol} `)}${bound}`] : [];
      });
      return conditions.length === 0 ? sql`${value} is not null` : sql`(${joinSql(conditions, " and ")})`;
    },
  }));
}

/** Largest number of dimensions that a type of a supported database can have; limits the length of a request's list. */
const maxDimensions = 16_000;

/** Encodes a list of numbers as the JSON list that databases parse, or a text in the database's own form. */
export const encodeVector: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return truncateAtNul(value);
  if (!Array.isArray(value)) throw parseFailed(path, "expected a list of numbers for a vector");
  if (value.length > maxDimensions) {
    throw parseFailed(path, `a vector has at most ${maxDimensions} numbers, but the list has ${value.length}`);
  }
  const numbers = value.map((item: unknown, i) => {
    if (!isJsonNumber(item) || (typeof item === "number" && !Number.isFinite(item))) {
      throw parseFailed(pathTo(path, i), "expected a number of a vector");
    }
    return numberText(item);
  });
  return `[${numbers.join(",")}]`;
};
