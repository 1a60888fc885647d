/** Rules about aggregates, groups and window functions. */
import { aggregates } from "./functions.ts";
import type { Rule } from "./rule.ts";
import { columnExpression, columnName, columnsOf, inSelects, type SelectNode } from "./selects.ts";
import { argumentsOf, at, bareExpression, findAll, functionName, listAt, queryKinds, textOf, visit } from "./tree.ts";

const isAggregate = (call: unknown): boolean => aggregates.has(functionName(call)) && !at(call, "over");

/** Returns the calls in a clause, without those in its sub-queries. */
const callsIn = (clause: unknown): readonly unknown[] => findAll(clause, "Function", { stop: queryKinds });
const aggregatesIn = (clause: unknown): readonly unknown[] => callsIn(clause).filter(isAggregate);
const windowsIn = (clause: unknown): readonly unknown[] => callsIn(clause).filter((call) => at(call, "over"));
const names = (calls: readonly unknown[]): readonly string[] => calls.map(functionName);

const groupsOf = ({ select }: SelectNode): readonly unknown[] => {
  const [groups] = listAt(select, "group_by", "Expressions");
  return Array.isArray(groups) ? groups : [];
};
const joinsOf = ({ select }: SelectNode): readonly unknown[] =>
  listAt(select, "from").flatMap((item) => listAt(item, "joins").map((join) => at(join, "join_operator")));
/** Returns the columns, HAVING and, last, ORDER BY. */
const expressionsOf = (node: SelectNode): readonly unknown[] => [
  ...columnsOf(node).map(columnExpression),
  node.select.having,
  node.query?.order_by,
];

/** Words of `dateadd` and similar, which are no columns. */
const dateParts: ReadonlySet<string> = new Set([
  ...["year", "quarter", "month", "dayofyear", "day", "week", "weekday", "hour", "minute", "second"],
  ...["millisecond", "microsecond", "nanosecond", "tzoffset", "iso_week", "default"],
]);

interface Column {
  readonly qualifier?: string;
  readonly name: string;
}

/** Returns the columns in an expression: those with a qualifier, and all others as long as no sub-query begins. */
function columnsIn(
  expression: unknown,
  { except = [] }: { readonly except?: readonly string[] } = {},
): readonly Column[] {
  const found: Column[] = [];
  const search = (value: unknown, isNested: boolean): void =>
    visit(value, (kind, below, holder) => {
      if (kind === "name" || (except.length > 0 && except.includes(textOf(holder)))) return false;
      if (kind === "Function" && isAggregate(below) && except.length > 0) return false;
      if (queryKinds.includes(kind)) {
        search(below, true);
        return false;
      }
      const parts = listAt(holder, "CompoundIdentifier");
      if (kind === "CompoundIdentifier" && parts.length === 2)
        found.push({ qualifier: String(at(parts[0], "value")), name: String(at(parts[1], "value")) });
      const name = kind === "Identifier" ? String(at(below, "value")) : "@";
      if (!isNested && !name.startsWith("@") && !dateParts.has(name.toLowerCase())) found.push({ name });
      return true;
    });
  search({ expression }, false);
  return found;
}

/** Returns the columns outside aggregates that a grouped SELECT does not group by. */
function ungrouped(node: SelectNode): readonly string[] {
  const groups = groupsOf(node).map((group) => textOf(bareExpression(group)));
  const expressions = expressionsOf(node);
  const isGrouped = groups.length > 0 || node.select.having || expressions.some((e) => aggregatesIn(e).length > 0);
  if (!isGrouped) return [];
  const aliases = columnsOf(node)
    .filter((column) => at(column, "ExprWithAlias"))
    .map(columnName);
  const isOther = ({ qualifier }: Column): boolean => qualifier === undefined || node.own.includes(qualifier);
  const columns = expressions.map((expression) => columnsIn(expression, { except: ["", ...groups] }).filter(isOther));
  const sorted =
    columns.pop()?.filter(({ qualifier, name }) => qualifier !== undefined || !aliases.includes(name)) ?? [];
  return [...columns.flat(), ...sorted].map(({ name }) => name);
}

/** Returns aliases of columns in clauses that are evaluated before the columns. */
function earlyAliases(node: SelectNode): readonly string[] {
  const aliases = columnsOf(node).flatMap((column) => {
    const expression = at(column, "ExprWithAlias", "expr");
    const name = columnName(column);
    return expression && at(expression, "Identifier", "value") !== name ? [name] : [];
  });
  return [groupsOf(node), node.select.selection, node.select.having]
    .flatMap((clause) => columnsIn(clause))
    .filter(({ qualifier, name }) => qualifier === undefined && aliases.includes(name))
    .map(({ name }) => name);
}

export const aggregateRules: readonly Rule[] = [
  {
    what: "an aggregate in WHERE",
    error: 147,
    fails: ["select a from t where count(*) > 1"],
    passes: ["select a from t group by a having count(*) > 1"],
    find: inSelects(({ select }) => names(aggregatesIn(select.selection))),
  },
  {
    what: "an aggregate in ON",
    error: 1015,
    fails: ["select t.a from t join u on max(u.a) = t.a"],
    passes: ["select t.a from t join (select max(u.a) as a from u) k on k.a = t.a"],
    find: inSelects((node) => names(aggregatesIn(joinsOf(node)))),
  },
  {
    what: "an aggregate or a sub-query in GROUP BY",
    error: 144,
    fails: ["select 1 as x from t group by (select 1)", "select 1 as x from t group by max(a)"],
    passes: ["select a from t group by a"],
    find: inSelects((node) => [
      ...names(aggregatesIn(groupsOf(node))),
      ...findAll(groupsOf(node), "Subquery").map(() => "select"),
    ]),
  },
  {
    what: "an aggregate of an aggregate or a sub-query",
    error: 130,
    fails: ["select sum(count(*)) as x from t", "select max((select 1)) as x from t"],
    passes: ["select sum(k.n) as x from (select count(*) as n from t group by a) k"],
    find: inSelects((node) =>
      expressionsOf(node)
        .flatMap(aggregatesIn)
        .filter((call) => {
          const values = argumentsOf(call);
          return aggregatesIn(values).length > 0 || queryKinds.some((kind) => findAll(values, kind).length > 0);
        })
        .map(functionName),
    ),
  },
  {
    what: "an aggregate of a column of an outer SELECT",
    error: 8124,
    fails: [
      "select (select sum(u.b * t.a) from u) as x from t",
      "select k.x from t cross apply (select max(t.a) as x) k",
    ],
    passes: ["select (select sum(u.b) from u where u.a = t.a) as x from t"],
    find: inSelects((node) =>
      expressionsOf(node)
        .flatMap(aggregatesIn)
        .flatMap((call) => columnsIn(argumentsOf(call)))
        .flatMap(({ qualifier, name }) =>
          qualifier === undefined || node.own.includes(qualifier) ? [] : [`${qualifier}.${name}`],
        ),
    ),
  },
  {
    what: "a column that is neither grouped nor aggregated",
    error: 8120,
    fails: [
      "select a, b from t group by a",
      "select a, count(*) as n from t",
      "select count(*) as n from t order by t.a",
    ],
    passes: ["select a, count(*) as n from t group by a order by n", "select t.a + 1 as b from t group by t.a + 1"],
    find: inSelects(ungrouped),
  },
  {
    what: "an alias of a column in WHERE, GROUP BY or HAVING",
    error: 207,
    fails: ["select a + 1 as b from t group by b", "select a + 1 as b from t where b = 1"],
    passes: ["select t.a + 1 as b from t where t.b = 1 order by b"],
    find: inSelects(earlyAliases),
  },
  {
    what: "GROUP BY without a column of its SELECT",
    error: 164,
    fails: ["select 1 as x from t group by 1", "select (select 1 as x from u group by t.a) as x from t"],
    passes: ["select 1 as x from t group by t.a"],
    find: inSelects((node) =>
      groupsOf(node)
        .filter((group) =>
          columnsIn(group).every(({ qualifier }) => qualifier !== undefined && !node.own.includes(qualifier)),
        )
        .map(textOf),
    ),
  },
  {
    what: "TOP or OFFSET with a column of its SELECT",
    error: 4115,
    fails: ["select top (t.a) t.b from t"],
    passes: ["select (select top (t.a) u.b from u) as x from t"],
    find: inSelects(({ select, query, own }) =>
      columnsIn([select.top, query?.limit_clause, query?.fetch])
        .filter(({ qualifier }) => qualifier !== undefined && own.includes(qualifier))
        .map(({ name }) => name),
    ),
  },
  {
    what: "a window function outside the columns and ORDER BY",
    error: 4108,
    fails: ["select a from t where row_number() over (order by a) = 1"],
    passes: ["select k.a from (select a, row_number() over (order by a) as n from t) k where k.n = 1"],
    find: inSelects((node) =>
      names(windowsIn([node.select.selection, node.select.having, groupsOf(node), joinsOf(node)])),
    ),
  },
  {
    what: "a window function in a window function or an aggregate",
    error: 4109,
    fails: ["select sum(row_number() over (order by a)) as x from t"],
    passes: ["select sum(count(*)) over () as x from t group by a"],
    find: inSelects((node) =>
      expressionsOf(node)
        .flatMap(callsIn)
        .filter((call) => isAggregate(call) || at(call, "over"))
        .flatMap((call) => names(windowsIn([argumentsOf(call), at(call, "over")]))),
    ),
  },
  {
    what: "ORDER BY of a window has a constant",
    error: 5308,
    fails: ["select row_number() over (order by 1) as n from t", "select row_number() over (order by 'x') as n from t"],
    passes: ["select row_number() over (order by (select null)) as n from t"],
    find: ({ trees }) =>
      findAll(trees, "WindowSpec")
        .flatMap((window) => listAt(window, "order_by").map((item) => at(item, "expr")))
        .filter((item) => at(item, "Value"))
        .map(textOf),
  },
  {
    what: "a rank without OVER (ORDER BY …)",
    error: 4112,
    fails: ["select row_number() over (partition by a) as n from t"],
    passes: ["select row_number() over (order by a) as n from t"],
    find: ({ trees }) =>
      findAll(trees, "Function")
        .filter((call) => ["row_number", "rank", "dense_rank", "ntile", "lag", "lead"].includes(functionName(call)))
        .filter((call) => listAt(call, "over", "WindowSpec", "order_by").length === 0)
        .map(functionName),
  },
  {
    what: "DISTINCT in a window function",
    error: 10759,
    fails: ["select count(distinct a) over () as n from t"],
    passes: ["select count(distinct a) as n from t"],
    find: ({ trees }) =>
      findAll(trees, "Function")
        .filter((call) => at(call, "over") && at(call, "args", "List", "duplicate_treatment") === "Distinct")
        .map(functionName),
  },
  {
    what: "ordered aggregates of one SELECT with different orders",
    error: 8711,
    fails: [
      "select string_agg(a, ',') within group (order by a) as x, string_agg(a, ',') within group (order by b) as y from t",
    ],
    passes: ["select string_agg(a, ',') within group (order by b) as x, string_agg(b, ',') as y from t"],
    find: inSelects((node) => {
      const orders = expressionsOf(node)
        .flatMap(aggregatesIn)
        .map((call) => listAt(call, "within_group"))
        .filter((order) => order.length > 0)
        .map(textOf);
      return new Set(orders).size > 1 ? orders : [];
    }),
  },
];
