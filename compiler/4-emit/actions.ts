/** `actions/` and `roles/<role>/(actions)/<type>.ts`: handlers, their types, and what roles read beside their answers. */
import type { ActionIr, ActionTypesIr, OutputJoinsIr, OutputRelationshipIr, OutputRowsIr } from "../3-lower/ir.ts";
import { stringLiteral, templateLines, templateLiteral } from "./escape.ts";
import { exportName, identifier } from "./identifiers.ts";
import { jsonCode } from "./json-code.ts";
import { type Code, call, group, object, sequence } from "./layout.ts";
import { ModuleBuilder } from "./module-builder.ts";
import { actionPath, actionTypesPath, outputJoinsPath, outputRowsPath, sourcePath, viewPath } from "./paths.ts";
import { remoteRelationshipsCode } from "./remote-relationships.ts";
import { joinCondition, member, scalarCode, sourceExport } from "./sources.ts";

export function emitActionTypes({ types }: ActionTypesIr, slice: string): string {
  const module = new ModuleBuilder(actionTypesPath, { from: "custom types", slice }, ["types"]);
  const define = `export const types = ${module.support("actionTypes")}`;
  module.declare(["The types of arguments and results of actions."], call(define, multiline(types)));
  return module.toString();
}

export function emitAction({ name, type, asynchronous, field, handler }: ActionIr, slice: string): string {
  const module = new ModuleBuilder(actionPath(name), { from: `action ${name}`, slice }, ["action"]);
  const types = module.import(actionTypesPath, "types");
  const parts = object([
    member("type", stringLiteral(type)),
    ...(asynchronous ? [member("asynchronous", "true")] : []),
    member("field", field.includes("\n") ? multiline(field) : stringLiteral(field)),
    member("handler", jsonCode(module, handler)),
  ]);
  const define = `export const action = ${module.support("defineAction")}`;
  module.declare([`Action ${name}.`], call(define, stringLiteral(name), types, parts));
  return module.toString();
}

/** Descriptions keep their lines. */
const multiline = (text: string): string => `\`\n${templateLines(text)}\n\``;

export function emitOutputRows({ role, type, source, columns, relationships }: OutputRowsIr, slice: string): string {
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
  const define = `export const ${name} = ${module.support("outputRows")}`;
  module.declare(
    [`What role ${role} may read beside ${type}.`],
    call(
      define,
      module.import(sourcePath(source), sourceExport(source)),
      stringLiteral(type),
      group("[", columnCodes, "]"),
      object(relationships.map((relationship) => relationshipCode(module, { role, type }, relationship))),
    ),
  );
  return module.toString();
}

export function emitOutputJoins({ role, type, relationships }: OutputJoinsIr, slice: string): string {
  const from = `custom type ${type}; role ${role}`;
  const module = new ModuleBuilder(outputJoinsPath(role, type), { from, slice }, ["relationships"]);
  const define = `export const relationships: ${module.supportType("RemoteRelationships")} = `;
  module.declare(
    [`What role ${role} may join to ${type}.`],
    sequence(define, remoteRelationshipsCode({ module, role }, relationships)),
  );
  return module.toString();
}

/** `user: toOne(joinOn((order, user) => sql`…`, { unique: true }), () => user)` */
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
  return sequence(member(name, call(define, join, `() => ${view}`, ...options)));
}
