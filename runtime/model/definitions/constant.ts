/**
 * Constants of permissions that the database has to read anew for each request: dates and times (`NOW()`), `reg*`.
 * All other constants stand in the SQL text of the generated modules.
 */

import { type Encoder, valueSlot } from "./parameters.ts";
import { parameter, type Sql } from "./sql.ts";

/** For texts that the type's input reads. */
export const textAsIs: Encoder = { encode: (value) => String(value), code: { name: "textAsIs" } };

/** A constant as a parameter of the statement; `text` is what the type's input reads. */
export function constant(text: string): Sql {
  return parameter(valueSlot({ kind: "constant", value: text }, textAsIs, "constant", "$"));
}
