/** Emits the action calls of a saved operation. Definitions of actions are imported. */
import type { OutputMember, OutputObject } from "../../runtime/model/planner/action-plan.ts";
import { stringLiteral } from "../4-emit/escape.ts";
import { exportName } from "../4-emit/identifiers.ts";
import { type Code, call, group, object } from "../4-emit/layout.ts";
import type { ModuleBuilder } from "../4-emit/module-builder.ts";
import { member } from "../4-emit/sources.ts";
import { positions, textsCode } from "./emit-texts.ts";
import type { ActionRequestIr } from "./plans-ir.ts";

export class ActionWriter {
  readonly #module: ModuleBuilder;

  constructor(module: ModuleBuilder) {
    this.#module = module;
  }

  /** @param reads the statements that read related rows for objects of the result */
  request({ action, use, path, args, defaults, output, afterWrites }: ActionRequestIr, reads: readonly Code[]): Code {
    const more = [
      ...(use === "action" ? [] : [member("use", stringLiteral(use))]),
      ...(args.length === 0 ? [] : [member("args", textsCode(args))]),
      ...(defaults.length === 0 ? [] : [member("defaults", textsCode(defaults))]),
      ...(output === null ? [] : [member("output", this.#object(output))]),
      ...(reads.length === 0 ? [] : [member("reads", group("[", reads, "]"))]),
      ...(afterWrites === 0 ? [] : [member("afterWrites", String(afterWrites))]),
    ];
    const definition = this.#module.import(action.path, action.name, exportName(action.as));
    return this.#call("actionRequest", definition, stringLiteral(path), ...(more.length === 0 ? [] : [object(more)]));
  }

  #call(name: string, ...args: readonly Code[]): Code {
    return call(this.#module.support(name), ...args);
  }

  #object({ members, place }: OutputObject): Code {
    const list = members.map((each) => this.#member(each));
    return this.#call("outputObject", group("[", list, "]"), ...(place === undefined ? [] : [positions({ place })]));
  }

  #member(selected: OutputMember): Code {
    const key = stringLiteral(selected.key);
    switch (selected.kind) {
      case "member": {
        const { name, object: inner } = selected;
        const more = [
          ...(name === selected.key ? [] : [member("as", key)]),
          ...(inner ? [member("object", this.#object(inner))] : []),
        ];
        return more.length === 0 ? key : this.#call("outputMember", stringLiteral(name), object(more));
      }
      case "constant":
        return this.#call("constantMember", key, stringLiteral(selected.value));
      case "join":
        return this.#call("joinKeyMember", key, ...selected.names.map(stringLiteral));
      case "read":
        return this.#call("readMember", key);
    }
  }
}
