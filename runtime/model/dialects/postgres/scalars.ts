/**
 * PostgreSQL types as requests see them: one row per built-in type (`graphql-api.md` 3.1, 3.2). Generated modules
 * name types with `pg`; the compiler asks the same table which scalar a column has.
 */

import { nameFrom } from "../../definitions/naming.ts";
import type { Encode } from "../../definitions/parameters.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
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

interface Row {
  readonly graphql: string;
  readonly encode: Encode;
  readonly numeric?: true;
  readonly comparable?: true;
  readonly json?: true;
  readonly lacks?: ScalarType["lacks"];
  readonly unordered?: true;
  /** Rendered as a JSON string when numbers are stringified. */
  readonly wide?: true;
  /** See `ScalarType`: elements are not separated by commas, or are not read by the type's own input. */
  readonly listedAsTexts?: true;
  /** @param schema of the type and its functions, quoted; absent: they are found by name */
  readonly operand?: (parameter: Sql, schema: string | undefined) => Sql;
  readonly output?: (value: Sql, schema: string | undefined) => Sql;
}

/** A name in its schema, where that is known. */
export const qualified = (name: string, schema: string | undefined): string =>
  schema === undefined ? name : `${schema}.${name}`;

const int16 = encodeInteger(-(2n ** 15n), 2n ** 15n - 1n);
const int32 = encodeInteger(-(2n ** 31n), 2n ** 31n - 1n);
const int64 = encodeInteger(-(2n ** 63n), 2n ** 63n - 1n);

const geoJson = (value: Sql, schema: string | undefined): Sql =>
  sql`${verbatim(qualified("ST_AsGeoJSON", schema))}(${value}, 15, 4)::json`;

/** GeoJSON has its own constructor, which sets the reference system; any other text is read by the type itself. */
function geometryOperand(parameter: Sql, schema: string | undefined): Sql {
  const fromGeoJson = verbatim(qualified("ST_GeomFromGeoJSON", schema));
  const type = verbatim(qualified("geometry", schema));
  return sql`case when ${parameter}::text like '{%' then ${fromGeoJson}(${parameter}::text) else ${parameter}::text::${type} end`;
}

const number = { numeric: true, comparable: true } as const;
const wideNumber = { ...number, wide: true } as const;
const text = { encode: encodeString(), comparable: true } as const;

/** Without the operators and the operator class of B-trees that comparing and sorting need (`pg_operator`, `pg_opclass`). */
const orders = ["_gt", "_gte", "_lt", "_lte"];
const inequality = ["_neq", "_nin"];
const incomparable = { lacks: ["_eq", "_in", ...inequality, ...orders], unordered: true } as const;
const incomparableArray = { lacks: [...incomparable.lacks, "_contains", "_contained_in"], unordered: true } as const;
const equality = { lacks: orders, unordered: true } as const;
const onlyEqual = { lacks: [...inequality, ...orders], unordered: true } as const;
const neverUnequal = { lacks: inequality, unordered: true } as const;
const unsorted = { unordered: true } as const;

const plain = (name: string, how: Pick<Row, "lacks" | "unordered" | "listedAsTexts">): readonly [string, Row] => [
  name,
  { graphql: name, encode: encodeString(name), ...how },
];

/** Types whose GraphQL scalar or behaviour is not that of an unknown type, by catalogue name. */
const rows: Readonly<Record<string, Row>> = {
  int2: { graphql: "smallint", encode: int16, ...number },
  int4: { graphql: "Int", encode: int32, ...number },
  int8: { graphql: "bigint", encode: int64, ...wideNumber },
  float4: { graphql: "Float", encode: encodeNumber, ...number },
  float8: { graphql: "float8", encode: encodeNumber, ...wideNumber },
  numeric: { graphql: "numeric", encode: encodeNumber, ...wideNumber },
  money: { graphql: "money", encode: encodeMoney, ...wideNumber },
  bool: { graphql: "Boolean", encode: encodeBoolean },
  bpchar: { graphql: "bpchar", ...text },
  varchar: { graphql: "String", ...text },
  text: { graphql: "String", ...text },
  citext: { graphql: "citext", ...text },
  date: { graphql: "date", ...text },
  timestamp: { graphql: "timestamp", ...text },
  timestamptz: { graphql: "timestamptz", ...text },
  timetz: { graphql: "timetz", ...text },
  uuid: { graphql: "uuid", ...text },
  json: { graphql: "json", encode: encodeJson, json: true, ...incomparable },
  jsonb: { graphql: "jsonb", encode: encodeJson, json: true },
  ltree: { graphql: "ltree", encode: encodeLtree, comparable: true },
  hstore: { graphql: "hstore", encode: encodeHstore, lacks: orders },
  lquery: { graphql: "lquery", encode: encodeString(), ...incomparable },
  ltxtquery: { graphql: "ltxtquery", encode: encodeString(), ...incomparable },
  ...Object.fromEntries([
    ...["xml", "jsonpath", "point", "polygon", "pg_snapshot", "txid_snapshot", "refcursor"].map((name) =>
      plain(name, incomparable),
    ),
    plain("xid", equality),
    ...["line", "cid", "aclitem"].map((name) => plain(name, onlyEqual)),
    plain("path", neverUnequal),
    plain("box", { ...neverUnequal, listedAsTexts: true }),
    ...["circle", "lseg"].map((name) => plain(name, unsorted)),
  ]),
  geometry: {
    graphql: "geometry",
    encode: encodeGeometry,
    listedAsTexts: true,
    operand: geometryOperand,
    output: geoJson,
  },
  geography: {
    graphql: "geography",
    encode: encodeGeometry,
    listedAsTexts: true,
    operand: (parameter, schema) =>
      sql`(${geometryOperand(parameter, schema)})::${verbatim(qualified("geography", schema))}`,
    output: geoJson,
  },
  raster: {
    graphql: "raster",
    encode: encodeRaster,
    comparable: true,
    listedAsTexts: true,
    lacks: orders,
    operand: (parameter, schema) => sql`${verbatim(qualified("ST_RastFromHexWKB", schema))}(${parameter}::text)`,
    output: (value) => sql`${value}::text`,
  },
};

export interface PgTypeOptions {
  /** The type as a cast names it, where that is not its catalogue name: a type of another schema. */
  readonly cast?: string;
  /** Quoted schema of the type's own operators and functions, where they are not built in. */
  readonly schema?: string;
  /** The GraphQL scalar, where it is not the type's usual one. */
  readonly graphql?: string;
  /** What kind of type a name outside `pg_catalog` is; `enum_domain`: columns are of a domain over an enum. */
  readonly category?: "base" | "enum" | "enum_domain" | "composite" | "range";
}

/** The scalar of a type that is not an array; `name` is its catalogue name, that of its base for a domain. */
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
    ...(isDomain && { comparedAs: (value) => sql`${value}${castText}` }),
    encode: row.encode,
    code: { name: "pg", arguments: Object.keys(options).length === 0 ? [name] : [name, { ...options }] },
    operand: (parameter) => operand(parameter, schema),
    ...outputOf(row, schema),
  };
}

/** The type of an array of `element`. */
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
    // Arrays are compared by what sorts their elements.
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

function comparisonOf({ lacks, unordered }: Row): Pick<ScalarType, "lacks" | "unordered"> {
  return { ...(lacks ? { lacks } : {}), ...(unordered ? { unordered } : {}) };
}

function outputOf(
  { output, ...row }: Row,
  schema: string | undefined,
): Pick<ScalarType, "output"> | Record<string, never> {
  if (output) return { output: (value) => output(value, schema) };
  if (row.wide) return { output: (value, { stringifyNumbers }) => (stringifyNumbers ? sql`${value}::text` : value) };
  return {};
}

/** An enum, composite or range has nothing of the built-in type that it shares its name with. */
function rowOf(name: string, category: NonNullable<PgTypeOptions["category"]>): Row {
  const row = category === "base" && Object.hasOwn(rows, name) ? rows[name] : undefined;
  return row ?? unknownRow(name, category);
}

function unknownRow(name: string, category: NonNullable<PgTypeOptions["category"]>): Row {
  const graphql = nameFrom(name);
  if (category === "enum" || category === "enum_domain") return { graphql, ...text };
  if (category === "composite") return { graphql: `${graphql}_scalar`, ...text };
  return { graphql, encode: encodeString(name) };
}
