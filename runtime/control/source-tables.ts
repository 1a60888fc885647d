/**
 * `get_source_tables`, `get_table_info` (`metadata-api.md` 2.1), `describe_source`, `describe_table`
 * (`docs/console.md`): what the database of a source holds at this moment.
 */

import type { Json, Source } from "../../compiler/catalog/model.ts";
import type { GetSourceTablesCall, GetTableInfoCall } from "../../compiler/metadata/io.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import { sourceDescription, sourceTables, tableDescription, tableInfo } from "../../compiler/metadata/source-tables.ts";
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

/** @throws EngineError at the path of the call */
export async function describeSource(
  call: GetSourceTablesCall,
  draft: Draft,
  environment: ChangeEnvironment,
): Promise<Json> {
  return sourceDescription(await shapeOf(call, draft, environment, ""));
}

/** @throws EngineError at the path of the call */
export async function describeTable(
  call: GetTableInfoCall,
  draft: Draft,
  environment: ChangeEnvironment,
): Promise<Json> {
  const found = await ask(call, draft, environment, "", (source) =>
    environment.sources.described(source, call.input.table),
  );
  return found && tableDescription(found.table, found.details);
}

function shapeOf(
  call: GetSourceTablesCall | GetTableInfoCall,
  draft: Draft,
  environment: ChangeEnvironment,
  place: string,
): Promise<Shape> {
  return ask(call, draft, environment, place, (source) => environment.sources.shape(source));
}

/** @param place goes before what the database says */
async function ask<T>(
  { kind, path, input }: GetSourceTablesCall | GetTableInfoCall,
  draft: Draft,
  { context }: ChangeEnvironment,
  place: string,
  question: (source: Source) => Promise<T>,
): Promise<T> {
  const source = valueOrThrow(findSource({ ...draft, context, kind, path }, input.source));
  try {
    return await question(source);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, status, internal } = error;
    throw new EngineError(code, path, `${place}${message}`, { status, internal, cause: error });
  }
}
