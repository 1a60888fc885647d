/** Rows as bytes, also from drivers that only return text. */
import type { ByteRow, ByteValues, Reader, Reads, TextRow } from "./source.ts";

/** Returns the reads of a source or a replica with rows as bytes. */
export function byteReads(reader: Reader): Reads<ByteRow> {
  if (reader.bytes) return reader.bytes;
  return {
    query: async (...read) => (await reader.query(...read)).map(textAsByteRow),
    executeAlone: async (...read) => (await reader.executeAlone(...read)).map(textAsByteRow),
  };
}

export const textAsByteRow = (values: TextRow): ByteRow => ({ values, memory: noMemory });

/** The memory of rows without long values. */
export const noMemory: ByteRow["memory"] = [];

/** Decodes the values of a row. */
export const asText = (values: ByteValues): TextRow => values.map((value) => value?.toString() ?? null);
