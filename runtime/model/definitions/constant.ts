/**
 * Constants of permissions that the database must evaluate for each request: dates and times (`NOW()`), `reg*`. All
 * other constants are inlined into the SQL of generated modules.
 */

import { type Encoder, valueSlot } from "./parameters.ts";
import { parameter, type Sql } from "./sql.ts";

/** Encoder for texts that the type's input function parses. */
export const textAsIs: Encoder = { encode: (value) => String(value), code: { name: "textAsIs" } };

/**
 * Returns a constant as a parameter of the statement.
 * @param text parsed by the type's input function
 */
export function constant(text: string): Sql {
  return parameter(valueSlot({ kind: "constant", value: text }, textAsIs, "constant", "$"));
}
