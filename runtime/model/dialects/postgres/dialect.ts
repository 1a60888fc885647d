/** PostgreSQL for the shared planner: its operators, and the form of its statements (`sql-shapes.md`). */
import type {
  AggregateFunction,
  CountedValue,
  Dialect,
  JsonField,
  JsonMember,
  OrderDirection,
  SelectParts,
} from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { documentRows } from "./documents.ts";
import { entities } from "./entities.ts";
import { jsonPathType } from "./json-path.ts";
import { multiplex } from "./multiplex.ts";
import { operatorsOf } from "./operators.ts";
import { quoteIdentifier, textLiteral } from "./quote.ts";
import { relay } from "./relay.ts";
import { pg } from "./scalars.ts";
import { frontier, relative, stream } from "./stream.ts";
import { updateOperators } from "./update-operators.ts";
import { writes } from "./writes.ts";

const ordering = (descending: boolean, nulls: "first" | "last") => ({
  descending,
  nulls,
  description: `in ${descending ? "descending" : "ascending"} order, nulls ${nulls}`,
});

const aggregate = (
  name: string,
  on: AggregateFunction["on"],
  result: AggregateFunction["result"],
  typeOf: NonNullable<AggregateFunction["typeOf"]>,
) => [name, { call: aggregateCall(name), on, result, typeOf }] as const;

/** Those of a type that is not built in stand beside it. */
const aggregateCall = (name: string): AggregateFunction["call"] => {
  const opening = verbatim(`${name}(`);
  return (value, { operatorSchema: schema }) =>
    schema === undefined ? sql`${opening}${value})` : sql`${verbatim(`${schema}.${name}`)}(${value})`;
};

const sumTypes: Readonly<Record<string, ScalarType>> = { smallint: pg("int8"), Int: pg("int8"), bigint: pg("numeric") };
const sumType = (column: ScalarType): ScalarType => sumTypes[column.graphql] ?? column;
/** Floating point where the column is that, else exact. */
const meanType = ({ graphql }: ScalarType): ScalarType =>
  graphql === "Float" || graphql === "float8" ? pg("float8") : pg("numeric");

/** `json_build_object` takes at most 100 arguments. */
const fieldsPerCall = 50;
/** The server counts the columns of a record up to 1664. */
const maximumColumns = 1600;
/** Longer names are cut by the server, so that a record cannot carry them. */
const identifierBytes = 63;

export const postgres: Dialect = {
  kind: "postgres",
  orderings: new Map([
    ["asc", ordering(false, "last")],
    ["asc_nulls_first", ordering(false, "first")],
    ["asc_nulls_last", ordering(false, "last")],
    ["desc", ordering(true, "first")],
    ["desc_nulls_first", ordering(true, "first")],
    ["desc_nulls_last", ordering(true, "last")],
  ]),
  distinctOn: true,
  countsSeveralColumns: true,
  upsert: { argument: "on_conflict" },
  comparisonSuffix: (type) => (type.element ? "array_comparison_exp" : "comparison_exp"),
  operators: operatorsOf,
  aggregates: new Map([
    aggregate("avg", "numeric", "float", meanType),
    aggregate("max", "comparable", "column", (column) => column),
    aggregate("min", "comparable", "column", (column) => column),
    aggregate("stddev", "numeric", "float", meanType),
    aggregate("stddev_pop", "numeric", "float", meanType),
    aggregate("stddev_samp", "numeric", "float", meanType),
    aggregate("sum", "numeric", "column", sumType),
    aggregate("var_pop", "numeric", "float", meanType),
    aggregate("var_samp", "numeric", "float", meanType),
    aggregate("variance", "numeric", "float", meanType),
  ]),
  aggregatePredicates: [
    { name: "count", sql: "count", takes: "columns", type: pg("int4") },
    ...["bool_and", "bool_or"].map((name) => ({ name, sql: name, takes: "column" as const, type: pg("bool") })),
    ...["avg", "max", "min", "sum", "stddev_samp", "var_samp"].map((name) => ({
      name,
      sql: name,
      takes: "column" as const,
      type: pg("float8"),
    })),
    ...["corr", "covar_samp"].map((name) => ({ name, sql: name, takes: "pair" as const, type: pg("float8") })),
  ],
  quoteIdentifier,
  documentRows,
  parameterReference: (number) => `$${number}`,
  always: sql`true`,
  never: sql`false`,
  select,
  lateralJoin: (rows, alias) => sql`left join lateral (${rows}) ${alias} on true`,
  isRow: (alias) => sql`${alias}.* is distinct from null`,
  smaller: (left, right) => sql`least(${left}, ${right})`,
  orderItem: (value, direction) => sql`${value}${orderSuffix(direction)}`,
  jsonObject,
  jsonRows,
  jsonRow,
  jsonWhere: (condition, json) => sql`case when ${condition} then ${json} end`,
  jsonOfAggregates: (members, rows, alias) => sql`(select ${objectOfMembers(members)} from (${rows}) ${alias})`,
  jsonAggregate: (value, { filter, position }) => {
    const ordered = position === undefined ? value : sql`${value} order by ${position}`;
    const some = filter === undefined ? sql`` : sql` filter (where ${filter})`;
    return sql`coalesce(json_agg(${ordered})${some}, '[]')`;
  },
  upperCase: (value) => sql`upper(${value}::text collate "C")`,
  textLiteral: (text) => verbatim(textLiteral(text)),
  asText: (json) => sql`${json}::text`,
  fromRows(list, number) {
    const alias = verbatim(`f${number}`);
    return { item: sql`${list} ${alias}(v)`, value: sql`${alias}.v` };
  },
  keepsOrder: true,
  rowNumber: (orderBy) =>
    orderBy === undefined || orderBy.length === 0
      ? sql`row_number() over ()`
      : sql`row_number() over (order by ${joinSql(orderBy, ", ")})`,
  count,
  namedArgument: (name, value) => sql`${name} => ${value}`,
  jsonAtPath: (column, path) => sql`${column} #> ${path}`,
  jsonPathType,
  bigintParameterType: pg("int8"),
  stream: {
    select: (parts) => stream(parts, jsonObject(parts.fields)),
    frontier,
    relative,
    hasOrder: (type) => !type.unordered,
  },
  multiplex,
  writes,
  relay,
  entities,
  updateOperators,
};

function select({ columns, from, where, distinctOn, orderBy, limit, offset }: SelectParts): Sql {
  const clauses: Sql[] = [
    distinctOn?.length
      ? sql`select distinct on (${joinSql(distinctOn, ", ")}) ${joinSql(columns, ", ")} from ${from}`
      : sql`select ${joinSql(columns, ", ")} from ${from}`,
  ];
  if (where) clauses.push(sql`where ${where}`);
  if (orderBy?.length) clauses.push(sql`order by ${joinSql(orderBy, ", ")}`);
  if (limit) clauses.push(sql`limit ${limit}`);
  if (offset) clauses.push(sql`offset ${offset}`);
  return joinSql(clauses, " ");
}

const orderSuffixes = new Map(
  [true, false].flatMap((descending) =>
    (["first", "last"] as const).map((nulls) => {
      const isDefault = descending ? nulls === "first" : nulls === "last";
      const text = `${descending ? " desc" : " asc"}${isDefault ? "" : ` nulls ${nulls}`}`;
      return [`${descending}${nulls}`, verbatim(text)] as const;
    }),
  ),
);

function orderSuffix(direction: OrderDirection): Sql {
  return orderSuffixes.get(`${direction.descending}${direction.nulls}`) ?? verbatim("");
}

function jsonObject(fields: readonly JsonField[]): Sql {
  if (fields.length > fieldsPerCall) return recordAsJson(fields);
  const pairs = fields.map(({ key, value }) => sql`${verbatim(textLiteral(key))}, ${value}`);
  return sql`json_build_object(${joinSql(pairs, ", ")})`;
}

function objectOfMembers(members: readonly JsonMember[]): Sql {
  return jsonObject(
    members.map((member) =>
      "members" in member ? { key: member.key, value: objectOfMembers(member.members) } : member,
    ),
  );
}

/** More fields than one call takes: a record, whose keys are its column names. */
function recordAsJson(fields: readonly JsonField[]): Sql {
  if (!fitsRecord(fields)) return mergedObjects(fields);
  return sql`(select row_to_json(r.*) from (select ${joinSql(fields.map(namedColumn), ", ")}) r)`;
}

/** Long names and many fields, or more than a record takes: the pieces of several objects are joined as text. */
function mergedObjects(fields: readonly JsonField[]): Sql {
  const pieces: Sql[] = [];
  for (let i = 0; i < fields.length; i += fieldsPerCall) {
    const piece = jsonObject(fields.slice(i, i + fieldsPerCall));
    pieces.push(sql`left(substr((${piece})::text, 2), -1)`);
  }
  return sql`('{' || ${joinSql(pieces, " || ',' || ")} || '}')::json`;
}

const namedColumn = ({ key, value }: JsonField): Sql => sql`${value} as ${verbatim(quoteIdentifier(key))}`;

const fitsRecord = (fields: readonly JsonField[]): boolean =>
  fields.length <= maximumColumns && fields.every(({ key }) => Buffer.byteLength(key) <= identifierBytes);

/**
 * `json_agg` over a record is smaller and faster than objects built one by one, where the names fit. `r.*` is the row
 * also where the record, or a table of an enclosing statement, has a column that is called like `r`.
 */
function jsonRows(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">): Sql {
  if (fields.length > 0 && fitsRecord(fields)) {
    const rows = select({ ...parts, columns: fields.map(namedColumn) });
    return sql`(select coalesce(json_agg(r.*), '[]') from (${rows}) r)`;
  }
  const rows = select({ ...parts, columns: [sql`${jsonObject(fields)} as r`] });
  return sql`(select coalesce(json_agg(x.r), '[]') from (${rows}) x)`;
}

function jsonRow(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">): Sql {
  return sql`(${select({ ...parts, columns: [jsonObject(fields)] })})`;
}

function count(values: readonly CountedValue[], distinct: boolean): Sql {
  const columns = values.map(({ value }) => value);
  if (columns.length === 0) return sql`count(*)`;
  const keyword = verbatim(distinct ? "distinct " : "");
  const [only] = columns;
  if (columns.length === 1 && only) return sql`count(${keyword}${only})`;
  return sql`count(${keyword}(${joinSql(columns, ", ")}))`;
}
