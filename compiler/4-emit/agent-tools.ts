/** Emits `tools/<name>.ts`: a tool for assistants, the same for all roles. */
import type { AgentToolIr } from "../3-lower/ir.ts";
import { stringLiteral } from "./escape.ts";
import { jsonCode } from "./json-code.ts";
import { call, object, shorthand } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { agentToolPath, operationPath } from "./paths.ts";
import { member } from "./sources.ts";

export function emitAgentTool(ir: AgentToolIr, slice: string): ModuleText {
  const { name, title, description, operation, limits, scopes } = ir;
  const module = new ModuleBuilder(agentToolPath(name), { from: `tool ${name}`, slice }, ["tool"]);
  const properties = [
    member("name", stringLiteral(name)),
    ...(title === undefined ? [] : [member("title", stringLiteral(title))]),
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
    shorthand(module.import(operationPath(operation), "operation")),
    member("limits", jsonCode(module, limits)),
    ...(scopes === undefined ? [] : [member("scopes", jsonCode(module, scopes))]),
  ];
  const define = module.support("agentTool");
  const comment = `Tool for assistants: query ${operation.name} of collection ${operation.collection}.`;
  module.export([comment], "tool", call(define, object(properties)));
  return module.print();
}
