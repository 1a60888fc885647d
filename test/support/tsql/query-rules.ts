/** Rules about the clauses of a SELECT. */
import type { Rule } from "./rule.ts";
import { columnExpression, columnName, columnsOf, inSelects, isAssignment } from "./selects.ts";
import { at, bareExpression, findAll, listAt, textOf } from "./tree.ts";

const mostLevels = 32;

const hasOffset = (query: unknown): boolean => at(query, "limit_clause", "LimitOffset", "offset") !== undefined;
const ordersOf = (query: unknown): readonly unknown[] =>
  listAt(query, "order_by", "kind", "Expressions").map((item) => bareExpression(at(item, "expr")));

const isNested = ({ place }: { readonly place: string }): boolean => place !== "statement" && place !== "insert";

export const queryRules: readonly Rule[] = [
  {
    what: "ORDER BY in a sub-query needs TOP, OFFSET or FOR JSON",
    error: 1033,
    fails: [
      "select k.a from (select t.a from t order by t.a) k",
      "select 1 where exists (select 1 from t order by t.a)",
    ],
    passes: [
      "select k.a from (select top (1) t.a from t order by t.a) k",
      "select k.a from (select t.a from t order by t.a offset 0 rows) k",
      "select (select t.a from t order by t.a for json path) as x",
    ],
    find: ({ queries, selects }) =>
      queries.flatMap((node) => {
        const top = selects.find(({ query }) => query === node.query)?.select.top;
        const isLimited = top || hasOffset(node.query) || node.query.for_clause;
        return isNested(node) && node.query.order_by && !isLimited ? [node.place] : [];
      }),
  },
  {
    what: "OFFSET needs ORDER BY",
    error: 102,
    fails: ["select a from t offset 1 rows"],
    passes: ["select a from t order by a offset 1 rows"],
    find: ({ queries }) => queries.flatMap(({ query, place }) => (hasOffset(query) && !query.order_by ? [place] : [])),
  },
  {
    what: "TOP excludes OFFSET",
    error: 10741,
    fails: ["select top (1) a from t order by a offset 1 rows"],
    passes: ["select a from t order by a offset 1 rows fetch next 1 rows only"],
    find: inSelects(({ select, query, place }) => [select.top !== undefined && hasOffset(query) && place]),
  },
  {
    what: "a column of ORDER BY occurs twice",
    error: 169,
    fails: [
      "select a from t order by t.[a] asc, t.[A] desc",
      "select row_number() over (order by a, a desc) as n from t",
    ],
    passes: ["select a from t order by a asc, b desc"],
    find: ({ queries, trees }) => {
      const windows = findAll(trees, "WindowSpec").map((window) =>
        listAt(window, "order_by").map((item) => at(item, "expr")),
      );
      return [...queries.map(({ query }) => ordersOf(query)), ...windows].flatMap((order) => {
        const columns = order
          .filter((item) => at(item, "Identifier") || at(item, "CompoundIdentifier"))
          .map((item) => textOf(item).toLowerCase());
        return columns.filter((column, i) => columns.indexOf(column) < i);
      });
    },
  },
  {
    what: "ORDER BY of DISTINCT or UNION has an expression that is no column of the result",
    error: 145,
    fails: ["select distinct a from t order by b", "select a from t union select b from u order by c"],
    passes: ["select distinct t.a as x from t order by x", "select a from t union select b from u order by a"],
    find: ({ queries, selects }) =>
      queries.flatMap(({ query }) => {
        const distinct = selects.find((node) => node.query === query && node.select.distinct !== undefined);
        const first = listAt(query.body, "SetOperation", "left", "Select", "projection");
        const columns = distinct ? columnsOf(distinct) : first;
        if (columns.length === 0) return [];
        const listed = new Set([...columns.map(columnName), ...columns.map((c) => textOf(columnExpression(c)))]);
        return ordersOf(query).flatMap((item) =>
          listed.has(textOf(item)) || listed.has(String(at(item, "Identifier", "value"))) ? [] : [textOf(item)],
        );
      }),
  },
  {
    what: "ORDER BY has a constant or a variable",
    error: 408,
    fails: ["select a from t order by 'x'", "select a from t order by @p1"],
    passes: ["select a from t order by 1", "select a from t order by (select null)"],
    find: ({ queries }) =>
      queries.flatMap(({ query }) =>
        ordersOf(query).flatMap((item) => {
          const isVariable = String(at(item, "Identifier", "value")).startsWith("@");
          const isConstant = at(item, "Value") !== undefined && at(item, "Value", "value", "Number") === undefined;
          return isVariable || isConstant ? [textOf(item)] : [];
        }),
      ),
  },
  {
    what: "a position of ORDER BY exceeds the columns",
    error: 108,
    fails: ["select a from t order by 2"],
    passes: ["select a, b from t order by 2"],
    find: inSelects((node) =>
      ordersOf(node.query).map((item) => {
        const position = Number(listAt(item, "Value", "value", "Number")[0] ?? 1);
        return (
          position > columnsOf(node).length && columnsOf(node).every((c) => columnName(c) !== "*") && `${position}`
        );
      }),
    ),
  },
  {
    what: "sub-queries are nested more than 32 levels deep",
    error: 191,
    fails: [`${"select 1 as x where exists (".repeat(mostLevels + 1)}select 1 as x${")".repeat(mostLevels + 1)}`],
    passes: ["select 1 as x where exists (select 1 as x)"],
    find: ({ selects }) => {
      const deepest = Math.max(0, ...selects.map(({ depth }) => depth));
      return deepest > mostLevels ? [`${deepest}`] : [];
    },
  },
  {
    what: "FOR JSON of a UNION in a sub-query",
    error: 1086,
    fails: ["select (select 1 as a union all select 2 as a for json path) as x"],
    passes: ["select (select k.a from (select 1 as a union all select 2 as a) k for json path) as x"],
    find: ({ queries }) =>
      queries.flatMap((node) =>
        isNested(node) && node.query.for_clause && at(node.query.body, "SetOperation") ? [node.place] : [],
      ),
  },
  {
    what: "FOR JSON in INSERT, INTO or an assignment",
    error: 13602,
    fails: ["insert into t (a) select b from u for json path", "select @p1 = a from t for json path"],
    passes: ["insert into t (a) select (select b from u for json path)"],
    find: inSelects((node) => [
      node.query?.for_clause !== undefined &&
        (node.place === "insert" || at(node.select, "into") !== undefined || columnsOf(node).some(isAssignment)) &&
        node.place,
    ]),
  },
  {
    what: "WITH in a sub-query",
    error: 156,
    fails: ["select x.a from (with k as (select 1 as a) select k.a from k) x"],
    passes: ["with k as (select 1 as a) select k.a from k"],
    find: ({ queries }) => queries.flatMap((node) => (isNested(node) && node.query.with ? [node.place] : [])),
  },
  {
    what: "a derived table has no alias",
    error: 102,
    fails: ["select a from (select 1 as a)"],
    passes: ["select a from (select 1 as a) k"],
    find: inSelects(({ own }) => [own.includes("") && "from"]),
  },
  {
    what: "two tables of a FROM have the same name",
    error: 1011,
    fails: ["select 1 as x from t k join u k on 1 = 1"],
    passes: ["select 1 as x from t k join u l on 1 = 1"],
    find: inSelects(({ own }) => own.filter((name, i) => own.indexOf(name) < i)),
  },
];
