/** `remotes/<name>/` and `roles/<role>/(remotes)/<name>.ts`: remote servers, and what roles may ask of them. */
import type { WebhookHeader } from "../../runtime/model/definitions/input-validation.ts";
import type { RemotePreset, RemotePresets } from "../../runtime/model/definitions/remote/remote-schema.ts";
import type { RemoteJoinsIr, RemoteSchemaIr, RemoteServerIr, TypeRelationshipsIr } from "../3-lower/ir.ts";
import { stringLiteral, templateLines } from "./escape.ts";
import { type Code, call, group, object } from "./layout.ts";
import { ModuleBuilder } from "./module-builder.ts";
import { remotePartPath, remoteSchemaPath, remoteServerPath } from "./paths.ts";
import { remoteRelationshipsCode } from "./remote-relationships.ts";
import { member } from "./sources.ts";

export function emitRemoteServer(server: RemoteServerIr, slice: string): string {
  const { name, url, headers, forwardClientHeaders, timeoutSeconds, batchRootFields } = server;
  const module = new ModuleBuilder(remoteServerPath(name), { from: `remote schema ${name}`, slice }, ["server"]);
  const options = [
    ...(headers.length === 0 ? [] : [member("headers", group("[", headers.map(headerCode), "]"))]),
    ...(forwardClientHeaders ? [member("forwardClientHeaders", "true")] : []),
    ...(timeoutSeconds === undefined ? [] : [member("timeoutSeconds", String(timeoutSeconds))]),
    ...(batchRootFields ? [member("batchRootFields", "true")] : []),
  ];
  const last = options.length === 0 ? [] : [object(options)];
  const define = `export const server = ${module.support("remoteServer")}`;
  module.declare(
    [`The server of remote schema ${name}.`],
    call(define, stringLiteral(name), stringLiteral(url), ...last),
  );
  return module.toString();
}

function headerCode(header: WebhookHeader): Code {
  const value =
    "value" in header
      ? member("value", stringLiteral(header.value))
      : member("valueFromEnv", stringLiteral(header.valueFromEnv));
  return object([member("name", stringLiteral(header.name)), value]);
}

export function emitRemoteSchema(ir: RemoteSchemaIr, slice: string): string {
  const { role, name } = ir;
  const path = role === null ? remoteSchemaPath(name) : remotePartPath(role, name);
  const from = `remote schema ${name}${role === null ? "" : `; role ${role}`}`;
  const module = new ModuleBuilder(path, { from, slice }, ["remote"]);
  const comment =
    role === null ? `All that remote schema ${name} offers.` : `What role ${role} may ask of remote schema ${name}.`;
  const server = module.import(remoteServerPath(name), "server");
  const define = `export const remote = ${module.support("remoteSchema")}`;
  module.declare([comment], call(define, server, object(partsCode(module, ir))));
  return module.toString();
}

/** The remote schema that all share, with what one role joins to its objects. */
export function emitRemoteJoins({ role, name, relationships }: RemoteJoinsIr, slice: string): string {
  const from = `remote schema ${name}; role ${role}`;
  const module = new ModuleBuilder(remotePartPath(role, name), { from, slice }, ["remote"]);
  const whole = module.import(remoteSchemaPath(name), "remote", "whole");
  const define = `export const remote = ${module.support("withRelationships")}`;
  module.declare(
    [`All that remote schema ${name} offers, and what role ${role} may join to it.`],
    call(define, whole, relationshipsCode(module, role, name, relationships)),
  );
  return module.toString();
}

function relationshipsCode(module: ModuleBuilder, role: string, name: string, types: TypeRelationshipsIr): Code {
  const around = { module, role, own: { path: remotePartPath(role, name), name: "remote" } };
  return object(types.map(({ type, relationships }) => member(type, remoteRelationshipsCode(around, relationships))));
}

function partsCode(module: ModuleBuilder, ir: RemoteSchemaIr): Code[] {
  const { query, mutation, subscription, isPart, typeNames, fieldNames, argumentPresets, inputPresets, types } = ir;
  return [
    member("query", stringLiteral(query)),
    ...(mutation === undefined ? [] : [member("mutation", stringLiteral(mutation))]),
    ...(subscription === undefined ? [] : [member("subscription", stringLiteral(subscription))]),
    ...(isPart ? [member("isPart", "true")] : []),
    ...(typeNames === undefined ? [] : [member("typeNames", namesCode(typeNames))]),
    ...(fieldNames === undefined ? [] : [member("fieldNames", membersCode(fieldNames, namesCode))]),
    ...(argumentPresets === undefined
      ? []
      : [
          member(
            "argumentPresets",
            membersCode(argumentPresets, (fields) => membersCode(fields, (args) => presetsCode(module, args))),
          ),
        ]),
    ...(inputPresets === undefined
      ? []
      : [
          member(
            "inputPresets",
            membersCode(inputPresets, (fields) => presetsCode(module, fields)),
          ),
        ]),
    ...(ir.role === null || ir.relationships === undefined
      ? []
      : [member("relationships", relationshipsCode(module, ir.role, ir.name, ir.relationships))]),
    member("types", `\`\n${templateLines(types)}\n\``),
  ];
}

function membersCode<T>(record: Readonly<Record<string, T>>, code: (value: T) => Code): Code {
  return object(Object.entries(record).map(([name, value]) => member(name, code(value))));
}

const namesCode = (names: Readonly<Record<string, string>>): Code => membersCode(names, stringLiteral);

const presetsCode = (module: ModuleBuilder, presets: RemotePresets): Code =>
  membersCode(presets, (preset) => presetCode(module, preset));

/** `presetSession("x-engine-user-id", "Int!")` */
function presetCode(module: ModuleBuilder, preset: RemotePreset): Code {
  if (preset.kind === "literal") return call(module.support("presetLiteral"), stringLiteral(preset.text));
  if (preset.kind === "object") return call(module.support("presetObject"), presetsCode(module, preset.fields));
  return call(module.support("presetSession"), stringLiteral(preset.variable), stringLiteral(preset.type));
}
