/** Row filters and checks as declarations of a role's module. */
import type { ElsewhereIr, RowFilterIr } from "../3-lower/ir.ts";
import { label } from "../3-lower/table-names.ts";
import type { QualifiedName } from "../catalog/model.ts";
import { lineWidth } from "./comments.ts";
import { conditionTemplate, elsewhereIn, mentions } from "./conditions.ts";
import { stringLiteral, templateLiteral } from "./escape.ts";
import { identifier } from "./identifiers.ts";
import { call, object, sequence } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { member, scalarCode } from "./sources.ts";

export interface FilterDeclaration {
  /** The wanted name. */
  readonly name: string;
  /** What the condition is about; the expression of the metadata follows. */
  readonly comment: string;
  /** Whose rows it looks at. */
  readonly table: QualifiedName;
}

/** Declares a condition as a function of a row and returns its name. */
export function declareFilter(
  module: ModuleBuilder,
  { name: wanted, comment, table }: FilterDeclaration,
  { expression, condition }: Pick<RowFilterIr, "condition"> & Partial<Pick<RowFilterIr, "expression">>,
): string {
  const type = module.supportType("RowFilter");
  const tag = module.support("sql");
  const constant = mentions(condition, "constant") ? module.support("constant") : "";
  const wholeSession = mentions(condition, "whole_session") ? module.support("wholeSession") : "";
  const values = new Map(elsewhereIn(condition).map((each) => [each, declareElsewhere(module, each)]));
  const elsewhere = (each: ElsewhereIr): string => values.get(each) ?? "";
  const name = module.local(wanted);
  const [session = "", row = ""] = module.parameters(["session", identifier(table.name)]);
  const rowParameter = mentions(condition, "row") ? row : `_${row}`;
  const parameters = mentions(condition, "session")
    ? `(${rowParameter}, ${session})`
    : mentions(condition, "row")
      ? `(${row})`
      : "()";
  const template = conditionTemplate(condition, { sql: tag, row, session, constant, wholeSession, elsewhere }, 2);
  const start = `const ${name}: ${type} = ${parameters} =>`;
  const fits = template.includes("\n") || `${start} ${template};`.length <= lineWidth;
  const code = `${start}${fits ? " " : "\n  "}${template}`;
  module.declare([expression === undefined ? `${comment}.` : `${comment}: ${expression}`], code);
  return name;
}

/** Declares values that are read from another source before, and returns their name. */
function declareElsewhere(module: ModuleBuilder, values: ElsewhereIr): string {
  const { own, table, dialect, from, column, type, json, where } = values;
  const of = `${label(table)} (source ${table.source})`;
  const rows = identifier(table.name);
  const filter =
    where &&
    declareFilter(
      module,
      { name: `${rows}Elsewhere`, comment: `The rows of ${of} that a filter below asks for`, table },
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
  const code = call(module.support("valuesElsewhere"), module.support(own), options);
  module.declare(
    [`Column ${column} of ${of}: read before the statement that compares with it.`],
    sequence(`const ${name} = `, code),
  );
  return name;
}
