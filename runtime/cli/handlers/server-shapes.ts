/** Introspects the databases of a server through its `run_sql`, in read-only mode. */
import { introspect } from "../../../compiler/1-introspect/introspect.ts";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Json, Source } from "../../../compiler/catalog/model.ts";
import type { Query } from "../../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../../compiler/dialects/index.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { enumTables } from "../compile/introspect-url.ts";
import type { CallMetadata } from "../project/client.ts";

/** Returns the introspection of each source; an error for a database that the server cannot read. */
export async function shapesOfServer(
  sources: readonly Source[],
  call: CallMetadata,
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  const found = new Map<string, SourceIntrospection>();
  for (const source of sources) found.set(source.name, await introspection(source, call));
  return found;
}

async function introspection(source: Source, call: CallMetadata): Promise<SourceIntrospection> {
  const query: Query = async (sql) => {
    const args = { source: source.name, sql, read_only: true, check_metadata_consistency: false };
    return rowsOf(await call({ type: `${source.kind}_run_sql`, args, endpoint: "/v2/query" }));
  };
  try {
    return { shape: await introspect(dialectOf(source.kind), query, enumTables(source)) };
  } catch (error) {
    // Any other error concerns only this source.
    if (!(error instanceof EngineError) || error.code === "connection error") throw error;
    return { error: { message: error.message } };
  }
}

/**
 * Drops the first row, which contains the column names. NULL is returned as the text `NULL`, which is unambiguous in
 * introspection.
 */
function rowsOf(response: Json): readonly (readonly string[])[] {
  const rows = isObject(response) && Array.isArray(response.result) ? response.result : [];
  return rows.slice(1).map((row) => (Array.isArray(row) ? row.map(String) : []));
}
