/**
 * Builds the planner's SQL that is specific to SQL Server: operators, aggregates such as `count(distinct …)`, and the
 * structure of statements, such as paging (`top`, `offset … fetch`).
 */
import { EngineError } from "../../../values/errors.ts";
import type {
  AggregateFunction,
  CountedValue,
  Dialect,
  JsonField,
  JsonMember,
  OrderDirection,
  SelectParts,
  UpdateOperator,
} from "../../definitions/dialect.ts";
import { documentPlace } from "../../definitions/json-document.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { allOf, inParentheses, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { assign, increment } from "../update-operators.ts";
import { distances } from "./distances.ts";
import { entities } from "./entities.ts";
import { groups } from "./groups.ts";
import { documentUpdates } from "./json-columns.ts";
import { multiplex } from "./multiplex.ts";
import { operatorsOf } from "./operators.ts";
import { callProcedure } from "./procedures.ts";
import { quoteIdentifier, textLiteral } from "./quote.ts";
import { relay } from "./relay.ts";
import { addedType, comparableValue, hasEquality, mssql } from "./scalars.ts";
import { hasOrder, highWaterMark, stream } from "./stream.ts";
import { writes } from "./writes.ts";

// Rows in JSON texts.

const placeName = verbatim(quoteIdentifier(documentPlace));

/** Returns the rows of a JSON text. Null items have no rows. */
const documentRows: Dialect["documentRows"] = (value, { list, members }) => {
  const columns = members.map(({ key, sql: name, type, nested }) => {
    const path = `'$.${JSON.stringify(key).replaceAll("'", "''")}'`;
    return verbatim(nested ? `${name} nvarchar(max) ${path} as json` : `${name} ${type} ${path}`);
  });
  const shape = sql`with (${joinSql(columns, ", ")})`;
  if (!list) return sql`(select r.* from openjson(${value}) ${shape} r)`;
  const place = sql`cast(i.[key] as int) as ${placeName}`;
  return sql`(select r.*, ${place} from openjson(${value}) i cross apply openjson(i.[value]) ${shape} r)`;
};

// Update operators.

const { before, after } = documentUpdates(mssql("nvarchar"), mssql("int"));

const updateOperators: readonly UpdateOperator[] = [...before, increment, ...after, assign];

const ordering = (descending: boolean, nulls: "first" | "last") => ({
  descending,
  nulls,
  description: `in ${descending ? "descending" : "ascending"} order, nulls ${nulls}`,
});

const aggregate = (name: string, sqlName: string, on: AggregateFunction["on"], result: AggregateFunction["result"]) => {
  const opening = verbatim(`${sqlName}(`);
  const call = (value: Sql, type: ScalarType): Sql => sql`${opening}${comparableValue(type, value)})`;
  const typeOf = (column: ScalarType): ScalarType => (result === "float" ? mssql("float") : column);
  return [name, { call, on, result, typeOf }] as const;
};

/** Adds integers as `bigint`, because `sum` and `avg` of `int` fail if the sum exceeds 32 bits. */
const adding = (name: "avg" | "sum", result: AggregateFunction["result"]): readonly [string, AggregateFunction] => {
  const opening = verbatim(`${name}(`);
  const call: AggregateFunction["call"] = (value, { graphql }) =>
    graphql === "Int" ? sql`${opening}cast(${value} as bigint))` : sql`${opening}${value})`;
  return [name, { call, on: "numeric", result, typeOf: addedType }];
};

export const sqlServer: Dialect = {
  kind: "mssql",
  orderings: new Map([
    ["asc", ordering(false, "first")],
    ["asc_nulls_first", ordering(false, "first")],
    ["asc_nulls_last", ordering(false, "last")],
    ["desc", ordering(true, "last")],
    ["desc_nulls_first", ordering(true, "first")],
    ["desc_nulls_last", ordering(true, "last")],
  ]),
  distinctOn: false,
  // Tables may hide the columns of their period, and of a ledger.
  listsColumns: true,
  countsSeveralColumns: false,
  upsert: { argument: "if_matched", canMatch: hasEquality },
  stream: {
    select: (parts) => stream(parts, jsonObject(parts.fields), (value, position) => jsonAggregate(value, { position })),
    hasOrder,
    ordersTiesByKey: false,
    highWaterMark,
  },
  comparisonSuffix: () => "MSSQL_comparison_exp",
  operators: operatorsOf,
  distances,
  aggregates: new Map([
    adding("avg", "float"),
    aggregate("max", "max", "comparable", "column"),
    aggregate("min", "min", "comparable", "column"),
    aggregate("stddev", "stdev", "numeric", "float"),
    aggregate("stddev_pop", "stdevp", "numeric", "float"),
    aggregate("stddev_samp", "stdev", "numeric", "float"),
    adding("sum", "column"),
    aggregate("var_pop", "varp", "numeric", "float"),
    aggregate("var_samp", "var", "numeric", "float"),
    aggregate("variance", "var", "numeric", "float"),
  ]),
  aggregatePredicates: [
    { name: "count", sql: "count", takes: "columns", type: mssql("int") },
    // The minimum and maximum of 0 and 1, because aggregates do not accept bit. `distinct` has no effect.
    ...(
      [
        ["bool_and", "min"],
        ["bool_or", "max"],
      ] as const
    ).map(([name, extreme]) => ({
      name,
      sql: (value: Sql) => sql`cast(${verbatim(extreme)}(cast(${value} as int)) as bit)`,
      takes: "column" as const,
      type: mssql("bit"),
    })),
    ...(
      [
        ...(["avg", "max", "min", "sum"] as const).map((name) => [name, name] as const),
        ["stddev_samp", "stdev"],
        ["var_samp", "var"],
      ] as const
    ).map(([name, sqlName]) => ({ name, sql: sqlName, takes: "column" as const, type: mssql("float") })),
  ],
  quoteIdentifier,
  documentRows,
  parameterReference: (number) => `@p${number}`,
  always: sql`1 = 1`,
  never: sql`1 = 0`,
  select,
  lateralJoin: (rows, alias) => sql`outer apply (${rows}) ${alias}`,
  isRow: (alias) => sql`${alias}.[is a row] is not null`,
  rowMarker: sql`1 as [is a row]`,
  smaller: (left, right) => sql`iif(${left} < ${right}, ${left}, ${right})`,
  orderItem,
  jsonObject,
  jsonRows,
  jsonRow: (fields, parts) => sql`json_query((${forJson(fields, parts, "object")}))`,
  jsonWhere: (condition, json) => sql`json_query(case when ${condition} then ${json} end)`,
  jsonOfAggregates,
  jsonAggregate,
  keepsOrder: false,
  upperCase: (value) => sql`upper(${value})`,
  textLiteral: (text) => verbatim(textLiteral(text)),
  asText: (json) => json,
  rowNumber,
  count,
  defaultArgument: sql`default`,
  namedArgument: () => {
    throw new EngineError("unexpected", "$", "SQL Server has no functions with named arguments", { status: 500 });
  },
  jsonAtPath: () => {
    throw new EngineError("unexpected", "$", "SQL Server has no JSON columns", { status: 500 });
  },
  jsonPathType: mssql("nvarchar"),
  groups,
  bigintParameterType: mssql("bigint"),
  multiplex,
  callProcedure,
  writes,
  relay,
  entities,
  updateOperators,
};

/** Builds a SELECT. ORDER BY without TOP or OFFSET is valid only with FOR JSON. */
function select({ columns, from, where, orderBy, limit, offset }: SelectParts): Sql {
  const top = limit && !offset ? sql`top (${limit}) ` : sql``;
  const clauses: Sql[] = [sql`select ${top}${joinSql(columns, ", ")} from ${from}`];
  // FETCH does not accept 0 (error 10744): a page that may be empty fetches one row and adds a false condition.
  const mayBeEmpty = offset && limit && !isPositive(limit);
  const condition = allOf([where, mayBeEmpty ? sql`${limit} > 0` : undefined]);
  if (condition) clauses.push(sql`where ${condition}`);
  if (orderBy?.length) clauses.push(sql`order by ${joinSql(orderBy, ", ")}`);
  else if (offset) clauses.push(sql`order by (select null)`);
  if (offset) clauses.push(sql`offset (${offset}) rows`);
  if (offset && limit) {
    clauses.push(sql`fetch next (${mayBeEmpty ? sql`iif(${limit} = 0, 1, ${limit})` : limit}) rows only`);
  }
  return joinSql(clauses, " ");
}

/** Returns true if a limit is a literal other than 0. */
const isPositive = ({ parts }: Sql): boolean =>
  parts.every((part) => typeof part === "string" && /^[1-9]\d*$/.test(part));

/**
 * Returns an ORDER BY item. NULL is the smallest value; for the opposite position an additional key is sorted first.
 */
function orderItem(value: Sql, { descending, nulls }: OrderDirection, type?: ScalarType): Sql {
  const comparable = type ? comparableValue(type, value) : value;
  const item = descending ? sql`${comparable} desc` : sql`${comparable} asc`;
  if (descending === (nulls === "last")) return item;
  return descending
    ? sql`iif(${comparable} is null, 0, 1) asc, ${item}`
    : sql`iif(${comparable} is null, 1, 0) asc, ${item}`;
}

/** Maximum length of a column name in characters. */
const identifierLength = 128;

function namedColumn({ key, value }: JsonField): Sql {
  if (key.length > identifierLength) {
    const message = `the name "${key}" exceeds SQL Server's limit of ${identifierLength} characters: use a shorter alias`;
    throw new EngineError("not-supported", "$", message);
  }
  return sql`${value} as ${verbatim(quoteIdentifier(key))}`;
}

/** Builds a list of objects, or a single object. */
function forJson(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">, as: "list" | "object"): Sql {
  const rows = select({ ...parts, columns: fields.map(namedColumn) });
  return as === "list"
    ? sql`${rows} for json path, include_null_values`
    : sql`${rows} for json path, include_null_values, without_array_wrapper`;
}

/** Builds an object. `json_query` marks it as JSON for the enclosing FOR JSON. */
function jsonObject(fields: readonly JsonField[]): Sql {
  if (fields.length === 0) return sql`json_query(N'{}')`;
  const columns = joinSql(fields.map(namedColumn), ", ");
  return sql`json_query((select ${columns} for json path, include_null_values, without_array_wrapper))`;
}

function jsonRows(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">): Sql {
  if (fields.length > 0) return sql`json_query(isnull((${forJson(fields, parts, "list")}), N'[]'))`;
  const rows = select({ ...parts, columns: [sql`1 as c1`], orderBy: [] });
  const objects = sql`string_agg(cast(N'{}' as nvarchar(max)), N',')`;
  return sql`json_query((select concat(N'[', ${objects}, N']') from (${rows}) r))`;
}

/**
 * Builds an object of aggregates: one SELECT computes them and another builds the JSON, because FOR JSON needs rows.
 */
function jsonOfAggregates(members: readonly JsonMember[], rows: Sql, alias: Sql): Sql {
  const computed: Sql[] = [];
  const shape = (member: JsonMember): JsonField => {
    if ("members" in member) return { key: member.key, value: jsonObject(member.members.map(shape)) };
    const name = verbatim(`v${computed.length + 1}`);
    computed.push(sql`${member.value} as ${name}`);
    return { key: member.key, value: member.holdsJson ? sql`json_query(a.${name})` : sql`a.${name}` };
  };
  const fields = members.map(shape);
  const from = sql`(select ${joinSql(computed, ", ")} from (${rows}) ${alias}) a`;
  return sql`json_query((${forJson(fields, { from }, "object")}))`;
}

/** Concatenates JSON as text, because FOR JSON cannot be combined with other aggregates. NULLs are skipped. */
function jsonAggregate(
  value: Sql,
  { filter, position }: { readonly filter?: Sql | undefined; readonly position?: Sql | undefined },
): Sql {
  const json = sql`isnull(${value}, N'null')`;
  const item = filter ? sql`case when ${filter} then ${json} end` : json;
  const order = position ? sql` within group (order by ${position})` : sql``;
  return sql`concat(N'[', string_agg(${item}, N',')${order}, N']')`;
}

/** Builds ROW_NUMBER, which needs an order; PARTITION BY requires types with `=`. */
function rowNumber(orderBy: readonly Sql[] = [], groups: readonly CountedValue[] = []): Sql {
  const values = groups.map(({ value, type }) => {
    const comparable = comparableValue(type, value);
    if (comparable !== value || hasEquality(type)) return comparable;
    throw new EngineError("not-supported", "$", `SQL Server cannot group rows by values of type "${type.cast}"`);
  });
  const order = orderBy.length === 0 ? sql`(select null)` : joinSql(orderBy, ", ");
  const partition = values.length === 0 ? sql`` : sql`partition by ${joinSql(values, ", ")} `;
  return sql`row_number() over (${partition}order by ${order})`;
}

/** Builds COUNT, which does not accept the deprecated text types; DISTINCT requires types with `=` (error 8117). */
function count(values: readonly CountedValue[], distinct: boolean): Sql {
  const [only, ...more] = values;
  if (only === undefined) return sql`count(*)`;
  if (more.length > 0)
    throw new EngineError("not-supported", "$", "SQL Server can count the values of only one column");
  const { type } = only;
  const value = comparableValue(type, only.value);
  if (!distinct) return sql`count(${value})`;
  if (value === only.value && !hasEquality(type)) {
    throw new EngineError(
      "not-supported",
      "$",
      `SQL Server cannot compare values of type "${type.cast}" for equality: count them without "distinct"`,
    );
  }
  return sql`count(distinct ${inParentheses(value)})`;
}
