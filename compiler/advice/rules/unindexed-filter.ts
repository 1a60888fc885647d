/** Finds row filters that compare a column with a session variable, without an index for the comparison. */
import type { AnalyzedSource } from "../../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../../2-analyze/analyzed-table.ts";
import { englishList } from "../../2-analyze/rules/english.ts";
import type { MissingIndex } from "../index-uses.ts";
import { createIndex, type Indexes, indexedSources } from "../indexes.ts";
import { type AdviceInput, type Finding, pathOf, type Rule } from "../model.ts";
import { permissionId, placeIn } from "../tables.ts";
import type { IndexUse } from "../verified-uses.ts";

export const unindexedFilter: Rule = {
  id: "unindexed-filter",
  title: "Row filter without an index",
  about: "A row filter compares a column with a session variable, and no index serves the comparison.",
  severity: "warning",
  needs: "facts",
  verifiable: true,
  *find(input) {
    for (const [source, indexes] of indexedSources(input)) {
      // A missing index is reported once, however many permissions need it.
      const uses: Uses = new Map();
      for (const table of source.tables.values()) {
        collect(input, table, indexes, uses);
        yield undefined;
      }
      for (const use of uses.values()) yield findingOf(source, indexes, use);
    }
  },
};

interface Use {
  readonly missing: MissingIndex;
  readonly path: string;
  /** Names of the permissions. */
  readonly users: string[];
}

/** By the place of the missing index. */
type Uses = Map<string, Use>;

const kinds = ["select", "update", "delete"] as const;

function collect(input: AdviceInput, table: AnalyzedTable, indexes: Indexes, uses: Uses): void {
  for (const kind of kinds) {
    for (const { role, filter } of table[kind].values()) {
      for (const missing of indexes.missing(table, filter)) {
        const place = placeIn(missing.table, ...missing.columns);
        const use = uses.get(place) ?? {
          missing,
          path: `${pathOf(input, permissionId(table, kind, role))}.permission.filter`,
          users: [],
        };
        use.users.push(`${kind} permission of ${role} on ${table.displayName}`);
        uses.set(place, use);
      }
    }
  }
}

/** Maximum number of named permissions. */
const maxUsers = 3;

function findingOf({ source }: AnalyzedSource, indexes: Indexes, { missing, path, users }: Use): Finding {
  const { table, columns, use } = missing;
  const column = columns.join(", ");
  const more = users.length > maxUsers ? [`${users.length - maxUsers} more`] : [];
  const list = englishList([...users.slice(0, maxUsers), ...more], "and");
  const { reason, severity, unused } = indexes.scan(missing, "each request");
  return {
    rule: unindexedFilter.id,
    severity,
    place: placeIn(table, ...columns),
    path,
    reason: `the row filter of the ${list} compares ${column} with ${variableOf(use)}, and ${reason}`,
    fix: unused
      ? `find the reason in the plan of the comparison with EXPLAIN, then change the index ${unused.name}`
      : createIndex(source.kind, missing),
  };
}

function variableOf(use: IndexUse): string {
  return "operand" in use && use.operand.kind === "session" ? use.operand.variable : "a session variable";
}
