/**
 * SQL Server types: one row per system type. Generated modules refer to types with `mssql`; the compiler uses the same
 * table to determine a column's scalar.
 */

import { nameFrom } from "../../definitions/naming.ts";
import type { Encode, Encoder, EncoderCode } from "../../definitions/parameters.ts";
import type { JsonForm, ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { encodeVector } from "../distances.ts";
import { encodeInteger, encodeNumber, encodeString } from "../encode.ts";
import { encodeBinary, encodeBit, encodeDecimal, encodeList, encodeSpatial } from "./encode.ts";
import { encodeDocument } from "./json-columns.ts";

interface Row {
  readonly graphql: string;
  readonly encode: Encode;
  readonly numeric?: true;
  readonly form?: JsonForm;
  /** Set if `min` and `max` do not support the type. */
  readonly incomparable?: true;
  /** Set if the type has neither `=` nor an order. */
  readonly unordered?: true;
  /** Type of the operand's cast, if it differs from the type of the column. */
  readonly operandType?: string;
  /** Default: a cast. */
  readonly operand?: (parameter: Sql) => Sql;
  /** Converts a value for FOR JSON, if it does not support the type. */
  readonly output?: (value: Sql) => Sql;
  /** Converts a value for comparing and sorting, if the type does not support it. */
  readonly comparable?: (value: Sql) => Sql;
  /** Converts a value to text that `operand` parses without loss, if a cast does not. */
  readonly text?: (value: Sql) => Sql;
}

/** Integers are limited to 32 bits; strings are validated by the database. */
const int = encodeInteger(-(2n ** 31n), 2n ** 31n - 1n);
const text = encodeString();

const castTo = (type: string) => {
  const ending = verbatim(` as ${type})`);
  return (value: Sql): Sql => sql`cast(${value}${ending}`;
};

/** A string keeps the driver's type: `varchar` for plain ASCII, so that an index can be used. */
const string: Row = { graphql: "String", encode: text, operand: (parameter) => parameter };
const number = { graphql: "Float", numeric: true, form: "number" } as const;
const asText = castTo("nvarchar(max)");
const textInStyle = (style: number) => {
  const ending = verbatim(`, ${style})`);
  return (value: Sql): Sql => sql`convert(nvarchar(max), ${value}${ending}`;
};
/** Styles: ISO 8601, all digits of a floating point number, and the four decimals of `money`. */
const [iso, exact, decimals] = [textInStyle(126), textInStyle(3), textInStyle(2)];
const hexadecimal = (value: Sql): Sql => sql`convert(nvarchar(max), convert(varbinary(max), ${value}), 1)`;
const binary = (graphql: string): Row => ({
  graphql,
  encode: encodeBinary,
  incomparable: true,
  operand: (parameter) => sql`convert(varbinary(max), ${parameter}, 1)`,
  text: hexadecimal,
});
/**
 * Returns the row of a spatial type.
 * @param system reference system of values that specify none
 */
const spatial = (graphql: string, system: number): Row => ({
  graphql,
  encode: encodeSpatial,
  incomparable: true,
  operand: (parameter) => sql`${verbatim(`${graphql}::STGeomFromText(`)}${parameter}${verbatim(`, ${system})`)}`,
  output: (value) => sql`${value}.STAsText()`,
  text: (value) => sql`${value}.STAsText()`,
});

const rows: Readonly<Record<string, Row>> = {
  char: string,
  varchar: string,
  nchar: string,
  nvarchar: string,
  sysname: string,
  text: { ...string, comparable: castTo("varchar(max)"), output: castTo("varchar(max)") },
  ntext: { ...string, comparable: asText, output: asText },
  // Compared as `int`, so that comparing with a value outside the column's range does not fail.
  tinyint: { graphql: "Int", encode: int, numeric: true, form: "integer", operandType: "int" },
  smallint: { graphql: "Int", encode: int, numeric: true, form: "integer", operandType: "int" },
  int: { graphql: "Int", encode: int, numeric: true, form: "integer" },
  bigint: { graphql: "Int", encode: int, numeric: true, form: "integer" },
  decimal: { ...number, encode: encodeDecimal },
  numeric: { ...number, encode: encodeDecimal },
  // FOR JSON writes `money` as a string, according to its documentation; a decimal with the same range is a number.
  money: { ...number, encode: encodeDecimal, output: castTo("decimal(19, 4)"), text: decimals },
  smallmoney: {
    ...number,
    encode: encodeDecimal,
    operandType: "money",
    output: castTo("decimal(10, 4)"),
    text: decimals,
  },
  float: { ...number, encode: encodeNumber, text: exact },
  real: { ...number, encode: encodeNumber, text: exact },
  bit: { graphql: "Boolean", encode: encodeBit, form: "boolean", incomparable: true },
  date: { graphql: "date", encode: text },
  time: { graphql: "time", encode: text, operandType: "time" },
  // Parsed by datetime2, which supports all ISO 8601 formats, then cast to the column's type, so that an index can be used.
  datetime: {
    graphql: "datetime",
    encode: text,
    operand: (p) => sql`cast(cast(${p} as datetime2) as datetime)`,
    text: iso,
  },
  smalldatetime: {
    graphql: "smalldatetime",
    encode: text,
    operand: (p) => sql`cast(cast(${p} as datetime2) as smalldatetime)`,
    text: iso,
  },
  datetime2: { graphql: "datetime2", encode: text, operandType: "datetime2" },
  datetimeoffset: { graphql: "datetimeoffset", encode: text, operandType: "datetimeoffset" },
  timestamp: { ...binary("timestamp"), operand: (p) => sql`convert(binary(8), ${p}, 1)` },
  binary: binary("binary"),
  varbinary: binary("varbinary"),
  image: { ...binary("image"), output: castTo("varbinary(max)"), comparable: castTo("varbinary(max)") },
  uniqueidentifier: { graphql: "uniqueidentifier", encode: text, incomparable: true },
  geometry: spatial("geometry", 0),
  geography: spatial("geography", 4326),
  hierarchyid: {
    graphql: "hierarchyid",
    encode: text,
    output: (value) => sql`${value}.ToString()`,
    text: (value) => sql`${value}.ToString()`,
  },
  // Sent and returned as text with a JSON list.
  vector: {
    graphql: "vector",
    encode: encodeVector,
    incomparable: true,
    unordered: true,
    form: "any",
    output: (value) => sql`json_query(cast(${value} as nvarchar(max)))`,
  },
  xml: { graphql: "xml", encode: text, incomparable: true, output: asText, comparable: asText, operand: asText },
  sql_variant: {
    graphql: "sql_variant",
    encode: text,
    incomparable: true,
    operand: castTo("nvarchar(4000)"),
    output: castTo("nvarchar(4000)"),
  },
};

/** A text column with JSON; `json_query` marks it as JSON for FOR JSON. */
const document: Row = {
  // The same scalar as PostgreSQL's type with these comparisons, so that clients need only one.
  graphql: "jsonb",
  encode: encodeDocument,
  form: "any",
  incomparable: true,
  operand: (parameter) => parameter,
  output: (value) => sql`json_query(${value})`,
};

export interface MssqlTypeOptions {
  /** Set if the metadata declares the text as JSON. */
  readonly holds?: "json";
  /** Type with precision or length: `decimal(10, 2)`, `varchar(30)`. */
  readonly cast?: string;
  /** Collation of a text column with a code page; `database_default` is the collation of the database. */
  readonly collation?: string;
}

/** Returns the scalar of a system type, by its name in `sys.types`. */
export function mssql(name: string, options: MssqlTypeOptions = {}): ScalarType {
  const row = options.holds === "json" ? document : rowOf(name);
  const { output } = row;
  const ofText = exactText(options);
  return {
    graphql: row.graphql,
    cast: name,
    numeric: row.numeric ?? false,
    comparable: !row.incomparable,
    json: false,
    ...(row.form && { form: row.form }),
    ...(row.unordered && { unordered: true }),
    encode: row.encode,
    code: { name: "mssql", arguments: argumentsOf(name, options, ofText !== undefined) },
    operand: row.operand ?? castTo(row.operandType ?? operandCast(name, options.cast)),
    ...(ofText ? { ofText } : {}),
    ...(output ? { output: (value: Sql) => output(value) } : {}),
  };
}

/**
 * Returns the options that affect encoding.
 * @param isText true if length and collation do not
 */
function argumentsOf(
  name: string,
  { holds, cast }: MssqlTypeOptions,
  isText: boolean,
): NonNullable<EncoderCode["arguments"]> {
  if (holds !== undefined) return [name, { holds }];
  return cast === undefined || isText ? [name] : [name, { cast }];
}

/**
 * Converts a text to a text type with a length. The conversion truncates long texts and replaces characters that the
 * code page lacks; `isWhole` is the condition that it did not. Converting through binary removes the collation, which
 * may conflict with the column's; a text converted to a code page keeps the specified collation.
 */
function exactText({ cast = "", collation }: MssqlTypeOptions): ScalarType["ofText"] {
  const [, national, length] = /^(n?)(?:var)?char\((\d+)\)$/.exec(cast) ?? [];
  if (length === undefined) return undefined;
  const opening = verbatim(`convert(${cast}, `);
  if (national) {
    const bytes = Number(length) * 2;
    const binary = verbatim(`convert(varbinary(${bytes}), `);
    const withinLength = verbatim(` <= ${bytes}`);
    return (text) => ({ value: sql`${opening}${binary}${text}))`, isWhole: sql`datalength(${text})${withinLength}` });
  }
  if (collation === undefined || !/^\w+$/.test(collation)) return undefined;
  const ending = verbatim(` collate ${collation})`);
  return (text) => {
    const value = sql`${opening}${text}${ending}`;
    return { value, isWhole: sql`convert(nvarchar(max), ${value}) ${exactly} = ${text} ${exactly}` };
  };
}

const exactly = sql`collate Latin1_General_100_BIN2`;

/** Converts a column's value to text that an operand of its type parses without loss. */
export function textOfValue(type: ScalarType, value: Sql): Sql {
  return rowOf(type.cast).text?.(value) ?? asText(value);
}

/** Returns the encoder of a list operator: a JSON list of texts. */
export function mssqlList(element: ScalarType): Encoder {
  return {
    encode: encodeList(element.encode),
    ...(element.code && { code: { name: "mssqlList", arguments: [element.code] } }),
  };
}

/** Converts a column's value for operators and orderings. */
export function comparableValue(type: ScalarType, value: Sql): Sql {
  return rowOf(type.cast).comparable?.(value) ?? value;
}

/** Types without `=`. */
const withoutEquality: ReadonlySet<string> = new Set([
  ...["text", "ntext", "image", "xml", "geometry", "geography", "vector"],
]);

export const hasEquality = ({ cast }: ScalarType): boolean => !withoutEquality.has(cast);

/** Returns the type of `sum` and `avg` (https://learn.microsoft.com/sql/t-sql/functions/avg-transact-sql). */
export function addedType(type: ScalarType): ScalarType {
  if (type.graphql === "Int") return mssql("bigint");
  if (type.cast !== "decimal" && type.cast !== "numeric") return type;
  const [, options] = type.code?.arguments ?? [];
  const cast = typeof options === "object" && "cast" in options ? options.cast : undefined;
  const scale = /,\s*(\d+)\)$/.exec(String(cast))?.[1] ?? "0";
  return mssql(type.cast, { cast: `${type.cast}(${maxDecimalPrecision}, ${Math.max(Number(scale), minScaleOfMean)})` });
}

/** Minimum number of decimal places of `avg` for decimals. */
const minScaleOfMean = 6;

/** Names of all system types. */
export const typeNames: readonly string[] = Object.keys(rows);

const maxDecimalPrecision = 38;
/** Additional decimal places of an operand, so that a comparison does not round it. */
const extraScale = 10;

/** Returns the operand's type; for decimals, a type with the column's range and additional decimal places. */
function operandCast(name: string, cast = name): string {
  const precision = /^(?:decimal|numeric)\((\d+),\s*(\d+)\)$/.exec(cast);
  if (!precision) return cast;
  const scale = Number(precision[2]);
  const wholeDigits = Number(precision[1]) - scale;
  return `decimal(${maxDecimalPrecision}, ${Math.min(scale + extraScale, maxDecimalPrecision - wholeDigits)})`;
}

function rowOf(name: string): Row {
  return (Object.hasOwn(rows, name) ? rows[name] : undefined) ?? { graphql: nameFrom(name), encode: text };
}
