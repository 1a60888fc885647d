/** Names that sources of PostgreSQL have and sources of SQL Server lack, each with the reason: a section of a page. */
import { code, table } from "./texts.ts";

interface Gap {
  /** Names of operators, aggregates and arguments. */
  readonly names: readonly string[];
  /** Where the names occur, if they do not say it. */
  readonly place?: string;
  readonly reason: string;
}

const gaps: readonly Gap[] = [
  {
    names: ["_regex", "_iregex", "_nregex", "_niregex"],
    reason:
      "SQL Server 2019 and 2022 have no regular expressions. `REGEXP_LIKE` needs SQL Server 2025 and the compatibility level 170, and all sources of SQL Server share their comparison types",
  },
  {
    names: ["_similar", "_nsimilar"],
    reason: "No version has `SIMILAR TO`. Patterns of `_like` and `_ilike` have sets of characters: `[a-c]%`",
  },
  {
    names: ["path"],
    place: "of JSON columns",
    reason:
      "`FOR JSON` writes a value whose type is not known before as text, so numbers and booleans would become strings. Use a computed column over `JSON_VALUE` or `JSON_QUERY`",
  },
  {
    names: ["_delete_at_path"],
    reason: "`JSON_MODIFY` cannot remove an item of a list. `_delete_key` and `_delete_elem` remove at the first level",
  },
  {
    names: ["_cast"],
    place: "of spatial columns",
    reason: "SQL Server does not convert between `geometry` and `geography`",
  },
  {
    names: ["_st_3d_d_within", "_st_3d_intersects"],
    reason: "Spatial methods of SQL Server ignore the third coordinate",
  },
  {
    names: ["_st_intersects_rast", "_st_intersects_geom_nband", "_st_intersects_nband_geom"],
    reason: "SQL Server has no type for rasters",
  },
  {
    names: [
      ...["_ancestor", "_ancestor_any", "_descendant", "_descendant_any"],
      ...["_matches", "_matches_any", "_matches_fulltext"],
    ],
    reason: "SQL Server has no `ltree`. A `hierarchyid` has comparisons and an order",
  },
  { names: ["_l1_distance"], reason: "`VECTOR_DISTANCE` has no taxicab distance" },
  {
    names: ["corr", "covar_samp"],
    place: "in filters",
    reason: "T-SQL has no such aggregates, and sums of products lose the digits that matter to them",
  },
  {
    names: ["percentile_cont"],
    place: "of groups",
    reason: "In T-SQL it is a window function, and no aggregate of a group",
  },
  {
    names: ["columns"],
    place: "of `count`, with several columns",
    reason: "`COUNT` takes one expression; the argument is `column`",
  },
  {
    names: ["return_existing"],
    reason: "Rows match by the columns of `if_matched`, not by a constraint that the server reports",
  },
];

/**
 * Returns the table of gaps.
 * @param missing names that only PostgreSQL has
 * @param present names that SQL Server has, on all types that PostgreSQL has them on
 * @throws Error if a missing name has no reason, or if a reason is given for a present one
 */
export function gapsTable(missing: ReadonlySet<string>, present: ReadonlySet<string>): string {
  const explained = gaps.flatMap(({ names }) => names);
  const without = [...missing].filter((name) => !explained.includes(name));
  if (without.length > 0)
    throw new Error(`SQL Server lacks ${without.join(", ")}: give the reason in ${import.meta.url}`);
  const offered = gaps.filter(({ place }) => place === undefined).flatMap(({ names }) => names);
  const stale = offered.filter((name) => present.has(name));
  if (stale.length > 0) throw new Error(`SQL Server has ${stale.join(", ")}: remove the reason in ${import.meta.url}`);
  return table(
    ["PostgreSQL only", "reason"],
    gaps.map(({ names, place, reason }) => [`${names.map(code).join(", ")}${place ? ` ${place}` : ""}`, reason]),
  );
}
