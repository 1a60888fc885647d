/** Emits `actions/` and `roles/<role>/actions/`: actions, their types, and the relationships of their output types. */
import type { ActionIr, ActionTypesIr, OutputJoinsIr, OutputRelationshipIr, OutputRowsIr } from "../3-lower/ir.ts";
import { stringLiteral, templateLines, templateLiteral } from "./escape.ts";
import { exportName, identifier } from "./identifiers.ts";
import { jsonCode } from "./json-code.ts";
import { type Code, call, group, object, sequence, thunk } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { actionPath, actionTypesPath, outputJoinsPath, outputRowsPath, sourcePath, viewPath } from "./paths.ts";
import { remoteRelationshipsCode } from "./remote-relationships.ts";
import { joinCondition, member, scalarCode, sourceExport } from "./sources.ts";

export function emitActionTypes({ types }: ActionTypesIr, slice: string): ModuleText {
  const module = new ModuleBuilder(actionTypesPath, { from: "custom types", slice }, ["types"]);
  const define = module.support("actionTypes");
  module.export(["Types of action arguments and results."], "types", call(define, multiline(types)));
  return module.print();
}

export function emitAction({ name, type, asynchronous, field, handler }: ActionIr, slice: string): ModuleText {
  const module = new ModuleBuilder(actionPath(name), { from: `action ${name}`, slice }, ["action"]);
  const types = module.import(actionTypesPath, "types");
  const parts = object([
    member("type", stringLiteral(type)),
    ...(asynchronous ? [member("asynchronous", "true")] : []),
    member("field", field.includes("\n") ? multiline(field) : stringLiteral(field)),
    member("handler", jsonCode(module, handler)),
  ]);
  const define = module.support("defineAction");
  module.export([`Action ${name}.`], "action", call(define, stringLiteral(name), types, parts));
  return module.print();
}

/** Returns a template literal that keeps the lines of the text. */
const multiline = (text: string): string => `\`\n${templateLines(text)}\n\``;

export function emitOutputRows(
  { role, type, source, columns, relationships }: OutputRowsIr,
  slice: string,
): ModuleText {
  const name = exportName(type);
  const from = `custom type ${type}; role ${role}`;
  const module = new ModuleBuilder(outputRowsPath(role, type), { from, slice }, [name]);
  const columnCodes = columns.map(({ field, sql, type: scalar }) =>
    call(
      module.support("column"),
      stringLiteral(field),
      templateLiteral(sql),
      scalarCode(module, scalar),
      object([member("nullable", "true")]),
    ),
  );
  const define = module.support("outputRows");
  module.export(
    [`Relationships of ${type} to tables that role ${role} may read.`],
    name,
    call(
      define,
      module.import(sourcePath(source), sourceExport(source)),
      stringLiteral(type),
      group("[", columnCodes, "]"),
      object(relationships.map((relationship) => relationshipCode(module, { role, type }, relationship))),
    ),
  );
  return module.print();
}

export function emitOutputJoins({ role, type, relationships }: OutputJoinsIr, slice: string): ModuleText {
  const from = `custom type ${type}; role ${role}`;
  const module = new ModuleBuilder(outputJoinsPath(role, type), { from, slice }, ["relationships"]);
  const annotation = module.supportType("RemoteRelationships");
  module.export(
    [`Remote relationships of ${type} for role ${role}.`],
    "relationships",
    remoteRelationshipsCode({ module, role }, relationships),
    annotation,
  );
  return module.print();
}

/** Emits `user: toOne(joinOn((order, user) => sql`…`, { unique: true }), () => user)`. */
function relationshipCode(
  module: ModuleBuilder,
  { role, type }: Pick<OutputRowsIr, "role" | "type">,
  { name, kind, target, columns, unique, aggregations }: OutputRelationshipIr,
): Code {
  const view = module.import(viewPath(role, target), exportName(target.name));
  const [from = "", to = ""] = module.parameters([identifier(type), identifier(target.name)]);
  const on = `(${from}, ${to}) => ${module.support("sql")}\`${joinCondition(columns, from, to)}\``;
  const join = call(module.support("joinOn"), on, object([member("unique", String(unique))]));
  const options = kind === "array" && aggregations ? [object([member("aggregations", "true")])] : [];
  const define = module.support(kind === "object" ? "toOne" : "toMany");
  return sequence(member(name, call(define, join, thunk(view), ...options)));
}
