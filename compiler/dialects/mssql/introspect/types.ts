/** Builds the type of a column, as written in a cast. */
import type { TypeRef } from "../../../shape/shape.ts";
import type { ColumnRow } from "./rows.ts";

/** Types with a length: bytes per character. */
const bytesPerCharacter: Readonly<Record<string, number>> = {
  char: 1,
  varchar: 1,
  binary: 1,
  varbinary: 1,
  nchar: 2,
  nvarchar: 2,
};

const withPrecision: ReadonlySet<string> = new Set(["decimal", "numeric"]);
const withFraction: ReadonlySet<string> = new Set(["time", "datetime2", "datetimeoffset"]);

export function typeOfColumn(row: Pick<ColumnRow, "type" | "length" | "precision" | "scale" | "collation">): TypeRef {
  const type = systemType(row.type, `${row.type}${suffixOf(row)}`);
  return row.collation === null ? type : { ...type, collation: row.collation };
}

/**
 * Returns a system type.
 * @param sql the name in casts, if it has a length or precision
 */
export function systemType(name: string, sql = name): TypeRef {
  return { schema: "sys", name, sql, category: "base" };
}

function suffixOf({
  type,
  length,
  precision,
  scale,
}: Pick<ColumnRow, "type" | "length" | "precision" | "scale">): string {
  const bytes = bytesPerCharacter[type];
  if (bytes !== undefined) return length < 0 ? "(max)" : `(${length / bytes})`;
  // 8 bytes of header and 4 for each number.
  if (type === "vector") return `(${(length - 8) / 4})`;
  if (withPrecision.has(type)) return `(${precision}, ${scale})`;
  return withFraction.has(type) ? `(${scale})` : "";
}
