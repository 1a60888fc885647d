/** Rules about the columns of a SELECT: names and numbers. */
import type { Rule } from "./rule.ts";
import { columnName, columnsOf, inSelects, isAssignment, type SelectNode } from "./selects.ts";
import { at, listAt } from "./tree.ts";

const mostColumns = 4096;

const isTable = ({ place }: SelectNode): boolean => place === "derived" || place === "cte";
const hasJson = ({ query }: SelectNode): boolean => at(query, "for_clause", "Json") !== undefined;
const isUnnamed = (column: unknown): boolean => columnName(column) === undefined;

/** Returns the names of columns that occur twice, also if they differ in case only. */
function repeated(columns: readonly unknown[]): readonly string[] {
  const seen = new Set<string>();
  return columns.flatMap((column) => {
    const name = columnName(column)?.toLowerCase();
    if (name === undefined || name === "*") return [];
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [name] : [];
  });
}

/** Returns the numbers of columns of the arms of a UNION, if no arm has `*`. */
function armWidths(body: unknown): readonly (number | undefined)[] {
  const union = at(body, "SetOperation");
  if (union) return [at(union, "left"), at(union, "right")].flatMap(armWidths);
  const columns = listAt(body, "Select", "projection");
  return [columns.some((column) => columnName(column) === "*") ? undefined : columns.length];
}

export const columnRules: readonly Rule[] = [
  {
    what: "a column of a derived table has no name",
    error: 8155,
    fails: ["select 1 as x from (select count(*) from t) k", "with k as (select 1) select a from k"],
    passes: ["select k.n from (select count(*) as n from t) k", "select k.n from (select count(*) from t) k(n)"],
    find: inSelects((node) => [
      isTable(node) && !node.hasColumnList && columnsOf(node).some(isUnnamed) && node.query !== null && node.place,
    ]),
  },
  {
    what: "a column of a new table has no name",
    error: 1038,
    fails: ["select a, 1 into #w from t"],
    passes: ["select a, 1 as b into #w from t"],
    find: inSelects((node) => [at(node.select, "into") !== undefined && columnsOf(node).some(isUnnamed) && "into"]),
  },
  {
    what: "a column of FOR JSON has no name",
    error: 13605,
    fails: ["select a, 1 from t for json path"],
    passes: ["select a, 1 as b from t for json path"],
    find: inSelects((node) => [hasJson(node) && columnsOf(node).some(isUnnamed) && "for json"]),
  },
  {
    what: "two columns of a derived table have the same name",
    error: 8156,
    fails: ["select k.a from (select a, b as A from t) k"],
    passes: ["select k.a from (select a, b from t) k"],
    find: inSelects((node) => (isTable(node) && !node.hasColumnList ? repeated(columnsOf(node)) : [])),
  },
  {
    what: "two columns of a new table have the same name",
    error: 2705,
    fails: ["select a, b as a into #w from t", "select t.*, u.* into #w from t cross join u"],
    passes: ["select a, b into #w from t"],
    find: inSelects((node) => {
      if (at(node.select, "into") === undefined) return [];
      const stars = columnsOf(node).filter((column) => columnName(column) === "*");
      return [...repeated(columnsOf(node)), ...(stars.length > 1 ? ["*"] : [])];
    }),
  },
  {
    what: "two columns of FOR JSON have the same name",
    error: 13601,
    fails: ["select a, b as a from t for json path"],
    passes: ["select a, b as c from t for json path"],
    find: inSelects((node) => (hasJson(node) ? repeated(columnsOf(node)) : [])),
  },
  {
    what: "a sub-query that is a value has exactly one column",
    error: 116,
    fails: ["select (select a, b from t) as x", "select 1 as x from t where a in (select * from u)"],
    passes: ["select (select a from t) as x", "select (select a, b from t for json path) as x"],
    find: inSelects((node) => {
      const isValue = (node.place === "scalar" || node.place === "in") && node.query?.for_clause === undefined;
      const columns = columnsOf(node);
      return [isValue && (columns.length !== 1 || columnName(columns[0]) === "*") && node.place];
    }),
  },
  {
    what: "the parts of a UNION have different numbers of columns",
    error: 205,
    fails: ["select a from t union all select a, b from t"],
    passes: ["select a from t union all select b from t"],
    find: ({ queries }) =>
      queries.flatMap(({ query }) => {
        const widths = armWidths(query.body).filter((width) => width !== undefined);
        return new Set(widths).size > 1 ? [widths.join(", ")] : [];
      }),
  },
  {
    what: "a SELECT has more than 4,096 columns",
    error: 1056,
    fails: [`select ${Array.from({ length: mostColumns + 1 }, (_, i) => `a as c${i}`).join(", ")} from t`],
    passes: ["select a from t"],
    find: inSelects((node) => [columnsOf(node).length > mostColumns && `${columnsOf(node).length}`]),
  },
  {
    what: "a SELECT assigns variables and returns columns",
    error: 141,
    fails: ["select @p1 = a, b from t"],
    passes: ["select @p1 = a, @p2 = b from t"],
    find: inSelects((node) => {
      const columns = columnsOf(node);
      return [columns.some(isAssignment) && !columns.every(isAssignment) && node.place];
    }),
  },
];
