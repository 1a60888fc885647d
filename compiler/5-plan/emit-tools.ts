/** Emits `roles/<role>/tools/<name>.ts`: a tool for assistants as one role sees it, with its finished plans. */
import type { RoleTool } from "../../runtime/model/definitions/tools/agent-tool.ts";
import type { SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import type { SavedOperationRef } from "../3-lower/ir.ts";
import { stringLiteral } from "../4-emit/escape.ts";
import { jsonCode } from "../4-emit/json-code.ts";
import { call, object, shorthand } from "../4-emit/layout.ts";
import { ModuleBuilder, type ModuleText } from "../4-emit/module-builder.ts";
import { agentToolPath, roleToolPath, savedPlansPath } from "../4-emit/paths.ts";
import { member } from "../4-emit/sources.ts";

/** `roles/<role>/tools/<name>.ts` */
export interface RoleToolIr extends Pick<RoleTool, "hints" | "input" | "output"> {
  readonly name: string;
  readonly role: string;
  readonly variant: SchemaVariant;
  /** Absent if the tool has its own. */
  readonly description?: string;
  /** The operation, if its plans have a module. */
  readonly planned?: SavedOperationRef;
}

export function emitRoleTool(ir: RoleToolIr, slice: string): ModuleText {
  const { name, role, variant, description, hints, input, output, planned } = ir;
  const caller = variant === "backend" ? `role ${role}, from a backend` : `role ${role}`;
  const module = new ModuleBuilder(roleToolPath(role, name, variant), { from: `tool ${name}: ${caller}`, slice }, [
    "tool",
  ]);
  const properties = [
    member("tool", module.import(agentToolPath(name), "tool", "definition")),
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
    member("hints", jsonCode(module, hints)),
    member("input", jsonCode(module, input)),
    member("output", jsonCode(module, output)),
    ...(planned === undefined ? [] : [shorthand(module.import(savedPlansPath(role, planned, variant), "plans"))]),
  ];
  module.export([`Tool ${name} for ${caller}.`], "tool", call(module.support("roleTool"), object(properties)));
  return module.print();
}
