/**
 * Whether an update changed a row. Bytes are compared, which works for values of every type; only where equal values
 * can differ in their bytes, as `1.0` and `1.00`, the type's own equality decides: that of its default operator class,
 * which only superusers define. `is distinct from` instead finds an operator `=` by its name in the search path, and
 * there anybody may define one for the row type of a table or for a domain.
 */
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import type { TypeRef } from "../../shape/shape.ts";
import { columnsOf, type RecordedColumn, type RecordedTable } from "../recorder.ts";
import { elementaryType } from "./elementary-type.ts";

/** A condition on `old` and `new`. Where it can it looks at rows as a whole, which does not tie down their columns. */
export function changed(table: RecordedTable, watched: "*" | readonly string[]): string {
  // A virtual generated column changes only with the columns of its expression.
  const columns = columnsOf(table, watched).filter(({ virtual }) => watched !== "*" || virtual === undefined);
  const inexact = columns.filter(({ type }) => isInexact(type));
  if (watched === "*" && !table.partitioned && columns.length === table.columns.length) {
    if (inexact.length === 0) return "old.* operator(pg_catalog.*<>) new.*";
    if (columns.every(({ type }) => hasEquality(type))) return `old.* ${rowEquality} new.*`;
  }
  const exact = columns.filter((column) => !inexact.includes(column));
  const tests = [
    ...(exact.length === 0 ? [] : [`${row("old", exact)} operator(pg_catalog.*<>) ${row("new", exact)}`]),
    ...(inexact.length === 0 ? [] : [`${row("old", inexact)} ${rowEquality} ${row("new", inexact)}`]),
  ];
  return tests.join("\n    or ");
}

/** Null equals null, as with `is distinct from`. */
const rowEquality = "operator(pg_catalog.<>)";

const field = (of: string, { name }: RecordedColumn): string => `${of}.${postgres.quoteIdentifier(name)}`;

const row = (of: string, columns: readonly RecordedColumn[]): string =>
  `row(${columns.map((column) => field(of, column)).join(", ")})::record`;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const inexactTypes = words("numeric float4 float8 interval timetz bpchar citext jsonb numrange nummultirange");

function isInexact(type: TypeRef): boolean {
  const { schema, name } = elementaryType(type);
  return inexactTypes.has(name) && (schema === "pg_catalog" || name === "citext");
}

const typesWithEquality = words(
  "bool bytea char name int2 int4 int8 float4 float8 numeric money text varchar bpchar citext uuid oid jsonb " +
    "date time timetz timestamp timestamptz interval inet cidr macaddr macaddr8 bit varbit tsvector " +
    "int4range int8range numrange daterange tsrange tstzrange",
);

function hasEquality(type: TypeRef): boolean {
  const { schema, name, category } = elementaryType(type);
  if (schema !== "pg_catalog") return category === "enum" || name === "citext";
  return typesWithEquality.has(name);
}
