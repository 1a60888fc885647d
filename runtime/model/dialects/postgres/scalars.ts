/**
 * PostgreSQL types: one row per type, for requests and for the compiler. Generated modules refer to types with `pg`; the
 * compiler uses the same table to determine a column's scalar.
 */

import { nameFrom } from "../../definitions/naming.ts";
import type { Encode } from "../../definitions/parameters.ts";
import type { JsonForm, ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { encodeVector } from "../distances.ts";
import { encodeBoolean, encodeInteger, encodeNumber, encodeString } from "../encode.ts";
import {
  encodeArray,
  encodeGeometry,
  encodeHstore,
  encodeJson,
  encodeLtree,
  encodeMoney,
  encodeRaster,
} from "./encode.ts";

/** Properties of a database type. */
export interface PgTypeRow {
  readonly graphql: string;
  readonly encode: Encode;
  readonly numeric?: true;
  readonly comparable?: true;
  readonly json?: true;
  readonly lacks?: ScalarType["lacks"];
  readonly unordered?: true;
  /** Set if numbers become JSON strings with `stringifyNumbers`. */
  readonly wide?: true;
  /** See `ScalarType`: array elements are not separated by commas, or are not parsed by the type's input function. */
  readonly listedAsTexts?: true;
  /** @param schema quoted schema of the type and its functions; absent for built-in types */
  readonly operand?: (parameter: Sql, schema: string | undefined) => Sql;
  readonly output?: (value: Sql, schema: string | undefined) => Sql;
  /** Name in the SQL standard, if it differs from the catalog name. */
  readonly standard?: string;
  /** Further names in SQL. */
  readonly aliases?: readonly string[];
  /**
   * Family of types that PostgreSQL compares with one another by `=`, but not with types of other families
   * (`pg_operator`).
   */
  readonly family?: string;
  /** Set if the value of a constant's text depends on the time or on settings. */
  readonly isVolatile?: true;
  /** JSON form of values in events, as returned by `to_jsonb`; default: text. */
  readonly recorded?:
    | "integer"
    | "number"
    | "boolean"
    | "any"
    | "texts"
    | "uuid"
    | "date"
    | "time"
    | "timestamp"
    | "timestamptz";
  /** JSON form of values in results, if it differs from the form in events. */
  readonly resultForm?: JsonForm;
  /** Origin of types that metadata cannot name without a column: an extension, or system tables. */
  readonly origin?: "extension" | "system";
}

/** Qualifies a name with its schema, if known. */
export const qualified = (name: string, schema: string | undefined): string =>
  schema === undefined ? name : `${schema}.${name}`;

const int16 = encodeInteger(-(2n ** 15n), 2n ** 15n - 1n);
const int32 = encodeInteger(-(2n ** 31n), 2n ** 31n - 1n);
const int64 = encodeInteger(-(2n ** 63n), 2n ** 63n - 1n);

const geoJson = (value: Sql, schema: string | undefined): Sql =>
  sql`${verbatim(qualified("ST_AsGeoJSON", schema))}(${value}, 15, 4)::json`;

/** Parses GeoJSON with its constructor, which sets the reference system, and any other text with the type's input function. */
function geometryOperand(parameter: Sql, schema: string | undefined): Sql {
  const fromGeoJson = verbatim(qualified("ST_GeomFromGeoJSON", schema));
  const type = verbatim(qualified("geometry", schema));
  return sql`case when ${parameter}::text like '{%' then ${fromGeoJson}(${parameter}::text) else ${parameter}::text::${type} end`;
}

const number = { numeric: true, comparable: true } as const;
const wideNumber = { ...number, wide: true } as const;
const text = { encode: encodeString(), comparable: true } as const;

/** Types without the operators or B-tree operator class for comparing and sorting (`pg_operator`, `pg_opclass`). */
const orders = ["_gt", "_gte", "_lt", "_lte"];
const inequality = ["_neq", "_nin"];
const incomparable = { lacks: ["_eq", "_in", ...inequality, ...orders], unordered: true } as const;
const incomparableArray = { lacks: [...incomparable.lacks, "_contains", "_contained_in"], unordered: true } as const;
const equality = { lacks: orders, unordered: true } as const;
const onlyEqual = { lacks: [...inequality, ...orders], unordered: true } as const;
const neverUnequal = { lacks: inequality, unordered: true } as const;
const unsorted = { unordered: true } as const;

const plain = (name: string, how: Omit<PgTypeRow, "graphql" | "encode"> = {}): PgTypeRow => ({
  graphql: name,
  encode: encodeString(name),
  ...how,
});

const ofFamily = (family: string) => ({ family }) as const;
const ofNumbers = ofFamily("number");
const ofTexts = ofFamily("text");
const ofMoments = { family: "moment", isVolatile: true } as const;
const ofTimes = { family: "time", isVolatile: true } as const;
/** Types whose texts are names of objects, which may change. */
const ofObject = { isVolatile: true } as const;
const ofSystem = { origin: "system" } as const;
const ofExtension = { origin: "extension" } as const;

/** Types by catalog name. Types without a row are treated like `plain`. */
export const pgTypes: Readonly<Record<string, PgTypeRow>> = {
  int2: { graphql: "smallint", encode: int16, ...number, ...ofNumbers, recorded: "integer", standard: "smallint" },
  int4: {
    ...{ graphql: "Int", encode: int32, ...number, ...ofNumbers, recorded: "integer" },
    ...{ standard: "integer", aliases: ["int"] },
  },
  int8: { graphql: "bigint", encode: int64, ...wideNumber, ...ofNumbers, recorded: "integer", standard: "bigint" },
  float4: { graphql: "Float", encode: encodeNumber, ...number, ...ofNumbers, recorded: "number", standard: "real" },
  float8: {
    ...{ graphql: "float8", encode: encodeNumber, ...wideNumber, ...ofNumbers, recorded: "number" },
    standard: "double precision",
  },
  numeric: {
    ...{ graphql: "numeric", encode: encodeNumber, ...wideNumber, ...ofNumbers, recorded: "number" },
    aliases: ["decimal"],
  },
  money: { graphql: "money", encode: encodeMoney, ...wideNumber, ...ofFamily("money") },
  oid: plain("oid", { recorded: "integer" }),
  bool: {
    ...{ graphql: "Boolean", encode: encodeBoolean, ...ofFamily("boolean"), recorded: "boolean" },
    standard: "boolean",
  },
  bpchar: { graphql: "bpchar", ...text, ...ofTexts, aliases: ["character"] },
  varchar: { graphql: "String", ...text, ...ofTexts, standard: "character varying" },
  text: { graphql: "String", ...text, ...ofTexts },
  name: plain("name", ofTexts),
  char: plain("char"),
  citext: { graphql: "citext", ...text, ...ofExtension },
  date: { graphql: "date", ...text, ...ofMoments, recorded: "date" },
  timestamp: {
    ...{ graphql: "timestamp", ...text, ...ofMoments, recorded: "timestamp" },
    standard: "timestamp without time zone",
  },
  timestamptz: {
    ...{ graphql: "timestamptz", ...text, ...ofMoments, recorded: "timestamptz" },
    standard: "timestamp with time zone",
  },
  time: plain("time", { ...ofTimes, recorded: "time", standard: "time without time zone" }),
  timetz: { graphql: "timetz", ...text, ...ofTimes, standard: "time with time zone" },
  interval: plain("interval", ofTimes),
  uuid: { graphql: "uuid", ...text, ...ofFamily("uuid"), recorded: "uuid" },
  json: { graphql: "json", encode: encodeJson, json: true, ...incomparable, ...ofFamily("json"), recorded: "any" },
  jsonb: { graphql: "jsonb", encode: encodeJson, json: true, ...ofFamily("jsonb"), recorded: "any" },
  bytea: plain("bytea", ofFamily("bytea")),
  inet: plain("inet", ofFamily("network")),
  cidr: plain("cidr", ofFamily("network")),
  macaddr: plain("macaddr", ofFamily("macaddr")),
  macaddr8: plain("macaddr8", ofFamily("macaddr8")),
  bit: plain("bit", ofFamily("bits")),
  varbit: plain("varbit", { ...ofFamily("bits"), standard: "bit varying" }),
  tsquery: plain("tsquery"),
  tsvector: plain("tsvector"),
  pg_lsn: plain("pg_lsn"),
  xml: plain("xml", { ...incomparable, ...ofFamily("xml") }),
  jsonpath: plain("jsonpath", { ...incomparable, ...ofFamily("jsonpath") }),
  point: plain("point", { ...incomparable, ...ofFamily("point") }),
  polygon: plain("polygon", { ...incomparable, ...ofFamily("polygon") }),
  line: plain("line", onlyEqual),
  path: plain("path", neverUnequal),
  box: plain("box", { ...neverUnequal, listedAsTexts: true }),
  circle: plain("circle", unsorted),
  lseg: plain("lseg", unsorted),
  refcursor: plain("refcursor", incomparable),
  txid_snapshot: plain("txid_snapshot", incomparable),
  pg_snapshot: plain("pg_snapshot", { ...incomparable, ...ofSystem }),
  xid: plain("xid", { ...equality, ...ofSystem }),
  cid: plain("cid", { ...onlyEqual, ...ofSystem }),
  aclitem: plain("aclitem", { ...onlyEqual, ...ofSystem }),
  regclass: plain("regclass", ofObject),
  regconfig: plain("regconfig", ofObject),
  regdictionary: plain("regdictionary", ofObject),
  regoper: plain("regoper", ofObject),
  regoperator: plain("regoperator", ofObject),
  regproc: plain("regproc", ofObject),
  regprocedure: plain("regprocedure", ofObject),
  regtype: plain("regtype", ofObject),
  regcollation: plain("regcollation", { ...ofObject, ...ofSystem }),
  regnamespace: plain("regnamespace", { ...ofObject, ...ofSystem }),
  regrole: plain("regrole", { ...ofObject, ...ofSystem }),
  ltree: { graphql: "ltree", encode: encodeLtree, comparable: true, ...ofExtension },
  hstore: { graphql: "hstore", encode: encodeHstore, lacks: orders, ...ofExtension, recorded: "texts" },
  lquery: { graphql: "lquery", encode: encodeString(), ...incomparable, ...ofExtension },
  ltxtquery: { graphql: "ltxtquery", encode: encodeString(), ...incomparable, ...ofExtension },
  geometry: {
    graphql: "geometry",
    encode: encodeGeometry,
    listedAsTexts: true,
    operand: geometryOperand,
    output: geoJson,
    ...ofExtension,
    recorded: "any",
  },
  geography: {
    graphql: "geography",
    encode: encodeGeometry,
    listedAsTexts: true,
    operand: (parameter, schema) =>
      sql`(${geometryOperand(parameter, schema)})::${verbatim(qualified("geography", schema))}`,
    output: geoJson,
    ...ofExtension,
    recorded: "any",
  },
  vector: {
    graphql: "vector",
    encode: encodeVector,
    listedAsTexts: true,
    output: (value) => sql`${value}::text::json`,
    resultForm: "any",
    ...ofExtension,
  },
  halfvec: plain("halfvec", ofExtension),
  sparsevec: plain("sparsevec", ofExtension),
  raster: {
    graphql: "raster",
    encode: encodeRaster,
    comparable: true,
    listedAsTexts: true,
    lacks: orders,
    operand: (parameter, schema) => sql`${verbatim(qualified("ST_RastFromHexWKB", schema))}(${parameter}::text)`,
    output: (value) => sql`${value}::text`,
    ...ofExtension,
  },
};

/** Returns the row of a built-in type, if any. */
export function builtInType(name: string): PgTypeRow | undefined {
  const row = typeOf(name);
  return row?.origin === "extension" ? undefined : row;
}

/** Returns the row of an extension's type, if any. */
export function extensionType(name: string): PgTypeRow | undefined {
  const row = typeOf(name);
  return row?.origin === "extension" ? row : undefined;
}

/** Returns an own property: a type may have the name of a member of `Object.prototype`. */
const typeOf = (name: string): PgTypeRow | undefined => (Object.hasOwn(pgTypes, name) ? pgTypes[name] : undefined);

export interface PgTypeOptions {
  /** Name of the type in casts, if it differs from the catalog name, as for types of other schemas. */
  readonly cast?: string;
  /** Quoted schema of the type's operators and functions, unless they are built in. */
  readonly schema?: string;
  /** GraphQL scalar, if it is not the type's default. */
  readonly graphql?: string;
  /** Category of a type outside `pg_catalog`; "enum_domain" is a domain over an enum. */
  readonly category?: "base" | "enum" | "enum_domain" | "composite" | "range";
}

/**
 * Returns the scalar of a type that is not an array.
 * @param name catalog name; for domains, the name of the base type
 */
export function pg(name: string, options: PgTypeOptions = {}): ScalarType {
  const row = rowOf(name, options.category ?? "base");
  const cast = options.cast ?? name;
  const castText = verbatim(`::${cast}`);
  const { schema, category } = options;
  const isDomain = category === "enum_domain";
  const { operand = (parameter) => sql`${parameter}${castText}` } = row;
  return {
    graphql: options.graphql ?? row.graphql,
    cast,
    ...(schema === undefined ? {} : { operatorSchema: schema }),
    numeric: row.numeric ?? false,
    comparable: isDomain ? false : (row.comparable ?? false),
    json: row.json ?? false,
    ...((category === "enum" || isDomain) && { acceptsNames: true }),
    ...comparisonOf(row),
    ...(row.listedAsTexts && { listedAsTexts: true }),
    ...formOf(row, category),
    ...(row.wide && { wide: true }),
    ...(isDomain && { comparedAs: (value) => sql`${value}${castText}` }),
    encode: row.encode,
    code: { name: "pg", arguments: Object.keys(options).length === 0 ? [name] : [name, { ...options }] },
    operand: (parameter) => operand(parameter, schema),
    ...outputOf(row, schema),
  };
}

/** Returns the type of arrays of `element`. */
export function pgArray(element: ScalarType): ScalarType {
  const cast = `${element.cast}[]`;
  const castText = verbatim(`::${cast}`);
  const wide = element.output !== undefined && rowOf(element.cast, "base").wide === true;
  return {
    graphql: element.graphql,
    cast,
    element,
    numeric: false,
    comparable: element.unordered === undefined,
    json: false,
    // Arrays are compared with the B-tree operators of their elements.
    ...(element.unordered ? incomparableArray : {}),
    ...(element.comparedAs && { comparedAs: (value) => sql`${value}${castText}` }),
    ...(element.enumeration ? { enumeration: element.enumeration } : {}),
    ...(element.acceptsNames && { acceptsNames: true }),
    encode: encodeArray(element.encode, element.json),
    ...(element.code && { code: { name: "pgArray", arguments: [element.code] } }),
    operand: (parameter) => sql`${parameter}${castText}`,
    ...(wide ? { output: (value, { stringifyNumbers }) => (stringifyNumbers ? sql`${value}::text[]` : value) } : {}),
  };
}

/** Composite values are objects in results. */
function formOf(
  { recorded, numeric, output, resultForm }: PgTypeRow,
  category: PgTypeOptions["category"],
): Pick<ScalarType, "form"> {
  if (category === "composite") return { form: "any" };
  if (resultForm !== undefined) return { form: resultForm };
  if (output !== undefined) return recorded === "any" ? { form: "any" } : {};
  // Events contain other integers as numbers, but results as texts.
  const isText = recorded === undefined || (recorded === "integer" && !numeric);
  const form = isText ? undefined : resultForms[recorded];
  return form === undefined ? {} : { form };
}

const resultForms: Readonly<Partial<Record<NonNullable<PgTypeRow["recorded"]>, JsonForm>>> = {
  integer: "integer",
  number: "number",
  boolean: "boolean",
  uuid: "uuid",
  any: "any",
  texts: "any",
};

function comparisonOf({ lacks, unordered }: PgTypeRow): Pick<ScalarType, "lacks" | "unordered"> {
  return { ...(lacks ? { lacks } : {}), ...(unordered ? { unordered } : {}) };
}

function outputOf(
  { output, ...row }: PgTypeRow,
  schema: string | undefined,
): Pick<ScalarType, "output"> | Record<string, never> {
  if (output) return { output: (value) => output(value, schema) };
  if (row.wide) return { output: (value, { stringifyNumbers }) => (stringifyNumbers ? sql`${value}::text` : value) };
  return {};
}

/** Returns the row of a type. An enum, composite or range may have the name of a built-in type. */
function rowOf(name: string, category: NonNullable<PgTypeOptions["category"]>): PgTypeRow {
  const row = category === "base" ? typeOf(name) : undefined;
  return row ?? unknownRow(name, category);
}

function unknownRow(name: string, category: NonNullable<PgTypeOptions["category"]>): PgTypeRow {
  const graphql = nameFrom(name);
  if (category === "enum" || category === "enum_domain") return { graphql, ...text };
  if (category === "composite") return { graphql: `${graphql}_scalar`, ...text };
  return { graphql, encode: encodeString(name) };
}
