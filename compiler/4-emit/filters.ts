/** Row filters and checks as declarations of a role's module. */
import type { RowFilterIr } from "../3-lower/ir.ts";
import type { QualifiedName } from "../catalog/model.ts";
import { lineWidth } from "./comments.ts";
import { conditionTemplate, mentions } from "./conditions.ts";
import { identifier } from "./identifiers.ts";
import type { ModuleBuilder } from "./module-builder.ts";

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
  { expression, condition }: RowFilterIr,
): string {
  const type = module.supportType("RowFilter");
  const tag = module.support("sql");
  const constant = mentions(condition, "constant") ? module.support("constant") : "";
  const wholeSession = mentions(condition, "whole_session") ? module.support("wholeSession") : "";
  const name = module.local(wanted);
  const [session = "", row = ""] = module.parameters(["session", identifier(table.name)]);
  const rowParameter = mentions(condition, "row") ? row : `_${row}`;
  const parameters = mentions(condition, "session")
    ? `(${rowParameter}, ${session})`
    : mentions(condition, "row")
      ? `(${row})`
      : "()";
  const template = conditionTemplate(condition, { sql: tag, row, session, constant, wholeSession }, 2);
  const start = `const ${name}: ${type} = ${parameters} =>`;
  const fits = template.includes("\n") || `${start} ${template};`.length <= lineWidth;
  const code = `${start}${fits ? " " : "\n  "}${template}`;
  module.declare([`${comment}: ${expression}`], code);
  return name;
}
