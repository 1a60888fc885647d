/** `get_source_tables`, `get_table_info`: what the database of a source holds at this moment (`metadata-api.md` 2.1). */

import type { Json } from "../../compiler/catalog/model.ts";
import type { GetSourceTablesCall, GetTableInfoCall } from "../../compiler/metadata/io.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import { sourceTables, tableInfo } from "../../compiler/metadata/source-tables.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import { EngineError } from "../values/errors.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import type { Draft } from "./state.ts";
import { valueOrThrow } from "./thrown.ts";

/** @throws EngineError at the path of the call */
export async function getSourceTables(
  call: GetSourceTablesCall,
  draft: Draft,
  environment: ChangeEnvironment,
): Promise<Json> {
  return sourceTables(await shapeOf(call, draft, environment, "failed to fetch source tables: "));
}

/** @throws EngineError at the path of the call */
export async function getTableInfo(
  call: GetTableInfoCall,
  draft: Draft,
  environment: ChangeEnvironment,
): Promise<Json> {
  return tableInfo(await shapeOf(call, draft, environment, ""), call.input.table);
}

/** @param place goes before what the database says */
async function shapeOf(
  { kind, path, input }: GetSourceTablesCall | GetTableInfoCall,
  draft: Draft,
  { sources, context }: ChangeEnvironment,
  place: string,
): Promise<Shape> {
  const source = valueOrThrow(findSource({ ...draft, context, kind, path }, input.source));
  try {
    return await sources.shape(source);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, status, internal } = error;
    throw new EngineError(code, path, `${place}${message}`, { status, internal, cause: error });
  }
}
