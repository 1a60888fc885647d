/** Rules of statements for Citus, by the errors of the server that they avoid. */
import { parse } from "pgsql-parser";

/** Yields every node of a syntax tree with its kind. */
function* nodesIn(tree: unknown): Generator<readonly [kind: string, node: unknown]> {
  if (typeof tree !== "object" || tree === null) return;
  for (const [kind, node] of Object.entries(tree)) {
    yield [kind, node];
    yield* nodesIn(node);
  }
}

const nodesOf = (tree: unknown, kind: string): readonly Readonly<Record<string, unknown>>[] =>
  [...nodesIn(tree)].flatMap(([each, node]) => (each === kind ? [node as Readonly<Record<string, unknown>>] : []));

const hasTable = (tree: unknown, tables: ReadonlySet<string>): boolean =>
  nodesOf(tree, "RangeVar").some(({ relname }) => tables.has(String(relname)));

/** Returns true for a reference to all columns of a row. */
const isWholeRow = (reference: unknown): boolean => nodesOf(reference, "A_Star").length > 0;

/** Returns the problems of a statement. @param distributed names of the distributed tables */
export async function citusProblems(statement: string, distributed: ReadonlySet<string>): Promise<readonly string[]> {
  const tree: unknown = await parse(statement);
  const problems: string[] = [];
  for (const cast of nodesOf(tree, "TypeCast")) {
    if (isWholeRow((cast.arg as { readonly ColumnRef?: unknown }).ColumnRef)) problems.push("a whole row is cast");
  }
  const written = ["InsertStmt", "UpdateStmt", "DeleteStmt"].flatMap((kind) => nodesOf(tree, kind));
  for (const { returningList, whereClause, selectStmt } of written) {
    if (nodesOf(returningList, "FuncCall").length > 0) problems.push("RETURNING calls a function");
    if (nodesOf(returningList, "SubLink").length > 0) problems.push("RETURNING has a sub-select");
    const called = JSON.stringify([whereClause, selectStmt]);
    if (called.includes('"set_config"')) problems.push("a statement that writes sets the session variables");
  }
  for (const { fromClause, targetList } of nodesOf(tree, "SelectStmt")) {
    if (fromClause === undefined || hasTable(fromClause, distributed)) continue;
    const aliases = new Set(nodesOf(fromClause, "alias").map(({ aliasname }) => String(aliasname)));
    for (const subselect of nodesOf(targetList, "SubLink")) {
      if (!hasTable(subselect, distributed)) continue;
      const own = new Set(nodesOf(subselect, "alias").map(({ aliasname }) => String(aliasname)));
      const isCorrelated = nodesOf(subselect, "ColumnRef").some(({ fields }) => {
        const [first] = fields as readonly { readonly String?: { readonly sval: string } }[];
        const name = first?.String?.sval ?? "";
        return aliases.has(name) && !own.has(name);
      });
      if (isCorrelated) problems.push("a sub-select reads a distributed table for each row of other rows");
    }
  }
  return problems;
}
