/** Rows as bytes, also from drivers that only return text. */
import type { Caller } from "../../values/caller.ts";
import type { ByteRow, PreparedStatement, Reader, SqlValue, TextRow } from "./source.ts";

/**
 * Runs a read of one row and returns the row as bytes.
 * @returns `undefined` if there is no row
 */
export function queryBytes(
  reader: Reader,
  statement: PreparedStatement,
  values: readonly SqlValue[],
  caller: Caller | undefined,
): Promise<ByteRow | undefined> {
  if (reader.queryBytes) return reader.queryBytes(statement, values, caller);
  return reader.query(statement, values, caller).then(firstByteRow);
}

/** Returns the first row; `undefined` if there is none. */
export const firstByteRow = ([row]: readonly TextRow[]): ByteRow | undefined => row && textAsByteRow(row);

export const textAsByteRow = (values: TextRow): ByteRow => ({ values, memory: noMemory });

/** The memory of rows without long values. */
export const noMemory: ByteRow["memory"] = [];
