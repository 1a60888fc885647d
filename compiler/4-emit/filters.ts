/** Declares row filters and checks in the module of a role, each with a comment that shows its expression. */
import { invariant } from "../../runtime/values/errors.ts";
import type { CrossSourceIr, ReadableIr, RowFilterIr } from "../3-lower/ir.ts";
import { label } from "../3-lower/table-names.ts";
import type { QualifiedName } from "../catalog/model.ts";
import { lineWidth } from "./comments.ts";
import { conditionTemplate, crossSourceIn, mentions, readableIn } from "./conditions.ts";
import { stringLiteral, templateLiteral } from "./escape.ts";
import { exportName, identifier, nameOfRole } from "./identifiers.ts";
import { call, object, thunk } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { tablePath, viewPath } from "./paths.ts";
import { member, memberOf, scalarCode } from "./sources.ts";

export interface FilterDeclaration {
  /** The preferred name. */
  readonly name: string;
  /** Describes the condition; the expression in the metadata follows it. */
  readonly comment: string;
  /** The table whose rows it filters. */
  readonly table: QualifiedName;
  /** The role and source whose views test related rows; absent: the condition has no such test. */
  readonly views?: { readonly role: string; readonly source: string };
}

/** Declares a condition as a function of a row and returns its name. */
export function declareFilter(
  module: ModuleBuilder,
  declaration: FilterDeclaration,
  { expression, condition }: Pick<RowFilterIr, "condition"> & Partial<Pick<RowFilterIr, "expression">>,
): string {
  const { name: preferred, comment, table } = declaration;
  const type = module.supportType("RowFilter");
  const tag = module.support("sql");
  const constant = mentions(condition, "constant") ? module.support("constant") : "";
  const wholeSession = mentions(condition, "whole_session") ? module.support("wholeSession") : "";
  const values = new Map(crossSourceIn(condition).map((each) => [each, declareCrossSource(module, each)]));
  const crossSource = (each: CrossSourceIr): string => values.get(each) ?? "";
  const relatedTests = new Map(readableIn(condition).map((each) => [each, declareReadable(module, each, declaration)]));
  const readable = (each: ReadableIr): string => relatedTests.get(each) ?? "";
  const name = module.local(preferred);
  const [session = "", row = ""] = module.parameters(["session", identifier(table.name)]);
  const rowParameter = mentions(condition, "row") ? row : `_${row}`;
  const parameters = mentions(condition, "session")
    ? `(${rowParameter}, ${session})`
    : mentions(condition, "row")
      ? `(${row})`
      : "()";
  const names = { sql: tag, row, session, constant, wholeSession, crossSource, readable };
  const template = conditionTemplate(condition, names, 2);
  const fits = template.includes("\n") || `const ${name}: ${type} = ${parameters} => ${template};`.length <= lineWidth;
  const code = `${parameters} =>${fits ? " " : "\n  "}${template}`;
  module.declare([expression === undefined ? `${comment}.` : `${comment}: ${expression}`], name, code, type);
  return name;
}

/** Declares the test of a related row, once for each relationship, and returns its name. */
function declareReadable(
  module: ModuleBuilder,
  { owner, relationship, target }: ReadableIr,
  { table, views }: FilterDeclaration,
): string {
  invariant(views, "only filters of roles test related rows by views");
  const { role, source } = views;
  const [own, from] = [table, owner].map((each) => tablePath({ source, ...each }));
  return module.once(JSON.stringify([from, relationship]), () => {
    const joins = module.import(from ?? "", "joins", from === own ? "joins" : `${identifier(owner.name)}Joins`);
    const path = viewPath(role, { source, ...target });
    const name = exportName(target.name);
    const view = path === viewPath(role, { source, ...table }) ? name : module.import(path, name);
    const test = module.local(nameOfRole("readable", relationship));
    const comment = `Rows of ${label(owner)} with a row in relationship ${relationship} that role ${role} may read: select permission on ${label(target)}.`;
    module.declare([comment], test, call(module.support("whereReadable"), memberOf(joins, relationship), thunk(view)));
    return test;
  });
}

/** Declares cross-source values and returns their name. */
function declareCrossSource(module: ModuleBuilder, values: CrossSourceIr): string {
  const { own, table, dialect, from, column, type, json, where } = values;
  const of = `${label(table)} (source ${table.source})`;
  const rows = identifier(table.name);
  const filter =
    where &&
    declareFilter(
      module,
      { name: `${rows}Filter`, comment: `Rows of ${of} that a filter below compares with`, table },
      { condition: where },
    );
  const name = module.local(`${rows}Values`);
  const options = object([
    member("source", stringLiteral(table.source)),
    member("dialect", module.support(dialect)),
    member("from", templateLiteral(from)),
    member("column", templateLiteral(column)),
    member("type", scalarCode(module, type)),
    ...(json ? [member("json", "true")] : []),
    ...(filter === undefined ? [] : [member("where", filter)]),
  ]);
  const code = call(module.support("crossSourceValues"), module.support(own), options);
  module.declare(
    [`Values of column ${column} of ${of}, read before the statement that compares with them.`],
    name,
    code,
  );
  return name;
}
