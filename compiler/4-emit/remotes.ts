/** Emits `remotes/<name>/` and `roles/<role>/remotes/<name>.ts`: servers of remote schemas, and the schemas of roles. */
import type { RemotePreset, RemotePresets } from "../../runtime/model/definitions/remote/remote-schema.ts";
import type { RemoteJoinsIr, RemoteSchemaIr, RemoteServerIr, TypeRelationshipsIr } from "../3-lower/ir.ts";
import { stringLiteral, templateLines } from "./escape.ts";
import { jsonCode } from "./json-code.ts";
import { type Code, call, object } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { remotePartPath, remoteSchemaPath, remoteServerPath } from "./paths.ts";
import { remoteRelationshipsCode } from "./remote-relationships.ts";
import { member } from "./sources.ts";

export function emitRemoteServer(server: RemoteServerIr, slice: string): ModuleText {
  const { name, url, headers, forwardClientHeaders, timeoutSeconds, batchRootFields } = server;
  const module = new ModuleBuilder(remoteServerPath(name), { from: `remote schema ${name}`, slice }, ["server"]);
  const options = [
    ...(headers.length === 0 ? [] : [member("headers", jsonCode(module, headers))]),
    ...(forwardClientHeaders ? [member("forwardClientHeaders", "true")] : []),
    ...(timeoutSeconds === undefined ? [] : [member("timeoutSeconds", String(timeoutSeconds))]),
    ...(batchRootFields ? [member("batchRootFields", "true")] : []),
  ];
  const last = options.length === 0 ? [] : [object(options)];
  const define = module.support("remoteServer");
  module.export(
    [`The server of remote schema ${name}.`],
    "server",
    call(define, stringLiteral(name), stringLiteral(url), ...last),
  );
  return module.print();
}

export function emitRemoteSchema(ir: RemoteSchemaIr, slice: string): ModuleText {
  const { role, name } = ir;
  const path = role === null ? remoteSchemaPath(name) : remotePartPath(role, name);
  const from = `remote schema ${name}${role === null ? "" : `; role ${role}`}`;
  const module = new ModuleBuilder(path, { from, slice }, ["remote"]);
  const comment =
    role === null ? `Remote schema ${name}, complete.` : `The part of remote schema ${name} that role ${role} sees.`;
  const server = module.import(remoteServerPath(name), "server");
  const define = module.support("remoteSchema");
  module.export([comment], "remote", call(define, server, object(partsCode(module, ir))));
  return module.print();
}

/** Emits the complete remote schema with the remote relationships of one role. */
export function emitRemoteJoins({ role, name, relationships }: RemoteJoinsIr, slice: string): ModuleText {
  const from = `remote schema ${name}; role ${role}`;
  const module = new ModuleBuilder(remotePartPath(role, name), { from, slice }, ["remote"]);
  const whole = module.import(remoteSchemaPath(name), "remote", "whole");
  const define = module.support("withRelationships");
  module.export(
    [`Remote schema ${name}, complete, with the remote relationships of role ${role}.`],
    "remote",
    call(define, whole, relationshipsCode(module, role, name, relationships)),
  );
  return module.print();
}

function relationshipsCode(module: ModuleBuilder, role: string, name: string, types: TypeRelationshipsIr): Code {
  const context = { module, role, own: { path: remotePartPath(role, name), name: "remote" } };
  return object(types.map(({ type, relationships }) => member(type, remoteRelationshipsCode(context, relationships))));
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

/** Emits `presetSession("x-engine-user-id", "Int!")`. */
function presetCode(module: ModuleBuilder, preset: RemotePreset): Code {
  if (preset.kind === "literal") return call(module.support("presetLiteral"), stringLiteral(preset.text));
  if (preset.kind === "object") return call(module.support("presetObject"), presetsCode(module, preset.fields));
  return call(module.support("presetSession"), stringLiteral(preset.variable), stringLiteral(preset.type));
}
