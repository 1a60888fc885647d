/** `engine shape`: saves the introspection of a database, for `engine compile` without a connection. */

import { EngineError } from "../../values/errors.ts";
import { enumTables, introspectUrl } from "../compile/introspect-url.ts";
import { readCatalog } from "../compile/read-catalog.ts";
import { writeShapeFile } from "../compile/shape-file.ts";
import { printResult } from "../project/output.ts";

export interface ShapeCommandOptions {
  readonly database: string;
  /** The file to write. */
  readonly out: string;
  /** Metadata that names enum tables, whose rows are part of a Shape. */
  readonly metadata?: string;
}

/**
 * Resolves to the exit code.
 * @throws EngineError if the database or the metadata cannot be read, or the file cannot be written
 */
export async function shapeCommand({ database, out, metadata }: ShapeCommandOptions): Promise<number> {
  const shape = await introspectUrl(database, "postgres", metadata === undefined ? [] : await enumTablesOf(metadata));
  await writeShapeFile(out, shape);
  const counts = { tables: shape.tables.length, functions: shape.functions.length };
  printResult(`wrote ${out}: ${counts.tables} tables, ${counts.functions} functions\n`, { out, ...counts });
  return 0;
}

async function enumTablesOf(metadata: string): Promise<ReturnType<typeof enumTables>> {
  const files = await readCatalog(metadata);
  if ("catalog" in files) return files.catalog.sources.flatMap(enumTables);
  const { code, path, message } = files.diagnostic;
  throw new EngineError(code, path, `${files.place(path)}: ${message}`);
}
