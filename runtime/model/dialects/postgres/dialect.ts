/**
 * Builds the planner's SQL that is specific to PostgreSQL: operators, aggregates such as `count(distinct …)`, and the
 * structure of statements.
 */
import type {
  AggregateFunction,
  CountedValue,
  Dialect,
  JsonField,
  JsonMember,
  MultiplexedStatement,
  OrderDirection,
  SelectParts,
} from "../../definitions/dialect.ts";
import { documentPlace } from "../../definitions/json-document.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, renderWith, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { changes } from "./changed-rows.ts";
import { distances } from "./distances.ts";
import { entities } from "./entities.ts";
import { finds } from "./existing-rows.ts";
import { groups } from "./groups.ts";
import { jsonPathType } from "./json-path.ts";
import { operatorsOf } from "./operators.ts";
import { quoteIdentifier, textLiteral } from "./quote.ts";
import { relay } from "./relay.ts";
import { pg } from "./scalars.ts";
import { highWaterMark, relative, stream } from "./stream.ts";
import { updateOperators } from "./update-operators.ts";
import { textList, writes } from "./writes.ts";

// Multiplexing: one statement runs a query for many sets of values. The values of each parameter are passed as an array
// of the parameter's type, so that conditions compare columns with typed values and can use indexes.

/** Alias of a row of values; its column `v.p1` replaces the query's `$1`. */
const row = "v";

function multiplex(columns: readonly Sql[], from?: Sql): MultiplexedStatement {
  const named = columns.map((column, i) => sql`${column} as ${verbatim(`c${i + 1}`)}`);
  const query = renderWith(selectRow(named, from), (number) => `${row}.p${number}`);
  if (query.slots.length === 0) {
    return { text: `select 1 as n, q.* from (${query.text}) q`, slots: [], values: () => [] };
  }
  const lists = query.casts.map((cast, i) => `$${i + 1}::${elementType(cast)}[]`);
  const names = query.casts.map((_, i) => `p${i + 1}`);
  return {
    text:
      `select ${row}.n, q.* from unnest(${lists.join(", ")}) with ordinality as ${row}(${names.join(", ")}, n) ` +
      `cross join lateral (${query.text}) q`,
    slots: query.slots,
    values: (sets) => query.slots.map((_, i) => textList(sets.map((set) => set[i] ?? null))),
  };
}

function selectRow(columns: readonly Sql[], from: Sql | undefined): Sql {
  const list = joinSql(columns, ", ");
  return from ? sql`select ${list} from ${from}` : sql`select ${list}`;
}

/** Returns the element type of a parameter's array. Arrays of arrays and values without a cast are passed as texts. */
function elementType(cast: string): string {
  return cast === "" || cast.endsWith("[]") ? "text" : cast.slice(2);
}

// Rows in JSON values. Composite values and arrays of them become JSON of the same structure.

const place = verbatim(quoteIdentifier(documentPlace));

/** Returns the rows of a JSON value. JSON null has no rows; list items that are not objects are skipped. */
const documentRows: Dialect["documentRows"] = (value, { list, members }) => {
  const columns = joinSql(
    members.map(({ sql: name, type }) => verbatim(`${name} ${type}`)),
    ", ",
  );
  const json = sql`nullif(to_jsonb(${value}), 'null')`;
  if (!list) {
    return sql`(select r.* from (select ${json} as v) d cross join lateral jsonb_to_record(d.v) as r(${columns}) where d.v is not null)`;
  }
  const items = sql`jsonb_array_elements(${json}) with ordinality as e(v, n)`;
  return sql`(select r.*, e.n as ${place} from ${items} cross join lateral jsonb_to_record(e.v) as r(${columns}) where jsonb_typeof(e.v) = 'object')`;
};

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

/** Aggregates of an extension's type are in the type's schema. */
const aggregateCall = (name: string): AggregateFunction["call"] => {
  const opening = verbatim(`${name}(`);
  return (value, { operatorSchema: schema }) =>
    schema === undefined ? sql`${opening}${value})` : sql`${verbatim(`${schema}.${name}`)}(${value})`;
};

const sumTypes: Readonly<Record<string, ScalarType>> = { smallint: pg("int8"), Int: pg("int8"), bigint: pg("numeric") };
const sumType = (column: ScalarType): ScalarType => sumTypes[column.graphql] ?? column;
/**
 * Returns the type of averages, deviations and variances: floating point for floating point columns, and an exact type
 * otherwise.
 */
const meanType = ({ graphql }: ScalarType): ScalarType =>
  graphql === "Float" || graphql === "float8" ? pg("float8") : pg("numeric");

/** Number of fields in one call of `json_build_object`, which accepts at most 100 arguments. */
const fieldsPerCall = 50;
/** Maximum number of columns in a record; PostgreSQL's limit is 1664. */
const maximumColumns = 1600;
/** Maximum length of a name in bytes. PostgreSQL truncates longer names, so records cannot contain them. */
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
  distances,
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
  rowNumber,
  count,
  namedArgument: (name, value) => sql`${name} => ${value}`,
  jsonAtPath: (column, path) => sql`${column} #> ${path}`,
  jsonPathType,
  groups,
  bigintParameterType: pg("int8"),
  stream: {
    select: (parts) => stream(parts, jsonObject(parts.fields)),
    ordersTiesByKey: true,
    highWaterMark,
    relative,
    hasOrder: ({ unordered, lacks }) => !unordered && lacks?.includes("_gt") !== true,
  },
  multiplex,
  writes: { ...writes, finds, changes },
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

/** Returns a record as JSON, for more fields than one call accepts; its column names become the keys. */
function recordAsJson(fields: readonly JsonField[]): Sql {
  if (!fitsRecord(fields)) return mergedObjects(fields);
  return sql`(select row_to_json(r.*) from (select ${joinSql(fields.map(namedColumn), ", ")}) r)`;
}

/** Concatenates several objects as text, for long names or more fields than a record supports. */
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
 * Aggregates records if the names fit, which is shorter and faster than building each object. `r.*` is the row even if
 * the record, or a table of an enclosing statement, has a column with the name `r`.
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

function rowNumber(orderBy: readonly Sql[] = [], groups: readonly CountedValue[] = []): Sql {
  const values = groups.map(({ value }) => value);
  const clauses = [
    ...(values.length === 0 ? [] : [sql`partition by ${joinSql(values, ", ")}`]),
    ...(orderBy.length === 0 ? [] : [sql`order by ${joinSql(orderBy, ", ")}`]),
  ];
  return sql`row_number() over (${joinSql(clauses, " ")})`;
}

function count(values: readonly CountedValue[], distinct: boolean): Sql {
  const columns = values.map(({ value }) => value);
  if (columns.length === 0) return sql`count(*)`;
  const keyword = verbatim(distinct ? "distinct " : "");
  const [only] = columns;
  if (columns.length === 1 && only) return sql`count(${keyword}${only})`;
  return sql`count(${keyword}(${joinSql(columns, ", ")}))`;
}
