/** `pg_suggest_relationships` and `mssql_suggest_relationships`: suggest relationships from foreign keys between tracked tables. */

import type { z } from "zod";
import { type AnalyzedSource, qualifiedKey } from "../../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../../2-analyze/analyzed-table.ts";
import type { Json, JsonObject, QualifiedName, SourceKind } from "../../catalog/model.ts";
import { list, object } from "../../catalog/schema/combinators.ts";
import { sourceKinds, tableName } from "../../catalog/schema/names.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import type { ForeignKeyShape, TableShape } from "../../shape/shape.ts";
import { flag, inSource } from "../arguments.ts";
import { hintFor } from "../lookups.ts";
import { operation, type Request } from "../operation.ts";

const suggestArguments = (kind: SourceKind) =>
  object({
    about: {
      tables: "Tables at either end of the suggestions. Default: all tracked tables.",
      omit_tracked: "Leaves out relationships that exist.",
    },
    defaulted: { ...inSource, omit_tracked: flag },
    optional: { tables: list(tableName(sourceKinds[kind].defaultSchema)) },
  });

type Arguments = z.output<ReturnType<typeof suggestArguments>>;

function suggest({ analysis, path, input }: Request<Arguments>): Result<Json> {
  const source = analysis.sources.get(input.source);
  if (source === undefined) {
    const hint = hintFor(input.source, analysis.sources.keys());
    return fail("unexpected", path, "Couldn't find any schema source information", { status: 500, ...hint });
  }
  const selected = input.tables && new Set(input.tables.map(qualifiedKey));
  const suggestions = [...source.tables.values()].flatMap((owner) =>
    owner.shape.foreignKeys.flatMap((key) => {
      const target = source.tables.get(qualifiedKey(key.foreignTable));
      if (target === undefined) return [];
      const isSelected = selected === undefined || selected.has(owner.key) || selected.has(target.key);
      return isSelected ? suggestionsOf(owner, target, key) : [];
    }),
  );
  const relationships = suggestions
    .filter((each) => !(input.omit_tracked && isTracked(source, each)))
    .map(({ type, from, to }): JsonObject => ({ type, from: sideJson(from), to: sideJson(to) }));
  return ok({ relationships });
}

interface Side {
  readonly table: AnalyzedTable;
  readonly columns: readonly string[];
  /** Foreign key constraint, on the side that owns it. */
  readonly constraint?: string;
}

interface Suggestion {
  readonly type: "object" | "array";
  readonly from: Side;
  readonly to: Side;
}

/** Returns the suggestions for both directions of a foreign key. */
function suggestionsOf(
  owner: AnalyzedTable,
  target: AnalyzedTable,
  { name, columns, foreignColumns }: ForeignKeyShape,
): readonly Suggestion[] {
  const own: Side = { table: owner, columns, constraint: name };
  const other: Side = { table: target, columns: foreignColumns };
  return [
    { type: "object", from: own, to: other },
    { type: isUnique(owner.shape, columns) ? "object" : "array", from: other, to: own },
  ];
}

/** Returns true if exactly these columns are a key. */
function isUnique({ primaryKey, uniqueKeys }: TableShape, columns: readonly string[]): boolean {
  const keys = primaryKey === null ? uniqueKeys : [primaryKey, ...uniqueKeys];
  return keys.some(
    (key) => key.columns.length === columns.length && key.columns.every((each) => columns.includes(each)),
  );
}

/** Returns true if a relationship of the table joins the same columns of the same tables. */
function isTracked({ tables }: AnalyzedSource, { from, to }: Suggestion): boolean {
  const pairs = new Set(from.columns.map((column, index) => JSON.stringify([column, to.columns[index]])));
  return [...(tables.get(from.table.key)?.relationships.values() ?? [])].some(
    ({ target, mapping }) =>
      target === to.table.key &&
      mapping.length === pairs.size &&
      mapping.every(({ local, remote }) => pairs.has(JSON.stringify([local, remote]))),
  );
}

function sideJson({ table, columns, constraint }: Side): JsonObject {
  const { schema, name }: QualifiedName = table.table.table;
  return { table: { schema, name }, columns, ...(constraint !== undefined && { constraint_name: constraint }) };
}

export const suggestRelationshipsOperations = [
  operation("suggest_relationships", {
    about: "Returns relationships that foreign keys between tracked tables suggest, in both directions.",
    effect: "read",
    endpoints: { metadata: "prefixed" },
    input: suggestArguments,
    read: suggest,
  }),
];
