/** The object types of tables as texts like those of `type-texts.ts`. */
import { engineDefault, graphqlDefault } from "../../../runtime/model/definitions/naming.ts";
import type { SourceKind } from "../../catalog/model.ts";
import { dialectOf } from "../../dialects/index.ts";
import type { AnalyzedSource } from "../analysis.ts";
import type { AnalyzedColumn, AnalyzedTable } from "../analyzed-table.ts";
import { objectText } from "./type-texts.ts";

/** By the name of the type; without tables that have more than columns: what else a table has takes arguments. */
export function* tableTypeTexts(sources: Iterable<AnalyzedSource>): Generator<readonly [name: string, text: string]> {
  for (const { namingConvention, source, tables } of sources) {
    const { prefix: typePrefix = "", suffix: typeSuffix = "" } = source.customization?.type_names ?? {};
    const convention = namingConvention === "graphql-default" ? graphqlDefault : engineDefault;
    const naming = convention({ typePrefix, typeSuffix });
    for (const table of tables.values()) {
      if (table.graphqlName === null || !hasColumnsOnly(table)) continue;
      yield [naming.type(table.graphqlName), objectText(table.columns.flatMap((each) => fieldOf(each, source.kind)))];
    }
  }
}

function hasColumnsOnly({ columns, relationships, computedFields, remoteRelationships }: AnalyzedTable): boolean {
  return (
    relationships.size + computedFields.size + remoteRelationships.size === 0 &&
    columns.every(({ enumTable }) => enumTable === undefined)
  );
}

/** The field of a column; none where GraphQL cannot name it. */
export function fieldOf({ field, shape }: AnalyzedColumn, kind: SourceKind) {
  if (field === null) return [];
  const dialect = dialectOf(kind);
  const { graphql } = dialect.scalarOf(dialect.scalarCall(shape.type));
  const inputs = graphql === "json" || graphql === "jsonb" ? "path: String" : "";
  return [{ name: field, inputs, type: `${graphql}${shape.nullable ? "" : "!"}` }];
}
