/** Finds relationships between rows that Citus stores on different servers. */
import { citus } from "../../../runtime/model/dialects/postgres/citus.ts";
import type { AnalyzedTable } from "../../2-analyze/analyzed-table.ts";
import { placeOf } from "../../3-lower/table-inputs.ts";
import { joinTarget } from "../index-uses.ts";
import { pathOf, type Rule } from "../model.ts";
import { placeIn } from "../tables.ts";

export const notColocated: Rule = {
  id: "not-colocated",
  title: "Relationship between servers",
  about: "Citus selects the rows of a relationship apart and sends them through the coordinator.",
  severity: "note",
  *find(input) {
    for (const source of input.analysis.sources.values()) {
      if (source.shape.citus === undefined) continue;
      for (const table of source.tables.values()) {
        yield undefined;
        for (const relationship of table.relationships.values()) {
          const target = joinTarget(source.tables, relationship);
          const [from, to] = [placeOf(table.shape), target && placeOf(target.shape)];
          if (target === undefined || to === undefined) continue;
          if (citus.distributed?.joins(from, to, relationship.mapping)) continue;
          const kind = relationship.kind === "object" ? "object_relation" : "array_relation";
          yield {
            rule: notColocated.id,
            severity: notColocated.severity,
            place: placeIn(table, relationship.name),
            path: pathOf(input, { kind, source: source.name, table: table.table.table, name: relationship.name }),
            reason: `the relationship ${relationship.name} joins ${described(table)} and ${described(target)}, which no server of Citus can join by itself`,
            fix: fixOf(table, target),
          };
        }
      }
    }
  },
};

function described({ displayName, shape }: AnalyzedTable): string {
  const { kind } = placeOf(shape);
  return kind === "unknown" ? `the view ${displayName}` : `the ${kind} table ${displayName}`;
}

function fixOf(table: AnalyzedTable, target: AnalyzedTable): string {
  const [from, to] = [placeOf(table.shape), placeOf(target.shape)];
  if (from.kind === "distributed" && to.kind === "distributed") {
    return "distribute both tables by the same column with colocate_with, and compare this column in the relationship; or make the smaller table a reference table";
  }
  if (to.kind === "local")
    return `make ${target.displayName} a reference table, if it is small: create_reference_table`;
  return `restrict requests to few rows of ${table.displayName}: each of them reads rows of all shards of ${target.displayName}`;
}
