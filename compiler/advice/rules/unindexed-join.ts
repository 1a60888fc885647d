/** Finds relationships without an index of the other table for the joined columns. */
import type { AnalyzedRelationship, AnalyzedTable } from "../../2-analyze/analyzed-table.ts";
import type { SourceKind } from "../../catalog/model.ts";
import { joinTarget } from "../index-uses.ts";
import { createIndex, type Indexes, indexedSources } from "../indexes.ts";
import { type Finding, pathOf, type Rule } from "../model.ts";
import { placeIn } from "../tables.ts";

export const unindexedJoin: Rule = {
  id: "unindexed-join",
  title: "Relationship without an index",
  about: "A relationship joins columns of a table, and none of its indexes serves the join.",
  severity: "warning",
  needs: "facts",
  verifiable: true,
  *find(input) {
    for (const [source, indexes] of indexedSources(input)) {
      const { kind: database } = source.source;
      for (const table of source.tables.values()) {
        yield undefined;
        for (const relationship of table.relationships.values()) {
          const target = joinTarget(source.tables, relationship);
          const columns = relationship.mapping.map(({ remote }) => remote);
          if (target === undefined || indexes.serves(target, columns, relationship)) continue;
          const { table: owner } = table.table;
          const kind = relationship.kind === "object" ? "object_relation" : "array_relation";
          const path = pathOf(input, { kind, source: source.name, table: owner, name: relationship.name });
          yield { ...findingOf({ table, target, relationship, indexes, database }), path };
        }
      }
    }
  },
};

interface Join {
  readonly table: AnalyzedTable;
  readonly target: AnalyzedTable;
  readonly relationship: AnalyzedRelationship;
  readonly indexes: Indexes;
  readonly database: SourceKind;
}

function findingOf({ table, target, relationship, indexes, database }: Join): Omit<Finding, "path"> {
  const { name, mapping } = relationship;
  const missing = { table: target, columns: mapping.map(({ remote }) => remote), use: relationship };
  const { reason, severity, unused } = indexes.scan(missing, "each request for it");
  const list = (columns: readonly string[]): string => columns.join(", ");
  return {
    rule: unindexedJoin.id,
    severity,
    place: placeIn(table, name),
    reason: `the relationship ${name} of ${table.displayName} joins ${list(missing.columns)} of ${target.displayName}, and ${reason}`,
    fix: unused
      ? `give ${list(mapping.map(({ local }) => local))} of ${table.displayName} and ${list(missing.columns)} of ${target.displayName} the same types`
      : createIndex(database, missing),
  };
}
