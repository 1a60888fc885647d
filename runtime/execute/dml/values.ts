/** Values of data operations as they are stored. */

import type { Column } from "../../model/definitions/column.ts";
import { isJsonNumber, JsonNumber, numberText } from "../../values/json-number.ts";

/** The last digit of the second group is not 0. */
const fraction = /^(-?\d+)\.(\d*[1-9])?0*$/;

/** This API stores decimal numbers with a multiple of four digits after the point. */
export function storedValue(value: unknown, { type }: Column): unknown {
  if (type.graphql !== "numeric" || type.element !== undefined || !isJsonNumber(value)) return value;
  const [, whole, digits] = fraction.exec(numberText(value)) ?? [];
  if (whole === undefined) return value;
  if (digits === undefined) return new JsonNumber(whole);
  return new JsonNumber(`${whole}.${digits.padEnd(Math.ceil(digits.length / 4) * 4, "0")}`);
}
