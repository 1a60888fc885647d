/** Comparison operators of SQL Server types. */

import { compareText } from "../../../values/text-order.ts";
import type { CompareOperator, FlagOperator, Operator, StructuredOperator } from "../../definitions/operator.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { type Comparison, type Condition, comparisons, pattern } from "../comparisons.ts";
import { distanceOperators } from "../distances.ts";
import { distances } from "./distances.ts";
import { documentOperators } from "./json-columns.ts";
import { comparableText } from "./lists.ts";
import { comparableValue, mssql, mssqlList } from "./scalars.ts";

/** Compares both sides in lower case, whatever the collation of the column. */
const ignoringCase = ({ name, sql: condition, description }: Comparison): Comparison => ({
  name,
  ...(description === undefined ? {} : { description }),
  isPattern: true,
  sql: (left, right) => condition(sql`lower(${left})`, sql`lower(${right})`),
});

const patterns: readonly Comparison[] = [
  pattern("_like", "like", "does the column match the given pattern"),
  pattern("_nlike", "not like", "does the column NOT match the given pattern"),
  ignoringCase(pattern("_ilike", "like", "does the column match the given case-insensitive pattern")),
  ignoringCase(pattern("_nilike", "not like", "does the column NOT match the given case-insensitive pattern")),
];

/** Returns a condition on a method of spatial values, which returns a `bit`. */
const method = (name: string, result: 0 | 1 = 1): Condition => {
  const call = verbatim(`.${name}(`);
  const is = verbatim(`) = ${result}`);
  return (left, right) => sql`${left}${call}${right}${is}`;
};

const spatialMethods = {
  _st_contains: "STContains",
  _st_equals: "STEquals",
  _st_intersects: "STIntersects",
  _st_overlaps: "STOverlaps",
  _st_within: "STWithin",
} as const;

/** Spatial values support neither `=` nor an order. */
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

/** Compares the distance to a value: in units of the plane, or in the unit of the reference system, usually meters. */
const distanceWithin = (type: ScalarType): StructuredOperator => ({
  kind: "structured",
  name: "_st_d_within",
  inputType: `st_d_within_${type.cast}_MSSQL_input`,
  fields: { distance: { type: mssql("float"), required: true }, from: { type, required: true } },
  sql: (left, [distance = sql`null`, from = sql`null`]) => sql`${left}.STDistance(${from}) <= ${distance}`,
});

const isNull: FlagOperator = {
  kind: "flag",
  name: "_is_null",
  sql: (left, value) => (value ? sql`${left} is null` : sql`${left} is not null`),
};

/** Returns the operators of a type, sorted by name. */
export function operatorsOf(type: ScalarType): readonly Operator[] {
  let operators = byType.get(type);
  if (!operators) {
    operators = createOperators(type);
    byType.set(type, operators);
  }
  return operators;
}

/** Cached by type rather than by name: types with one name differ in length, precision and collation. */
const byType = new WeakMap<ScalarType, readonly Operator[]>();

function createOperators(type: ScalarType): readonly Operator[] {
  return documentOperators(type, texts()) ?? comparisonsOf(type);
}

/** Returns the types of member names, and of lists of them. */
function texts(): Parameters<typeof documentOperators>[1] {
  const type = mssql("nvarchar");
  return { type, list: listOperand(type) };
}

function comparisonsOf(type: ScalarType): readonly Operator[] {
  // Vectors have neither `=` nor an order.
  if (type.cast === "vector") return [...distanceOperators(type, distances(type)), isNull].sort(byName);
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
  const within = isSpatial ? [distanceWithin(type)] : [];
  const all: Operator[] = [...rowsOf(type).map(compare), ...lists, ...within, isNull];
  return all.sort(byName);
}

const byName = (a: Operator, b: Operator): number => compareText(a.name, b.name);

function rowsOf(type: ScalarType): readonly Comparison[] {
  if (type.cast === "geometry") return geometry;
  if (type.cast === "geography") return spatial;
  return type.graphql === "String" ? [...comparisons, ...patterns] : comparisons;
}

/** Returns an operator whose list is one parameter, because a statement supports at most 2,100 parameters. */
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
 * Converts a list of a session variable, which is JSON (`[1, 2]`) or has PostgreSQL's form (`{1,2}`). Quotes, escapes and
 * NULL in PostgreSQL's form are not supported: such a text fails as invalid JSON.
 */
function listOfSession(parameter: Sql): Sql {
  const text = sql`cast(${parameter} as nvarchar(max))`;
  const items = sql`substring(${text}, 2, abs(len(${text}) - 2))`;
  const isPlain = sql`${text} like N'{%}' and ${text} not like N'%["\\]%' and upper(concat(N',', ${items}, N',')) not like N'%,NULL,%'`;
  const list = sql`concat(N'["', replace(${items}, N',', N'","'), N'"]')`;
  return sql`case when ${text} = N'{}' then N'[]' when ${isPlain} then ${list} else ${text} end`;
}

/** Returns a list condition. A NULL in the list matches nothing, as in a literal list. */
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
