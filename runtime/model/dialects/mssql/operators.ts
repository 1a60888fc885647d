/** Comparison operators of SQL Server types (`graphql-api.md` 4.2, 4.4; `sql-generation.md` 13.3). */

import type { CompareOperator, FlagOperator, Operator } from "../../definitions/operator.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { type Comparison, type Condition, comparisons, pattern } from "../comparisons.ts";
import { documentOperators } from "./json-columns.ts";
import { comparableText } from "./lists.ts";
import { comparableValue, mssql, mssqlList } from "./scalars.ts";

const patterns: readonly Comparison[] = [
  pattern("_like", "like", "does the column match the given pattern"),
  pattern("_nlike", "not like", "does the column NOT match the given pattern"),
];

/** Methods of spatial values, which answer a `bit`. */
const method = (name: string, answer: 0 | 1 = 1): Condition => {
  const call = verbatim(`.${name}(`);
  const is = verbatim(`) = ${answer}`);
  return (left, right) => sql`${left}${call}${right}${is}`;
};

const spatialMethods = {
  _st_contains: "STContains",
  _st_equals: "STEquals",
  _st_intersects: "STIntersects",
  _st_overlaps: "STOverlaps",
  _st_within: "STWithin",
} as const;

/** `=` does not take spatial values, which have no order either. */
const spatial: readonly Comparison[] = [
  { name: "_eq", sql: method("STEquals") },
  { name: "_neq", sql: method("STEquals", 0) },
  ...Object.entries(spatialMethods).map(([name, f]) => ({ name, sql: method(f) })),
];

const geometry: readonly Comparison[] = [
  ...spatial,
  { name: "_st_crosses", sql: method("STCrosses") },
  { name: "_st_touches", sql: method("STTouches") },
];

const isNull: FlagOperator = {
  kind: "flag",
  name: "_is_null",
  sql: (left, value) => (value ? sql`${left} is null` : sql`${left} is not null`),
};

/** The operators of a type, by name. */
export function operatorsOf(type: ScalarType): readonly Operator[] {
  let operators = byType.get(type);
  if (!operators) {
    operators = makeOperators(type);
    byType.set(type, operators);
  }
  return operators;
}

/** Columns of one name of a type differ in length, precision and collation. */
const byType = new WeakMap<ScalarType, readonly Operator[]>();

function makeOperators(type: ScalarType): readonly Operator[] {
  return documentOperators(type, texts()) ?? comparisonsOf(type);
}

/** What the names of members are, and lists of them. */
function texts(): Parameters<typeof documentOperators>[1] {
  const type = mssql("nvarchar");
  return { type, list: listOperand(type) };
}

function comparisonsOf(type: ScalarType): readonly Operator[] {
  const compare = ({ name, sql: condition, description, isPattern }: Comparison): CompareOperator => ({
    kind: "compare",
    name,
    operand: type,
    list: false,
    sql: (left, right) => condition(comparableValue(type, left), right),
    ...(description === undefined ? {} : { description }),
    ...(isPattern && { isPattern }),
  });
  const isSpatial = type.cast === "geometry" || type.cast === "geography";
  const lists = isSpatial
    ? [
        listOperator("_in", equalToSome("exists", type), type),
        listOperator("_nin", equalToSome("not exists", type), type),
      ]
    : [listOperator("_in", inList("in", type), type), listOperator("_nin", inList("not in", type), type)];
  const all: Operator[] = [...rowsOf(type).map(compare), ...lists, isNull];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function rowsOf(type: ScalarType): readonly Comparison[] {
  if (type.cast === "geometry") return geometry;
  if (type.cast === "geography") return spatial;
  return type.graphql === "String" ? [...comparisons, ...patterns] : comparisons;
}

/** One parameter whatever the length of the list: a statement takes 2,100 at most. */
function listOperator(name: string, condition: Condition, type: ScalarType): CompareOperator {
  return {
    kind: "compare",
    name,
    operand: listOperand(type),
    list: true,
    sql: condition,
  };
}

function listOperand(type: ScalarType): ScalarType {
  return { ...type, ...mssqlList(type), operand: (parameter) => parameter, sessionOperand: listOfSession };
}

/**
 * A list of the session is JSON, `[1, 2]`, or has the form of PostgreSQL, `{1,2}`. What that quotes, escapes or calls
 * NULL is not guessed at: such a text is no JSON, and an error.
 */
function listOfSession(parameter: Sql): Sql {
  const text = sql`cast(${parameter} as nvarchar(max))`;
  const items = sql`substring(${text}, 2, abs(len(${text}) - 2))`;
  const isPlain = sql`${text} like N'{%}' and ${text} not like N'%["\\]%' and upper(concat(N',', ${items}, N',')) not like N'%,NULL,%'`;
  const list = sql`concat(N'["', replace(${items}, N',', N'","'), N'"]')`;
  return sql`case when ${text} = N'{}' then N'[]' when ${isPlain} then ${list} else ${text} end`;
}

/** A NULL in the list matches nothing, as in a list that is written out. */
function inList(symbol: string, type: ScalarType): Condition {
  const opening = verbatim(` ${symbol} (select `);
  const item = sql`[value]`;
  const { value, isWhole } = type.graphql === "String" ? comparableText(type, item) : { value: type.operand(item) };
  const condition = isWhole ? sql` where ${item} is null or ${isWhole}` : sql``;
  return (left, right) => sql`${comparableValue(type, left)}${opening}${value} from openjson(${right})${condition})`;
}

function equalToSome(quantifier: string, type: ScalarType): Condition {
  const opening = verbatim(`${quantifier} (select 1 from openjson(`);
  return (left, right) => sql`${opening}${right}) where ${left}.STEquals(${type.operand(sql`[value]`)}) = 1)`;
}
