/** Saves changes of one row, and refuses to overwrite changes by others. */
import { type Row, type TableInfo, type TableLocation, updateRows } from "../../../http/data-api.ts";
import type { Json } from "../../../http/metadata-types.ts";
import { returnedColumns, whereUnchanged } from "./row-values.ts";

/**
 * Returns the row after the change.
 * @param row the row as it was loaded
 * @throws ApiError
 * @throws Error if the row was changed or deleted after it was loaded
 */
export async function saveRow(
  location: TableLocation,
  info: TableInfo,
  row: Row,
  values: Readonly<Record<string, Json>>,
): Promise<Row> {
  const where = whereUnchanged(row, info, Object.keys(values));
  const { affected_rows: count, returning } = await updateRows(location, where, values, returnedColumns(row));
  if (count === 0) {
    throw new Error(
      "Not saved: the row was changed or deleted after it was loaded. Refresh the rows to see its values.",
    );
  }
  return returning?.[0] ?? { ...row, ...values };
}
