/** Relationships that leave their source, in modules about what they start from. */
import type { JoinKeyIr, RemoteRelationshipIr, ToRemoteSchemaIr, ToSourceIr } from "../3-lower/ir.ts";
import { propertyAccess, stringLiteral, templateLiteral } from "./escape.ts";
import { exportName } from "./identifiers.ts";
import { jsonCode } from "./json-code.ts";
import { type Code, call, commented, group, object } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { remotePartPath, remoteSchemaPath, viewPath } from "./paths.ts";
import { member, scalarCode } from "./sources.ts";

/** What the module around calls what it declares or imports. */
export interface Surroundings {
  readonly module: ModuleBuilder;
  readonly role: string;
  /** Of the table's module: imported when a key needs them. */
  readonly columns?: () => string;
  readonly computedFields?: () => string;
  /** What the module itself exports, with its path. */
  readonly own?: { readonly path: string; readonly name: string };
}

/** `{ member: toSourceRow([joinColumn(joinKey("member_id", columns.member_id), `"id"`, pg("uuid"))], () => member) }` */
export function remoteRelationshipsCode(around: Surroundings, relationships: readonly RemoteRelationshipIr[]): Code {
  return object(
    relationships.map(({ name, comment, to }) => {
      const code = to.kind === "source" ? toSourceCode(around, to) : toRemoteSchemaCode(around, to);
      return commented([comment], member(name, code));
    }),
  );
}

function toSourceCode(around: Surroundings, { relationship, target, columns, unique, aggregations }: ToSourceIr): Code {
  const { module, role } = around;
  const items = columns.map(({ key, sql, type }) =>
    call(module.support("joinColumn"), keyCode(around, key), templateLiteral(sql), scalarCode(module, type)),
  );
  const define = module.support(relationship === "object" ? "toSourceRow" : "toSourceRows");
  const options =
    relationship === "object"
      ? unique && [object([member("unique", "true")])]
      : aggregations && [object([member("aggregations", "true")])];
  const view = imported(around, viewPath(role, target), exportName(target.name));
  return call(define, group("[", items, "]"), `() => ${view}`, ...(options || []));
}

function toRemoteSchemaCode(around: Surroundings, { remote, isOwn, keys, path, batch }: ToRemoteSchemaIr): Code {
  const { module, role } = around;
  const modulePath = isOwn ? remotePartPath(role, remote) : remoteSchemaPath(remote);
  const schema = imported(around, modulePath, "remote", exportName(remote));
  return call(
    module.support("toRemoteSchema"),
    group(
      "[",
      keys.map((key) => keyCode(around, key)),
      "]",
    ),
    `() => ${schema}`,
    jsonCode(module, path),
    ...(batch ? [jsonCode(module, batch)] : []),
  );
}

function keyCode({ module, columns, computedFields }: Surroundings, { name, value }: JoinKeyIr): Code {
  const define = module.support("joinKey");
  switch (value?.kind) {
    case undefined:
      return call(define, stringLiteral(name));
    case "column":
      return call(define, stringLiteral(name), propertyAccess(columns?.() ?? "", value.name));
    case "computed":
      return call(define, stringLiteral(name), propertyAccess(computedFields?.() ?? "", value.name));
    case "unnamed":
      return call(
        define,
        stringLiteral(name),
        call(module.support("column"), stringLiteral(""), templateLiteral(value.sql), scalarCode(module, value.type)),
      );
  }
}

/** What a module calls the export of another, which may be itself. */
function imported({ module, own }: Surroundings, path: string, name: string, local?: string): string {
  return own?.path === path ? own.name : module.import(path, name, local);
}
