/** Declares row filters and checks in the module of a role, each with a comment that shows its expression. */
import type { CrossSourceIr, RowFilterIr } from "../3-lower/ir.ts";
import { label } from "../3-lower/table-names.ts";
import type { QualifiedName } from "../catalog/model.ts";
import { lineWidth } from "./comments.ts";
import { conditionTemplate, crossSourceIn, mentions } from "./conditions.ts";
import { stringLiteral, templateLiteral } from "./escape.ts";
import { identifier } from "./identifiers.ts";
import { call, object } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { member, scalarCode } from "./sources.ts";

export interface FilterDeclaration {
  /** The preferred name. */
  readonly name: string;
  /** Describes the condition; the expression in the metadata follows it. */
  readonly comment: string;
  /** The table whose rows it filters. */
  readonly table: QualifiedName;
}

/** Declares a condition as a function of a row and returns its name. */
export function declareFilter(
  module: ModuleBuilder,
  { name: preferred, comment, table }: FilterDeclaration,
  { expression, condition }: Pick<RowFilterIr, "condition"> & Partial<Pick<RowFilterIr, "expression">>,
): string {
  const type = module.supportType("RowFilter");
  const tag = module.support("sql");
  const constant = mentions(condition, "constant") ? module.support("constant") : "";
  const wholeSession = mentions(condition, "whole_session") ? module.support("wholeSession") : "";
  const values = new Map(crossSourceIn(condition).map((each) => [each, declareCrossSource(module, each)]));
  const crossSource = (each: CrossSourceIr): string => values.get(each) ?? "";
  const name = module.local(preferred);
  const [session = "", row = ""] = module.parameters(["session", identifier(table.name)]);
  const rowParameter = mentions(condition, "row") ? row : `_${row}`;
  const parameters = mentions(condition, "session")
    ? `(${rowParameter}, ${session})`
    : mentions(condition, "row")
      ? `(${row})`
      : "()";
  const template = conditionTemplate(condition, { sql: tag, row, session, constant, wholeSession, crossSource }, 2);
  const fits = template.includes("\n") || `const ${name}: ${type} = ${parameters} => ${template};`.length <= lineWidth;
  const code = `${parameters} =>${fits ? " " : "\n  "}${template}`;
  module.declare([expression === undefined ? `${comment}.` : `${comment}: ${expression}`], name, code, type);
  return name;
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
