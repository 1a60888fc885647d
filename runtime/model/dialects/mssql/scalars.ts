/**
 * SQL Server types as requests see them: one row per system type (`graphql-api.md` 3.4, `sql-generation.md` 13.2).
 * Generated modules name types with `mssql`; the compiler asks the same table which scalar a column has.
 */

import { nameFrom } from "../../definitions/naming.ts";
import type { Encode, Encoder, EncoderCode } from "../../definitions/parameters.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { encodeInteger, encodeNumber, encodeString } from "../encode.ts";
import { encodeBinary, encodeBit, encodeDecimal, encodeList, encodeSpatial } from "./encode.ts";
import { encodeDocument } from "./json-columns.ts";

interface Row {
  readonly graphql: string;
  readonly encode: Encode;
  readonly numeric?: true;
  /** Not taken by `min` and `max`. */
  readonly incomparable?: true;
  /** The type that an operand is cast to, where it is not that of the column. */
  readonly operandType?: string;
  /** Absent: a cast. */
  readonly operand?: (parameter: Sql) => Sql;
  /** The value as FOR JSON can write it, where it cannot write the type itself. */
  readonly output?: (value: Sql) => Sql;
  /** The value as it can be compared and sorted, where the type itself cannot. */
  readonly comparable?: (value: Sql) => Sql;
  /** The value as a text that `operand` reads without loss, where that is not what a cast gives. */
  readonly text?: (value: Sql) => Sql;
}

/** Integers are limited to 32 bits, strings are judged by the database. */
const int = encodeInteger(-(2n ** 31n), 2n ** 31n - 1n);
const text = encodeString();

const castTo = (type: string) => {
  const ending = verbatim(` as ${type})`);
  return (value: Sql): Sql => sql`cast(${value}${ending}`;
};

/** A string stays what the driver declares it: `varchar` where it is plain ASCII, so that an index can be used. */
const string: Row = { graphql: "String", encode: text, operand: (parameter) => parameter };
const number = { graphql: "Float", numeric: true } as const;
const asText = castTo("nvarchar(max)");
const textInStyle = (style: number) => {
  const ending = verbatim(`, ${style})`);
  return (value: Sql): Sql => sql`convert(nvarchar(max), ${value}${ending}`;
};
/** ISO 8601, all digits of a floating point number, the four decimals of `money`. */
const [iso, exact, decimals] = [textInStyle(126), textInStyle(3), textInStyle(2)];
const hexadecimal = (value: Sql): Sql => sql`convert(nvarchar(max), convert(varbinary(max), ${value}), 1)`;
const binary = (graphql: string): Row => ({
  graphql,
  encode: encodeBinary,
  incomparable: true,
  operand: (parameter) => sql`convert(varbinary(max), ${parameter}, 1)`,
  text: hexadecimal,
});
/** The reference system of values that do not name one. */
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
  // Compared as `int`, so that a value outside the column's range compares instead of failing.
  tinyint: { graphql: "Int", encode: int, numeric: true, operandType: "int" },
  smallint: { graphql: "Int", encode: int, numeric: true, operandType: "int" },
  int: { graphql: "Int", encode: int, numeric: true },
  bigint: { graphql: "Int", encode: int, numeric: true },
  decimal: { ...number, encode: encodeDecimal },
  numeric: { ...number, encode: encodeDecimal },
  money: { ...number, encode: encodeDecimal, text: decimals },
  smallmoney: { ...number, encode: encodeDecimal, operandType: "money", text: decimals },
  float: { ...number, encode: encodeNumber, text: exact },
  real: { ...number, encode: encodeNumber, text: exact },
  bit: { graphql: "Boolean", encode: encodeBit, incomparable: true },
  date: { graphql: "date", encode: text },
  time: { graphql: "time", encode: text, operandType: "time" },
  // Read by the newer type, which knows all ISO 8601 forms, then brought to the column's own, so that an index helps.
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
  xml: { graphql: "xml", encode: text, incomparable: true, output: asText, comparable: asText, operand: asText },
  sql_variant: {
    graphql: "sql_variant",
    encode: text,
    incomparable: true,
    operand: castTo("nvarchar(4000)"),
    output: castTo("nvarchar(4000)"),
  },
};

/** A text that holds JSON: FOR JSON takes it for that only if `json_query` says so. */
const document: Row = {
  // What PostgreSQL calls its type of the same comparisons, so that clients need one scalar.
  graphql: "jsonb",
  encode: encodeDocument,
  incomparable: true,
  operand: (parameter) => parameter,
  output: (value) => sql`json_query(${value})`,
};

export interface MssqlTypeOptions {
  /** The text is JSON, as the metadata declares. */
  readonly holds?: "json";
  /** The type as a cast names it, with its precision or length: `decimal(10, 2)`, `varchar(30)`. */
  readonly cast?: string;
  /** Of a column of texts in a code page; `database_default` stands for that of the database. */
  readonly collation?: string;
}

/** The scalar of a system type, by its name in `sys.types`. */
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
    encode: row.encode,
    code: { name: "mssql", arguments: argumentsOf(name, options, ofText !== undefined) },
    operand: row.operand ?? castTo(row.operandType ?? operandCast(name, options.cast)),
    ...(ofText ? { ofText } : {}),
    ...(output ? { output: (value: Sql) => output(value) } : {}),
  };
}

/** What matters for encoding values. @param isText its length and collation do not */
function argumentsOf(
  name: string,
  { holds, cast }: MssqlTypeOptions,
  isText: boolean,
): NonNullable<EncoderCode["arguments"]> {
  if (holds !== undefined) return [name, { holds }];
  return cast === undefined || isText ? [name] : [name, { cast }];
}

/**
 * A text as a value of a type of texts with a length. Its conversion cuts what is too long, and replaces what a code
 * page does not have: `isWhole` tells. Binary in between takes the collation away, which the column's may contradict;
 * what is converted to a code page keeps the one it was given.
 */
function exactText({ cast = "", collation }: MssqlTypeOptions): ScalarType["ofText"] {
  const [, national, length] = /^(n?)(?:var)?char\((\d+)\)$/.exec(cast) ?? [];
  if (length === undefined) return undefined;
  const opening = verbatim(`convert(${cast}, `);
  if (national) {
    const bytes = Number(length) * 2;
    const binary = verbatim(`convert(varbinary(${bytes}), `);
    const most = verbatim(` <= ${bytes}`);
    return (text) => ({ value: sql`${opening}${binary}${text}))`, isWhole: sql`datalength(${text})${most}` });
  }
  if (collation === undefined || !/^\w+$/.test(collation)) return undefined;
  const ending = verbatim(` collate ${collation})`);
  return (text) => {
    const value = sql`${opening}${text}${ending}`;
    return { value, isWhole: sql`convert(nvarchar(max), ${value}) ${exactly} = ${text} ${exactly}` };
  };
}

const exactly = sql`collate Latin1_General_100_BIN2`;

/** The value of a column as a text that an operand of its type reads without loss. */
export function textOfValue(type: ScalarType, value: Sql): Sql {
  return rowOf(type.cast).text?.(value) ?? asText(value);
}

/** The values of a list operator, as one JSON list of texts. */
export function mssqlList(element: ScalarType): Encoder {
  return {
    encode: encodeList(element.encode),
    ...(element.code && { code: { name: "mssqlList", arguments: [element.code] } }),
  };
}

/** The value of a column as operators and orderings can take it. */
export function comparableValue(type: ScalarType, value: Sql): Sql {
  return rowOf(type.cast).comparable?.(value) ?? value;
}

/** Types that `=` does not take. */
const withoutEquality: ReadonlySet<string> = new Set(["text", "ntext", "image", "xml", "geometry", "geography"]);

export const hasEquality = ({ cast }: ScalarType): boolean => !withoutEquality.has(cast);

/** Of `sum` and `avg` (https://learn.microsoft.com/sql/t-sql/functions/avg-transact-sql): the widest of their kind. */
export function addedType(type: ScalarType): ScalarType {
  if (type.graphql === "Int") return mssql("bigint");
  if (type.cast !== "decimal" && type.cast !== "numeric") return type;
  const [, options] = type.code?.arguments ?? [];
  const cast = typeof options === "object" && "cast" in options ? options.cast : undefined;
  const scale = /,\s*(\d+)\)$/.exec(String(cast))?.[1] ?? "0";
  return mssql(type.cast, { cast: `${type.cast}(${widestDecimal}, ${Math.max(Number(scale), leastScaleOfMean)})` });
}

/** `avg` of decimals has at least so many digits behind the point. */
const leastScaleOfMean = 6;

/** Names of all system types. */
export const typeNames: readonly string[] = Object.keys(rows);

const widestDecimal = 38;
/** Digits behind the point that an operand has more than the column, so that comparing does not round it. */
const moreDigits = 10;

/** The operand's type: of a decimal, one that holds every value of the column's and some digits more. */
function operandCast(name: string, cast = name): string {
  const precision = /^(?:decimal|numeric)\((\d+),\s*(\d+)\)$/.exec(cast);
  if (!precision) return cast;
  const scale = Number(precision[2]);
  const wholeDigits = Number(precision[1]) - scale;
  return `decimal(${widestDecimal}, ${Math.min(scale + moreDigits, widestDecimal - wholeDigits)})`;
}

function rowOf(name: string): Row {
  return (Object.hasOwn(rows, name) ? rows[name] : undefined) ?? { graphql: nameFrom(name), encode: text };
}
