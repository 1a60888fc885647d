/**
 * Multiplexing: one statement runs a query for many sets of values. All sets are passed as one JSON list; `openjson`
 * returns a row for each set with its number and values. If texts are compared without a cast, there are two lists:
 * sets of plain ASCII are compared as `varchar`, so that indexes can be used, and other sets as `nvarchar`. These are
 * the types that the driver uses for parameters (`sources/mssql/values.ts`).
 */
import type { MultiplexedStatement } from "../../definitions/dialect.ts";
import { joinSql, type RenderedSql, renderWith, type Sql, sql, verbatim } from "../../definitions/sql.ts";

type Values = readonly (string | null)[];

export function multiplex(columns: readonly Sql[], from?: Sql): MultiplexedStatement {
  const named = columns.map((column, i) => sql`${column} as ${verbatim(`c${i + 1}`)}`);
  const rows = from ? sql` from ${from}` : sql``;
  const { text, slots } = renderWith(sql`select ${joinSql(named, ", ")}${rows}`, (number) => `v.p${number}`);
  if (slots.length === 0) return { text: `select 1 as n, q.* from (${text}) q`, slots: [], values: () => [] };
  const compared = new Set(Array.from(text.matchAll(uncast), ([, number]) => Number(number) - 1));
  const query = { text, slots, compared };
  if (compared.size === 0)
    return { text: branch(query, "@p1", wide), slots, values: (sets) => [listOf(sets, () => true)] };
  const isPlain = (set: Values): boolean => [...compared].every((i) => isPlainText(set[i] ?? null));
  return {
    text: `${branch(query, "@p1", plain)} union all ${branch(query, "@p2", wide)}`,
    slots,
    values: (sets) => [listOf(sets, isPlain), listOf(sets, (set) => !isPlain(set))],
  };
}

interface Query extends RenderedSql {
  /** Indexes of values that are compared as texts. */
  readonly compared: ReadonlySet<number>;
}

/** Matches a value that is used without a cast. */
const uncast = /(?<!\b(?:cast|openjson)\(|\bconvert\([^(),]*(?:\(\w+\))?, |::STGeomFromText\()\bv\.p(\d+)\b/g;

interface TextType {
  readonly sql: string;
  /** Binary type of the same length. */
  readonly binary: string;
}

const plain: TextType = { sql: "varchar(8000)", binary: "varbinary(8000)" };
const wide: TextType = { sql: "nvarchar(max)", binary: "varbinary(max)" };

/** Returns the query for each row of a list. A text converted from binary takes the collation of the column. */
function branch({ text, slots, compared }: Query, list: string, type: TextType): string {
  const columns = slots.map((_, i) => `p${i + 1} ${compared.has(i) ? type.sql : wide.sql} '$[${i + 1}]'`);
  const query = text.replace(uncast, (value) => `convert(${type.sql}, convert(${type.binary}, ${value}))`);
  return `select v.n, q.* from openjson(${list}) with (n int '$[0]', ${columns.join(", ")}) v cross apply (${query}) q`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them
const plainText = /^[\u0000-\u007f]{0,8000}$/;
const isPlainText = (value: string | null): boolean => value === null || plainText.test(value);

/** Encodes the sets of a list, each preceded by its number. */
function listOf(sets: readonly Values[], isIn: (set: Values) => boolean): string {
  return JSON.stringify(sets.flatMap((set, i) => (isIn(set) ? [[i + 1, ...set]] : [])));
}
