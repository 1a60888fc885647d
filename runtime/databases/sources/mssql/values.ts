/** Converts values for SQL Server. All parameters and results are transferred as text. */

/** The declared type of a parameter. Length 0 means `max`. */
export interface TextType {
  readonly name: "varchar" | "nvarchar";
  readonly length: number;
}

const maxVarcharLength = 8000;
const maxNvarcharLength = 4000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them
const ascii = /^[\u0000-\u007f]*$/;

/**
 * Returns the parameter type of a value. ASCII text is sent as `varchar`, so that an index on a `varchar` column can be
 * used; it can also be compared with `nvarchar` columns. Only two lengths are declared per type, which limits the
 * number of cached plans per statement.
 */
export function typeOfText(value: string | null): TextType {
  if (value === null || ascii.test(value)) {
    return { name: "varchar", length: value !== null && value.length > maxVarcharLength ? 0 : maxVarcharLength };
  }
  return { name: "nvarchar", length: value.length > maxNvarcharLength ? 0 : maxNvarcharLength };
}

/** Returns the type in SQL. */
export function declaredType(value: string | null): string {
  const { name, length } = typeOfText(value);
  return `${name}(${length === 0 ? "max" : length})`;
}

/**
 * Converts a value of the driver. Dates become ISO 8601 text; the driver stores their 100-nanosecond fraction in a
 * property.
 * @param type name of the SQL type
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

/** Returns true for a `bigint`, which the driver returns as text, within the range of safe integers. */
function isSafeInteger(value: unknown, type: string): boolean {
  return type === "bigint" && typeof value === "string" && Number.isSafeInteger(Number(value));
}

/** Converts a result value to text. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (Buffer.isBuffer(value)) return value.toString("base64");
  return String(value);
}

/** Converts a result value to JSON, for `run_sql`. */
export function cellOf(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
  return textOf(value);
}
