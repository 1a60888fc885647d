/**
 * SQL Server types for generated code: TypeRef → the call of `engine/support` that a module writes, and that call →
 * the scalar. The scalars themselves are in `runtime/model/dialects/mssql/scalars.ts`.
 */

import type { ScalarType } from "../../../runtime/model/definitions/scalar-type.ts";
import { operatorsOf } from "../../../runtime/model/dialects/mssql/operators.ts";
import { type MssqlTypeOptions, mssql, typeNames } from "../../../runtime/model/dialects/mssql/scalars.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import type { Shape, TypeRef } from "../../shape/shape.ts";
import type { ScalarCall } from "../dialect.ts";
import { systemType } from "./introspect/types.ts";

/** Types whose operands are cast to the column's own precision. */
const precise: ReadonlySet<string> = new Set(["decimal", "numeric"]);

/** Types whose length says which texts they hold, and those of them where the collation says it, too. */
const texts: ReadonlySet<string> = new Set(["char", "varchar", "nchar", "nvarchar"]);
const ofCodePage: ReadonlySet<string> = new Set(["char", "varchar"]);

/** How a generated module writes the type of a column. */
export function scalarCall({ name, sql, collation, holdsJson }: TypeRef): ScalarCall {
  if (holdsJson) return { function: "mssql", arguments: [name, { holds: "json" }] };
  const isWhole = sql !== name && (precise.has(name) || (texts.has(name) && !sql.endsWith("(max)")));
  if (!isWhole) return { function: "mssql", arguments: [name] };
  if (!ofCodePage.has(name)) return { function: "mssql", arguments: [name, { cast: sql }] };
  return { function: "mssql", arguments: collation === undefined ? [name] : [name, { cast: sql, collation }] };
}

/** @see Dialect.jsonColumnType */
export function jsonColumnType(type: TypeRef): TypeRef | undefined {
  return type.category === "base" && texts.has(type.name) ? { ...type, holdsJson: true } : undefined;
}

/** The scalar that a call of `scalarCall` gives. */
export function scalarOf({ function: name, arguments: [type, options] }: ScalarCall): ScalarType {
  invariant(name === "mssql" && typeof type === "string", `${name} makes no type`);
  return options === undefined ? mssql(type) : mssql(type, options as MssqlTypeOptions);
}

/** The scalars of all system types and of the CLR types that columns have. */
export function* scalarNames({ tables }: Shape): Generator<string> {
  for (const name of typeNames) yield mssql(name).graphql;
  for (const { columns } of tables) for (const { type } of columns) yield scalarOf(scalarCall(type)).graphql;
}

/** Further names that SQL has for system types. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["integer", "int"],
  ["dec", "decimal"],
  ["double precision", "float"],
  ["character", "char"],
  ["character varying", "varchar"],
  ["national character", "nchar"],
  ["national character varying", "nvarchar"],
  ["national text", "ntext"],
  ["rowversion", "timestamp"],
  ["binary varying", "varbinary"],
]);

/** `name` may have a length or precision behind it. Case does not matter, as in SQL. */
export function typeNamed(_: Shape, name: string): TypeRef {
  const [, base = name, suffix = ""] = /^([^(]*?)\s*(\(.*\))?$/s.exec(name.trim().toLowerCase()) ?? [];
  const known = synonyms.get(base) ?? base;
  return systemType(known, `${known}${suffix}`);
}

/** Their input depends on the language of the session. */
const readAnew: ReadonlySet<string> = new Set([
  ...["date", "time", "datetime", "smalldatetime", "datetime2", "datetimeoffset"],
]);

/** Whether the text of a constant always means the same value, so that it can stand in a statement (ruling 21). */
export function inputIsImmutable({ name }: TypeRef): boolean {
  return !readAnew.has(name);
}

/** Catalogue names of the types whose columns can be compared by this operator; none: there is no such operator. */
export function typesWithOperator(operator: string): readonly string[] {
  return typeNames.filter((name) => operatorsOf(mssql(name)).some((each) => each.name === operator));
}

const numberTypes = [
  "tinyint",
  "smallint",
  "int",
  "bigint",
  "decimal",
  "numeric",
  "float",
  "real",
  "money",
  "smallmoney",
  "bit",
];
const moments = ["date", "time", "datetime2", "datetimeoffset"];

/** Types between which SQL Server converts in no direction, by the chart of CAST and CONVERT. */
const apart: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["uniqueidentifier", new Set([...numberTypes, ...moments, "datetime", "smalldatetime"])],
  ...moments.map((name): [string, ReadonlySet<string>] => [name, new Set(numberTypes)]),
]);

export function lacksEquality({ name: left }: TypeRef, { name: right }: TypeRef): boolean {
  return apart.get(left)?.has(right) === true || apart.get(right)?.has(left) === true;
}
