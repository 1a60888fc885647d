/** Which table's rows a function gives: those of its type, or those of a table that the metadata names. */
import type { QualifiedName } from "../../catalog/model.ts";
import type { FunctionShape } from "../../shape/shape.ts";
import { qualifiedKey } from "../analysis.ts";
import type { SourceContext } from "../source-context.ts";

export interface FunctionRows {
  /** Absent: it gives no rows of a table. */
  readonly table: QualifiedName | null;
  readonly problems: readonly string[];
}

/**
 * @param named the table that the metadata names
 * @param key that names it, for messages
 */
export function rowsOfFunction(
  context: SourceContext,
  shape: FunctionShape,
  named: QualifiedName | undefined,
  key: string,
): FunctionRows {
  const { dialect } = context;
  if (dialect.functions.rowTypes) {
    const problems = named ? [`"${key}" is for databases without row types: ${dialect.kind} tells the table`] : [];
    return { table: shape.returnsTable, problems };
  }
  if (named === undefined || shape.columns === undefined) {
    const problem = shape.columns ? `"${key}" does not name the tracked table whose rows it gives` : undefined;
    const superfluous = named ? `it gives a value, and "${key}" names a table` : undefined;
    return { table: null, problems: [problem, superfluous].filter((text) => text !== undefined) };
  }
  const table = context.tables.get(qualifiedKey(named));
  return { table: named, problems: table ? mismatches(shape.columns, table.columns, context.print(named)) : [] };
}

type Columns = NonNullable<FunctionShape["columns"]>;

/** The function may give more columns than the table has, in any order. */
function mismatches(given: Columns, wanted: Columns, table: string): readonly string[] {
  return wanted.flatMap(({ name, type }) => {
    const found = given.find((column) => column.name === name);
    if (found === undefined) return [`its rows have no column "${name}", which table "${table}" has`];
    if (found.type.name === type.name) return [];
    return [`column "${name}" of its rows is of type ${found.type.name}, and that of table "${table}" is ${type.name}`];
  });
}
