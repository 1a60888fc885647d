/**
 * `get_source_tables`, `get_table_info`, `describe_source`, `describe_table`, `describe_tables` (`docs/how-to/console.md`): read the current objects of
 * a source's database.
 */

import type { Source } from "../../compiler/catalog/model.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import {
  sourceDescription,
  sourceTables,
  tableDescription,
  tableInfo,
  tableOutlines,
} from "../../compiler/metadata/source-tables.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import { EngineError } from "../values/errors.ts";
import { valueOrThrow } from "./diagnostic-errors.ts";
import type { IoCallOf, IoContext, IoHandlers } from "./io-handlers.ts";

type SourceTablesOperation =
  | "get_source_tables"
  | "get_table_info"
  | "describe_source"
  | "describe_table"
  | "describe_tables";
type SourceTablesCall = IoCallOf<SourceTablesOperation>;

export const sourceTableHandlers: IoHandlers<SourceTablesOperation> = {
  get_source_tables: async (call, context) =>
    sourceTables(await shapeOf(call, context, "failed to fetch source tables: ")),
  get_table_info: async (call, context) => tableInfo(await shapeOf(call, context, ""), call.input.table),
  describe_source: async (call, context) => sourceDescription(await shapeOf(call, context, "")),
  describe_tables: async (call, context) => tableOutlines(await shapeOf(call, context, "")),
  describe_table: async (call, context) => {
    const { sources } = context.environment;
    const found = await readSource(call, context, "", (source) => sources.describeTable(source, call.input.table));
    return found && tableDescription(found.table, found.details, dialectOf(call.kind));
  },
};

function shapeOf(call: SourceTablesCall, context: IoContext, prefix: string): Promise<Shape> {
  return readSource(call, context, prefix, (source) => context.environment.sources.readShape(source));
}

/** @param prefix prefix of the database's error message */
async function readSource<T>(
  { kind, path, input }: SourceTablesCall,
  { draft, environment: { context } }: IoContext,
  prefix: string,
  read: (source: Source) => Promise<T>,
): Promise<T> {
  const source = valueOrThrow(findSource({ ...draft, context, kind, path }, input.source));
  try {
    return await read(source);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, status, internal } = error;
    throw new EngineError(code, path, `${prefix}${message}`, { status, internal, cause: error });
  }
}
