/** Returns code that evaluates to a JSON value. */
import { isJsonNumber, numberText } from "../../runtime/values/json-number.ts";
import { stringLiteral } from "./escape.ts";
import { type Code, call, group, object } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { member } from "./sources.ts";

export function jsonCode(module: ModuleBuilder, value: unknown): Code {
  if (typeof value === "string") return stringLiteral(value);
  if (Array.isArray(value))
    return group(
      "[",
      value.map((item) => jsonCode(module, item)),
      "]",
    );
  if (typeof value === "number") return String(value);
  if (isJsonNumber(value)) return call(module.support("exactNumber"), stringLiteral(numberText(value)));
  if (typeof value !== "object" || value === null) return String(value);
  return object(Object.entries(value).map(([key, item]) => member(key, jsonCode(module, item))));
}
