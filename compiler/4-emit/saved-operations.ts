/** Emits `operations/<collection>.<query>.ts`: the definition of a saved operation, shared by all roles. */
import type { SavedOperationIr } from "../3-lower/ir.ts";
import { stringLiteral, templateLines } from "./escape.ts";
import { jsonCode } from "./json-code.ts";
import { call, object } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { operationPath } from "./paths.ts";
import { member } from "./sources.ts";

export function emitSavedOperation(ir: SavedOperationIr, slice: string): ModuleText {
  const { collection, name, kind, text, variables } = ir;
  const header = { from: `query ${name} of collection ${collection}`, slice };
  const module = new ModuleBuilder(operationPath(ir), header, ["operation"]);
  const properties = [
    member("collection", stringLiteral(collection)),
    member("name", stringLiteral(name)),
    ...(ir.operationName === undefined ? [] : [member("operationName", stringLiteral(ir.operationName))]),
    member("kind", stringLiteral(kind)),
    member("text", `\`${templateLines(text)}\``),
    member(
      "variables",
      object(
        variables.map(({ name: variable, type, ...more }) => {
          const options = [
            ...("default" in more ? [member("default", jsonCode(module, more.default))] : []),
            ...(more.unused ? [member("unused", "true")] : []),
          ];
          const last = options.length === 0 ? [] : [object(options)];
          return member(variable, call(module.support("variable"), stringLiteral(type), ...last));
        }),
      ),
    ),
  ];
  const define = module.support("savedOperation");
  module.export([`Saved ${kind} ${name}.`], "operation", call(define, object(properties)));
  return module.print();
}
