/**
 * SQL Server types in generated code: TypeRef → the call of `engine/support` that declares it in a module, and that
 * call → the scalar. The scalars themselves are in `runtime/model/dialects/mssql/scalars.ts`.
 */

import type { ScalarType } from "../../../runtime/model/definitions/scalar-type.ts";
import { operatorsOf } from "../../../runtime/model/dialects/mssql/operators.ts";
import { type MssqlTypeOptions, mssql, typeNames } from "../../../runtime/model/dialects/mssql/scalars.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import type { Shape, TypeRef } from "../../shape/shape.ts";
import type { ScalarCall } from "../dialect.ts";
import { systemType } from "./introspect/types.ts";

/** Types whose operands are cast with the precision or the dimensions of the column. */
const precise: ReadonlySet<string> = new Set(["decimal", "numeric", "vector"]);

/** Types whose operands are cast with the length of the column, and those that are also cast with its collation. */
const texts: ReadonlySet<string> = new Set(["char", "varchar", "nchar", "nvarchar"]);
const ofCodePage: ReadonlySet<string> = new Set(["char", "varchar"]);

/** Returns the declaration of a column's type. */
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

/** Returns the scalar that a call of `scalarCall` declares. */
export function scalarOf({ function: name, arguments: [type, options] }: ScalarCall): ScalarType {
  invariant(name === "mssql" && typeof type === "string", `${name} makes no type`);
  return options === undefined ? mssql(type) : mssql(type, options as MssqlTypeOptions);
}

/** Yields the scalars of all system types and of CLR types used by columns. */
export function* scalarNames({ tables }: Shape): Generator<string> {
  for (const name of typeNames) yield mssql(name).graphql;
  for (const { columns } of tables) for (const { type } of columns) yield scalarOf(scalarCall(type)).graphql;
}

/** Synonyms of system types in SQL. */
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

/** Returns the type with this name, which may have a length or precision and is case-insensitive. */
export function typeNamed(_: Shape, name: string): TypeRef {
  const [, base = name, suffix = ""] = /^([^(]*?)\s*(\(.*\))?$/s.exec(name.trim().toLowerCase()) ?? [];
  const known = synonyms.get(base) ?? base;
  return systemType(known, `${known}${suffix}`);
}

/** Types whose input depends on the language of the session. */
const sessionDependentTypes: ReadonlySet<string> = new Set([
  ...["date", "time", "datetime", "smalldatetime", "datetime2", "datetimeoffset"],
]);

/** Returns true if a constant of this type always means the same value, so that it may be inlined. */
export function inputIsImmutable({ name }: TypeRef): boolean {
  return !sessionDependentTypes.has(name);
}

/** Returns the names of types whose columns support an operator; empty for an unknown operator. */
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

/** Types that SQL Server cannot convert in either direction, according to the conversion chart of CAST and CONVERT. */
const inconvertible: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["uniqueidentifier", new Set([...numberTypes, ...moments, "datetime", "smalldatetime"])],
  ...moments.map((name): [string, ReadonlySet<string>] => [name, new Set(numberTypes)]),
]);

export function lacksEquality({ name: left }: TypeRef, { name: right }: TypeRef): boolean {
  return inconvertible.get(left)?.has(right) === true || inconvertible.get(right)?.has(left) === true;
}
