/** Returns the operations on a row, or on a cell, that the console explains. */
import type { Row, TableInfo, TableLocation } from "../../../http/data-api.ts";
import type { Json, JsonObject } from "../../../http/metadata-types.ts";
import type { WhyOption } from "../../../parts/why-dialog.tsx";

/** @param column column of the cell; absent for the row */
export function whyOptions(
  { source, table }: TableLocation,
  info: TableInfo,
  row: Row,
  column: string | undefined,
): readonly WhyOption[] {
  const { schema, name } = table;
  const on = { source, table: { schema, name }, row: keyOf(row, info) };
  const option = (label: string, operation: string, columns?: readonly string[]): WhyOption => {
    const explained: JsonObject = { ...on, operation, ...(columns && { columns: [...columns] }) };
    return { label, explained: { on: explained } };
  };
  const columns = column === undefined ? undefined : [column];
  return [
    option("Select", "select", columns),
    option("Update", "update", columns),
    ...(column === undefined ? [option("Delete", "delete")] : []),
  ];
}

/** Returns the primary key, or, of a row without a visible key, all its simple values. */
function keyOf(row: Row, { primary_key: key }: TableInfo): JsonObject {
  const names = key ?? [];
  const isKeyed = names.length > 0 && names.every((name) => row[name] !== undefined);
  const shown = Object.entries(row).filter(([name, value]) => (isKeyed ? names.includes(name) : isSimple(value)));
  return Object.fromEntries(shown) as Readonly<Record<string, Json>>;
}

const isSimple = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
