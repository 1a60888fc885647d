/** Converts values of data operations to stored values. */

import type { Column } from "../../model/definitions/column.ts";
import { isJsonNumber, JsonNumber, numberText } from "../../values/json-number.ts";

/** Matches decimal numbers, capturing the fraction without trailing zeros. */
const fraction = /^(-?\d+)\.(\d*[1-9])?0*$/;

/** Pads the fraction of decimal numbers to a multiple of four digits, as this API has always stored them. */
export function storedValue(value: unknown, { type }: Column): unknown {
  if (type.graphql !== "numeric" || type.element !== undefined || !isJsonNumber(value)) return value;
  const [, whole, digits] = fraction.exec(numberText(value)) ?? [];
  if (whole === undefined) return value;
  if (digits === undefined) return new JsonNumber(whole);
  return new JsonNumber(`${whole}.${digits.padEnd(Math.ceil(digits.length / 4) * 4, "0")}`);
}
