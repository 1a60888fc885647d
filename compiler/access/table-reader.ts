/** Reads the tables of an analysis for explanations of root fields and arguments. */
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import type { RootOwner } from "./root-owner.ts";
import { factsOfTable, type TableReader } from "./table-facts.ts";

/** Returns the table with a GraphQL base name, as a root field names it. */
export function tableOfOwner(
  { sources }: Analysis,
  { source: name, type }: Extract<RootOwner, { kind: "table" }>,
): { readonly source: AnalyzedSource; readonly table: AnalyzedTable } | undefined {
  const source = sources.get(name);
  const table = [...(source?.tables.values() ?? [])].find(({ graphqlName }) => graphqlName === type);
  return source && table && { source, table };
}

export function tableReader(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): TableReader {
  return {
    facts: (operation) => factsOfTable(analysis, source, table, { role, operation }),
    related(name) {
      const relationship = table.relationships.get(name);
      const target = relationship && source.tables.get(relationship.target);
      return target && tableReader(analysis, source, target, role);
    },
    columnOf: (field) => table.columns.find((column) => column.field === field)?.name,
    determinedBy(name) {
      const relationship = table.relationships.get(name);
      const isAfter = relationship?.insertionOrder === "after_parent";
      return isAfter ? relationship.mapping.map(({ remote }) => remote) : [];
    },
  };
}
