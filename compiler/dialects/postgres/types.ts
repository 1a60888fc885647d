/**
 * PostgreSQL types in generated code: TypeRef → the call of `engine/support` that declares it in a module, and that
 * call → the scalar. The scalars themselves are in `runtime/model/dialects/postgres/scalars.ts`.
 */

import type { ScalarType } from "../../../runtime/model/definitions/scalar-type.ts";
import {
  builtInType,
  type PgTypeOptions,
  type PgTypeRow,
  pg,
  pgArray,
} from "../../../runtime/model/dialects/postgres/scalars.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import type { Shape, TypeRef } from "../../shape/shape.ts";
import { isScalarCall, type ScalarCall } from "../dialect.ts";
import { schemaOf } from "./introspect/types.ts";

/** Returns the declaration of a column's type. */
export function scalarCall(type: TypeRef): ScalarCall {
  if (type.element) return { function: "pgArray", arguments: [scalarCall(type.element)] };
  const base = type.base ?? type;
  if (base.element) return scalarCall(base);
  const ofDomain = type.base !== undefined && base.category === "enum"; // The domain itself has no operators
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
 * Returns the schema of a type's operators, quoted; `undefined` if they are built in. If the operators are unknown, as
 * in an older shape or for a type that only the metadata names, returns the schema of the type, as for extensions.
 */
function operatorSchema({ schema, name, sql, category, operators }: TypeRef): string | undefined {
  if (schema === "pg_catalog" || category !== "base") return undefined;
  if (operators !== undefined) return operators.schema === "pg_catalog" ? undefined : operators.schema;
  return schemaOf(sql, name) || undefined;
}

/** Returns the scalar that a call of `scalarCall` declares. */
export function scalarOf(call: ScalarCall): ScalarType {
  const [first, options] = call.arguments;
  if (call.function === "pgArray") {
    invariant(first !== undefined && isScalarCall(first), "an array has an element type");
    return pgArray(scalarOf(first));
  }
  invariant(call.function === "pg" && typeof first === "string", `${call.function} makes no type`);
  return options === undefined ? pg(first) : pg(first, options as PgTypeOptions);
}

/** Categories that a declaration contains, because the type's name does not imply them. */
const categories = { enum: true, composite: true, range: true } as const;

const plainName = /^[a-z_][a-z0-9_]*$/;
/** Types whose names, without a length, mean length 1 in a cast. */
const namesWithLength = new Set(["bit", "char"]);

/**
 * Returns the name in casts: short catalogue names of built-in types, which requests also use, and the name in the
 * shape for others.
 */
function castName({ schema, name, sql }: TypeRef): string {
  const isShort = schema === "pg_catalog" && plainName.test(name) && !namesWithLength.has(name);
  return isShort ? name : sql;
}

/**
 * Returns true if a constant of this type always means the same value, so that it may be inlined. Ranges and composite
 * types may contain types for which this does not hold.
 */
export function inputIsImmutable(type: TypeRef): boolean {
  if (type.element) return inputIsImmutable(type.element);
  if (type.base) return inputIsImmutable(type.base);
  if (type.category !== "base" && type.category !== "enum") return false;
  if (type.schema !== "pg_catalog") return true;
  return builtInType(type.name)?.isVolatile !== true && !type.name.endsWith("multirange");
}

/**
 * Returns true if the database is known to have no `=` between the types. Only built-in types and domains over them are
 * known, unless this database has additional casts or operators for them; types of extensions may have their own.
 */
export function lacksEquality(left: TypeRef, right: TypeRef, { converted = [] }: Pick<Shape, "converted">): boolean {
  const [own, other] = [judgedType(left, converted), judgedType(right, converted)];
  if (own?.family === undefined || other?.family === undefined) return false;
  return own.family !== other.family || own.lacks?.includes("_eq") === true;
}

function judgedType(
  { schema, name, element, category, base }: TypeRef,
  converted: readonly string[],
): PgTypeRow | undefined {
  if (base !== undefined) return judgedType(base, converted);
  if (schema !== "pg_catalog" || category !== "base" || element !== undefined) return undefined;
  return converted.includes(name) ? undefined : builtInType(name);
}
