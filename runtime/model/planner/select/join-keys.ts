/** Selects the keys of a row instead of the joined value. */

import { invariant } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import { isPadded } from "../../definitions/join-key-types.ts";
import type { JoinKey } from "../../definitions/remote-relationship.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { valueOfRow } from "./call.ts";
import type { BuildContext } from "./context.ts";

/**
 * Returns one key as JSON, and several keys (or none) as an object with `k1`, `k2`, …; NULL if one of them is NULL. Keys
 * are not part of the response, so the role needs no permission to read them.
 */
export function joinKeys(keys: readonly JoinKey[], row: Alias, context: BuildContext): Sql {
  const values = keys.map((key) => keyValue(key, row, context));
  const [only, ...others] = values.map(({ json }) => json);
  if (only && others.length === 0) return only;
  const object = context.dialect.jsonObject(values.map(({ json }, i) => ({ key: `k${i + 1}`, value: json })));
  if (values.length === 0) return object;
  const areGiven = values.map(({ value }) => sql`${value} is not null`);
  return context.dialect.jsonWhere(joinSql(areGiven, " and "), object);
}

function keyValue({ name, value }: JoinKey, row: Alias, context: BuildContext) {
  invariant(value, `rows of a table have a value for key ${name}`);
  const found = "kind" in value ? valueOfRow(value, row, context) : sql`${row}.${verbatim(value.sql)}`;
  // Padding must not become part of the text.
  if (isPadded(value.type)) return { value: found, json: sql`rtrim(${found})` };
  return { value: found, json: value.type.output?.(found, context.options) ?? found };
}
