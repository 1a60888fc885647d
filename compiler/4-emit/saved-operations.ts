/** `operations/<collection>.<query>.ts`: what all roles share of a saved operation. */
import { isJsonNumber, numberText } from "../../runtime/support/json-number.ts";
import type { SavedOperationIr } from "../3-lower/ir.ts";
import { multilineTemplate, stringLiteral } from "./escape.ts";
import { type Code, call, group, object } from "./layout.ts";
import { ModuleBuilder } from "./module-builder.ts";
import { operationPath } from "./paths.ts";
import { member } from "./sources.ts";

export function emitSavedOperation(ir: SavedOperationIr, slice: string): string {
  const { collection, name, kind, text, variables } = ir;
  const header = { from: `query ${name} of collection ${collection}`, slice };
  const module = new ModuleBuilder(operationPath(ir), header, ["operation"]);
  const properties = [
    member("collection", stringLiteral(collection)),
    member("name", stringLiteral(name)),
    member("kind", stringLiteral(kind)),
    member("text", multilineTemplate(text)),
    member(
      "variables",
      object(
        variables.map(({ name: variable, type, ...more }) => {
          const options = "default" in more ? [object([member("default", jsonCode(more.default))])] : [];
          return member(variable, call(module.support("variable"), stringLiteral(type), ...options));
        }),
      ),
    ),
  ];
  const define = module.support("savedOperation");
  module.declare([`Saved ${kind} ${name}.`], call(`export const operation = ${define}`, object(properties)));
  return module.toString();
}

/** A JSON value as code. Numbers that a JavaScript number does not hold are written as text, which stands for them. */
export function jsonCode(value: unknown): Code {
  if (typeof value === "string") return stringLiteral(value);
  if (Array.isArray(value)) return group("[", value.map(jsonCode), "]");
  if (typeof value === "number") return String(value);
  if (isJsonNumber(value)) return stringLiteral(numberText(value));
  if (typeof value !== "object" || value === null) return String(value);
  return object(Object.entries(value).map(([key, item]) => member(key, jsonCode(item))));
}
