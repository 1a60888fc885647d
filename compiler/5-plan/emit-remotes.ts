/** Emits the remote requests of a saved operation. Remote schemas and relationships are imported from their modules. */

import type { RemoteNode } from "../../runtime/model/planner/request/remote/remote-request.ts";
import { stringLiteral } from "../4-emit/escape.ts";
import { exportName } from "../4-emit/identifiers.ts";
import { jsonCode } from "../4-emit/json-code.ts";
import { type Code, call, group, object } from "../4-emit/layout.ts";
import type { ModuleBuilder } from "../4-emit/module-builder.ts";
import { member } from "../4-emit/sources.ts";
import { textsCode } from "./emit-texts.ts";
import type { ExportIr, RelationshipRefIr } from "./exported-values.ts";
import type { JoinedArgumentIr, RemotePlaceIr, RemoteRequestIr, RemoteVariableIr, TypenamesIr } from "./remotes-ir.ts";

export class RemoteWriter {
  readonly #module: ModuleBuilder;

  constructor(module: ModuleBuilder) {
    this.#module = module;
  }

  request({ remote, operation, name, fields, variables, afterWrites }: RemoteRequestIr): Code {
    const requested = fields.map(({ field, typenames }) =>
      this.#call("rootSelection", this.#node(field), ...(typenames ? [typenamesCode(typenames)] : [])),
    );
    const members = [
      member("operation", stringLiteral(operation)),
      ...(name === undefined ? [] : [member("name", stringLiteral(name))]),
      member("fields", group("[", requested, "]")),
      ...this.#variables(variables),
      ...(afterWrites === 0 ? [] : [member("afterWrites", String(afterWrites))]),
    ];
    return this.#call("remoteRequest", this.#import(remote), object(members));
  }

  /** @param joins code with the locations of nested join keys, if any */
  place(place: RemotePlaceIr, joins: readonly Code[]): Code {
    const { join, path, call: fields, type, selection, typenames, members, variables } = place;
    const calls = fields.map(({ name, args }) =>
      this.#call("callOf", stringLiteral(name), ...(args.length === 0 ? [] : [this.#named(args, join)])),
    );
    const written = [
      member("call", group("[", calls, "]")),
      member("type", stringLiteral(type)),
      ...(selection === null ? [] : [member("selection", this.#selection(selection))]),
      ...(typenames === undefined ? [] : [member("typenames", typenamesCode(typenames))]),
      ...this.#variables(variables),
      ...(members === undefined ? [] : [member("members", group("[", members.map(stringLiteral), "]"))]),
      ...joins.map((code) => member("joins", code)),
    ];
    return this.#call("remotePlace", this.#relationship(join), stringLiteral(path), object(written));
  }

  #call(name: string, ...args: readonly Code[]): Code {
    return call(this.#module.support(name), ...args);
  }

  #import({ path, name, as }: ExportIr): Code {
    return this.#module.import(path, name, exportName(as));
  }

  #relationship({ from, type, name }: RelationshipRefIr): Code {
    const owner = this.#import(from);
    if (type === undefined) return this.#call("relationshipOf", owner, stringLiteral(name));
    return this.#call("relationshipOfType", owner, stringLiteral(type), stringLiteral(name));
  }

  #variables(variables: readonly RemoteVariableIr[]): readonly Code[] {
    if (variables.length === 0) return [];
    return [
      member(
        "variables",
        group(
          "[",
          variables.map((variable) => this.#variable(variable)),
          "]",
        ),
      ),
    ];
  }

  #variable(variable: RemoteVariableIr): Code {
    const { name, type } = variable;
    if (variable.kind === "session") {
      return this.#call("remoteSessionVariable", ...[name, variable.variable, type].map(stringLiteral));
    }
    const { remote, declared, path, defaultValue, otherwise } = variable;
    const more = [
      ...(type === declared ? [] : [member("type", stringLiteral(type))]),
      ...(defaultValue === undefined ? [] : [member("defaultValue", stringLiteral(defaultValue))]),
      ...(otherwise === undefined ? [] : [member("otherwise", jsonCode(this.#module, otherwise))]),
    ];
    const args = [this.#import(remote), ...[name, declared, path].map(stringLiteral)];
    return this.#call("remoteVariable", ...args, ...(more.length === 0 ? [] : [object(more)]));
  }

  #named(args: readonly (readonly [name: string, value: JoinedArgumentIr])[], join: RelationshipRefIr): Code {
    return object(args.map(([name, value]) => member(name, this.#argument(value, join))));
  }

  #argument(argument: JoinedArgumentIr, join: RelationshipRefIr): Code {
    switch (argument.kind) {
      case "text":
        return stringLiteral(argument.text);
      case "key":
        return this.#call("keyAt", String(argument.key));
      case "keys":
        return this.#call("listOfKeys", this.#argument(argument.item, join));
      case "list":
        return this.#call("listWith", ...argument.items.map((item) => this.#argument(item, join)));
      case "object":
        return this.#call("objectWith", this.#named(argument.fields, join));
      case "variable": {
        const { name, within, type, path, standard } = argument;
        return this.#call(
          "mergedInput",
          this.#relationship(join),
          stringLiteral(name),
          group("[", within.map(stringLiteral), "]"),
          stringLiteral(type),
          stringLiteral(path),
          ...(standard === undefined ? [] : [this.#argument(standard, join)]),
        );
      }
    }
  }

  #selection(nodes: readonly RemoteNode[]): Code {
    return group(
      "[",
      nodes.map((node) => this.#node(node)),
      "]",
    );
  }

  #node(node: RemoteNode): Code {
    if (node.kind === "fragment") {
      const type = node.type === undefined ? "null" : stringLiteral(node.type);
      return this.#call("selectedOn", type, this.#selection(node.selection));
    }
    const { key, name, args, selection, lists } = node;
    const more = [
      ...(key === name ? [] : [member("as", stringLiteral(key))]),
      ...(args.length === 0 ? [] : [member("args", textsCode(args))]),
      ...(lists === 0 ? [] : [member("lists", String(lists))]),
      ...(selection === null ? [] : [member("selection", this.#selection(selection))]),
    ];
    return more.length === 0 ? stringLiteral(name) : this.#call("selected", stringLiteral(name), object(more));
  }
}

function typenamesCode(places: TypenamesIr): Code {
  return object(
    Object.entries(places).map(([key, place]) =>
      member(key, typeof place === "string" ? stringLiteral(place) : typenamesCode(place)),
    ),
  );
}
