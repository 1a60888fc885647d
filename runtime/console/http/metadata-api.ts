/** `/v1/metadata` and `/v2/query`, typed as far as pages use them. */
import type { InconsistentObject, Json, Metadata } from "./metadata-types.ts";
import { send } from "./send.ts";

export interface Operation {
  /** `pg_track_table`, `create_rest_endpoint` … */
  readonly type: string;
  readonly args: unknown;
}

/**
 * One operation of the metadata API.
 * @param raw whether the answer holds metadata, whose numbers stay as they are written
 * @param resourceVersion that the metadata must still have; absent: any
 * @throws ApiError
 */
export function runOperation<T>({ type, args }: Operation, resourceVersion?: number, raw = false): Promise<T> {
  const body = { type, args, ...(resourceVersion !== undefined && { resource_version: resourceVersion }) };
  return send<T>("/v1/metadata", { body, raw });
}

export interface VersionedMetadata {
  readonly resource_version: number;
  readonly metadata: Metadata;
}

export const exportMetadata = (): Promise<VersionedMetadata> =>
  send("/v1/metadata", { body: { type: "export_metadata", version: 2, args: {} }, raw: true });

export const inconsistentMetadata = (): Promise<readonly InconsistentObject[]> =>
  runOperation({ type: "get_inconsistent_metadata", args: { causes: true } }, undefined, true);

const prefixes: Readonly<Record<string, string>> = { postgres: "pg" };
const sqlOperations: Readonly<Record<string, string>> = { postgres: "run_sql" };

/** `postgres` → `pg`: how the names of a source's operations begin. */
export const prefixOf = (kind: string): string => prefixes[kind] ?? kind;

export interface SqlRequest {
  readonly source: string;
  readonly kind: string;
  readonly sql: string;
  readonly readOnly?: boolean;
  readonly cascade?: boolean;
}

/** Rows as text, the first one the names of the columns; `null`: the statement gives none. */
export type SqlRows = readonly (readonly (string | null)[])[] | null;

/** @throws ApiError */
export async function runSql({ source, kind, sql, readOnly = false, cascade = false }: SqlRequest): Promise<SqlRows> {
  const type = sqlOperations[kind] ?? `${kind}_run_sql`;
  const args: Record<string, Json> = { source, sql, cascade, read_only: readOnly };
  const { result } = await send<{ readonly result?: SqlRows }>("/v2/query", { body: { type, args } });
  return result ?? null;
}
