/** Emits remote relationships as part of the module of their left side. */
import type { JoinKeyIr, RemoteRelationshipIr, ToRemoteSchemaIr, ToSourceIr } from "../3-lower/ir.ts";
import { stringLiteral, templateLiteral } from "./escape.ts";
import { exportName } from "./identifiers.ts";
import { jsonCode } from "./json-code.ts";
import { type Code, call, commented, group, object, thunk } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { remotePartPath, remoteSchemaPath, viewPath } from "./paths.ts";
import { member, memberOf, scalarCode } from "./sources.ts";

/** The module that relationships are emitted into, and its names. */
export interface RelationshipContext {
  readonly module: ModuleBuilder;
  readonly role: string;
  /** Imports the columns from the table's module if a key needs them. */
  readonly columns?: () => Code;
  readonly computedFields?: () => Code;
  /** Path and export of the module itself. */
  readonly own?: { readonly path: string; readonly name: string };
}

/**
 * Emits `{ member: toSourceRow([joinColumn(joinKey("member_id", columns.member_id), `"id"`, pg("uuid"))], () => member)
 * }`.
 */
export function remoteRelationshipsCode(
  context: RelationshipContext,
  relationships: readonly RemoteRelationshipIr[],
): Code {
  return object(
    relationships.map(({ name, comment, to }) => {
      const code = to.kind === "source" ? toSourceCode(context, to) : toRemoteSchemaCode(context, to);
      return commented([comment], member(name, code));
    }),
  );
}

function toSourceCode(
  context: RelationshipContext,
  { relationship, target, columns, unique, aggregations }: ToSourceIr,
): Code {
  const { module, role } = context;
  const items = columns.map(({ key, sql, type }) =>
    call(module.support("joinColumn"), keyCode(context, key), templateLiteral(sql), scalarCode(module, type)),
  );
  const define = module.support(relationship === "object" ? "toSourceRow" : "toSourceRows");
  const options =
    relationship === "object"
      ? unique && [object([member("unique", "true")])]
      : aggregations && [object([member("aggregations", "true")])];
  const view = imported(context, viewPath(role, target), exportName(target.name));
  return call(define, group("[", items, "]"), thunk(view), ...(options || []));
}

function toRemoteSchemaCode(
  context: RelationshipContext,
  { remote, isOwn, keys, path, batch }: ToRemoteSchemaIr,
): Code {
  const { module, role } = context;
  const modulePath = isOwn ? remotePartPath(role, remote) : remoteSchemaPath(remote);
  const schema = imported(context, modulePath, "remote", exportName(remote));
  return call(
    module.support("toRemoteSchema"),
    group(
      "[",
      keys.map((key) => keyCode(context, key)),
      "]",
    ),
    thunk(schema),
    jsonCode(module, path),
    ...(batch ? [jsonCode(module, batch)] : []),
  );
}

function keyCode({ module, columns, computedFields }: RelationshipContext, { name, value }: JoinKeyIr): Code {
  const define = module.support("joinKey");
  switch (value?.kind) {
    case undefined:
      return call(define, stringLiteral(name));
    case "column":
      return call(define, stringLiteral(name), memberOf(columns?.() ?? "", value.name));
    case "computed":
      return call(define, stringLiteral(name), memberOf(computedFields?.() ?? "", value.name));
    case "unnamed":
      return call(
        define,
        stringLiteral(name),
        call(module.support("column"), stringLiteral(""), templateLiteral(value.sql), scalarCode(module, value.type)),
      );
  }
}

/** Returns a reference to an export of a module, which may be the module itself. */
function imported({ module, own }: RelationshipContext, path: string, name: string, local?: string): Code {
  return own?.path === path ? own.name : module.import(path, name, local);
}
