/**
 * PostgreSQL types for generated code: TypeRef → the call of `engine/support` that a module writes, and that call →
 * the scalar. The scalars themselves are in `runtime/model/dialects/postgres/scalars.ts`.
 */

import type { ScalarType } from "../../../runtime/model/definitions/scalar-type.ts";
import { type PgTypeOptions, pg, pgArray } from "../../../runtime/model/dialects/postgres/scalars.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import type { Shape, TypeRef } from "../../shape/shape.ts";
import { isScalarCall, type ScalarCall } from "../dialect.ts";
import { schemaOf } from "./introspect/types.ts";

/** How a generated module writes the type of a column. */
export function scalarCall(type: TypeRef): ScalarCall {
  if (type.element) return { function: "pgArray", arguments: [scalarCall(type.element)] };
  const base = type.base ?? type;
  if (base.element) return scalarCall(base);
  const ofDomain = type.base !== undefined && base.category === "enum"; // PostgreSQL finds operators of the enum alone
  const cast = castName(ofDomain ? base : type);
  const isUserDefined = base.schema !== "pg_catalog" && base.category !== "base" && base.category in categories;
  const schema = operatorSchema(base);
  const options: PgTypeOptions = {
    ...(cast === base.name ? {} : { cast }),
    ...(schema === undefined ? {} : { schema }),
    ...(isUserDefined ? { category: ofDomain ? "enum_domain" : (base.category as keyof typeof categories) } : {}),
  };
  return { function: "pg", arguments: Object.keys(options).length === 0 ? [base.name] : [base.name, { ...options }] };
}

/**
 * Where the operators of a type are, quoted; `undefined`: they are built in. A Shape that does not know them yet, or metadata
 * that names the type without one, leaves the schema of the type, where extensions put all that they have.
 */
function operatorSchema({ schema, name, sql, category, operators }: TypeRef): string | undefined {
  if (schema === "pg_catalog" || category !== "base") return undefined;
  if (operators !== undefined) return operators.schema === "pg_catalog" ? undefined : operators.schema;
  return schemaOf(sql, name) || undefined;
}

/** The scalar that a call of `scalarCall` gives. */
export function scalarOf(call: ScalarCall): ScalarType {
  const [first, options] = call.arguments;
  if (call.function === "pgArray") {
    invariant(first !== undefined && isScalarCall(first), "an array has an element type");
    return pgArray(scalarOf(first));
  }
  invariant(call.function === "pg" && typeof first === "string", `${call.function} makes no type`);
  return options === undefined ? pg(first) : pg(first, options as PgTypeOptions);
}

/** What `pg` has to be told, because a type's name alone does not say it. */
const categories = { enum: true, composite: true, range: true } as const;

const plainName = /^[a-z_][a-z0-9_]*$/;
/** Under these names a cast means a type of length 1. */
const namesWithLength = new Set(["bit", "char"]);

/** Built-in types under their short catalogue names, which requests use too; all others as the Shape writes them. */
function castName({ schema, name, sql }: TypeRef): string {
  const isShort = schema === "pg_catalog" && plainName.test(name) && !namesWithLength.has(name);
  return isShort ? name : sql;
}

/** Their input depends on the moment, the session's settings, or the objects that exist. */
const readAnew = new Set(["date", "time", "timetz", "timestamp", "timestamptz", "interval"]);

/**
 * Whether the text of a constant always means the same value, so that it can stand in a statement
 * (ruling 21). Ranges and composites may hold what may not.
 */
export function inputIsImmutable(type: TypeRef): boolean {
  if (type.element) return inputIsImmutable(type.element);
  if (type.base) return inputIsImmutable(type.base);
  if (type.category !== "base" && type.category !== "enum") return false;
  if (type.schema !== "pg_catalog") return true;
  return !readAnew.has(type.name) && !type.name.startsWith("reg") && !type.name.endsWith("multirange");
}

/** Built-in types in families: the server has `=` within one, and between no two (`pg_operator`, `pg_cast`). */
const families: ReadonlyMap<string, string> = new Map(
  Object.entries({
    number: ["int2", "int4", "int8", "numeric", "float4", "float8"],
    text: ["text", "varchar", "bpchar", "name"],
    boolean: ["bool"],
    moment: ["date", "timestamp", "timestamptz"],
    time: ["time", "timetz", "interval"],
    uuid: ["uuid"],
    jsonb: ["jsonb"],
    bytea: ["bytea"],
    money: ["money"],
    network: ["inet", "cidr"],
    macaddr: ["macaddr"],
    macaddr8: ["macaddr8"],
    bits: ["bit", "varbit"],
  }).flatMap(([family, names]) => names.map((name): readonly [string, string] => [name, family])),
);

/** Built-in types without `=` between themselves, or with any type of a family. */
const incomparable: ReadonlySet<string> = new Set(["json", "xml", "point", "polygon", "jsonpath"]);

/**
 * Types of extensions may bring operators and casts: only built-in types, and domains over them, are judged, unless the
 * database has more casts or operators for them than the server brings.
 */
export function lacksEquality(left: TypeRef, right: TypeRef, { converted = [] }: Pick<Shape, "converted">): boolean {
  const [own, other] = [familyOf(left, converted), familyOf(right, converted)];
  return own !== undefined && other !== undefined && (own !== other || incomparable.has(own));
}

function familyOf(
  { schema, name, element, category, base }: TypeRef,
  converted: readonly string[],
): string | undefined {
  if (base !== undefined) return familyOf(base, converted);
  if (schema !== "pg_catalog" || category !== "base" || element !== undefined) return undefined;
  if (converted.includes(name)) return undefined;
  return incomparable.has(name) ? name : families.get(name);
}
