/** Types that metadata names without a column: custom types of actions name GraphQL scalars, native queries SQL types. */

import type { Shape, TypeRef } from "../../shape/shape.ts";
import { builtInName, standardNames } from "./introspect/types.ts";
import { scalarCall, scalarOf } from "./types.ts";

/** Built-in base types by catalogue name, without those that only the system's own tables have. */
const builtInTypes: ReadonlySet<string> = new Set([
  ...["bit", "bool", "box", "bpchar", "bytea", "char", "cidr", "circle", "date", "float4", "float8", "inet"],
  ...["int2", "int4", "int8", "interval", "json", "jsonb", "jsonpath", "line", "lseg", "macaddr", "macaddr8"],
  ...["money", "name", "numeric", "oid", "path", "pg_lsn", "point", "polygon", "refcursor", "regclass"],
  ...["regconfig", "regdictionary", "regoper", "regoperator", "regproc", "regprocedure", "regtype", "text"],
  ...["time", "timestamp", "timestamptz", "timetz", "tsquery", "tsvector", "txid_snapshot", "uuid", "varbit"],
  ...["varchar", "xml"],
]);

/** Further names that SQL has for built-in types. */
const catalogueNames: ReadonlyMap<string, string> = new Map([
  ...Array.from(standardNames, ([name, standard]) => [standard, name] as const),
  ["int", "int4"],
  ["decimal", "numeric"],
  ["character", "bpchar"],
]);

function builtIn(name: string): TypeRef {
  return { schema: "pg_catalog", name, sql: builtInName(name), category: "base" };
}

/** The scalars of all built-in types and of the types that columns, arguments and results have. */
export function* scalarNames(shape: Shape): Generator<string> {
  for (const name of builtInTypes) yield scalarOf(scalarCall(builtIn(name))).graphql;
  for (const type of typesOf(shape)) yield scalarOf(scalarCall(type)).graphql;
}

/** Each type once. */
function typesOf({ tables, functions }: Shape): Iterable<TypeRef> {
  const types = new Map<string, TypeRef>();
  const add = (type: TypeRef) => {
    if (type.category !== "pseudo") types.set(type.sql, type);
  };
  for (const { columns } of tables) for (const { type } of columns) add(type);
  for (const each of functions) {
    if (each.returnsTable === null) add(each.returns);
    for (const argument of each.arguments) if (argument.table === null) add(argument.type);
  }
  return types.values();
}

/** `name` may be qualified, and be that of an array. Case does not matter, as in SQL. */
export function typeNamed(shape: Shape, name: string): TypeRef {
  const text = name.trim();
  if (text.endsWith("[]")) {
    const element = typeNamed(shape, text.slice(0, -2));
    return { schema: element.schema, name: `_${element.name}`, sql: `${element.sql}[]`, category: "base", element };
  }
  const plain = text.toLowerCase();
  const known = catalogueNames.get(plain) ?? plain;
  if (builtInTypes.has(known)) return builtIn(known);
  for (const type of typesOf(shape)) if (type.sql === text || type.name === text) return type;
  return { schema: "public", name: text, sql: text, category: "base" };
}
