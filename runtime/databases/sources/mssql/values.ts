/** Values on their way to SQL Server and back: all of them travel as text (`graphql-api.md` 3.4). */

/** What a parameter is declared as; a length of 0 stands for `max`. */
export interface TextType {
  readonly name: "varchar" | "nvarchar";
  readonly length: number;
}

const longestVarchar = 8000;
const longestNvarchar = 4000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them
const ascii = /^[\u0000-\u007f]*$/;

/**
 * Plain ASCII is sent as `varchar`, so that the index of a `varchar` column can be used; an `nvarchar` column takes it
 * as well. There are two declared lengths of each, so that few plans are kept for one statement.
 */
export function typeOfText(value: string | null): TextType {
  if (value === null || ascii.test(value)) {
    return { name: "varchar", length: value !== null && value.length > longestVarchar ? 0 : longestVarchar };
  }
  return { name: "nvarchar", length: value.length > longestNvarchar ? 0 : longestNvarchar };
}

/** The same type as SQL writes it. */
export function declaredType(value: string | null): string {
  const { name, length } = typeOfText(value);
  return `${name}(${length === 0 ? "max" : length})`;
}

/**
 * A value of a result, times as ISO 8601 texts: the driver gives dates, in which 100 nanoseconds are a property.
 * @param type its name in SQL
 */
export function cellValue(value: unknown, type = ""): unknown {
  if (!(value instanceof Date)) return isSafeInteger(value, type) ? Number(value) : value;
  const fraction = Math.round(((value as { readonly nanosecondsDelta?: number }).nanosecondsDelta ?? 0) * 1e7);
  const [date = "", time = ""] = value.toISOString().replace("Z", "").split("T");
  const exact = `${time}${String(fraction).padStart(4, "0")}`.replace(/\.?0+$/, "");
  switch (type) {
    case "date":
      return date;
    case "time":
      return exact;
    case "datetimeoffset":
      return `${date}T${exact}Z`;
    default:
      return `${date}T${exact}`;
  }
}

/** The driver gives `bigint` as text. */
function isSafeInteger(value: unknown, type: string): boolean {
  return type === "bigint" && typeof value === "string" && Number.isSafeInteger(Number(value));
}

/** A value of a result as text. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (Buffer.isBuffer(value)) return value.toString("base64");
  return String(value);
}

/** A value of a result as JSON, for `run_sql` (`metadata-api.md` 4.2). */
export function cellOf(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
  return textOf(value);
}
