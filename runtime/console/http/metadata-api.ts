/** Client of `/v1/metadata`, and of SQL through `/v2/query`. */
import type { InconsistentObject, Json, Metadata } from "./metadata-types.ts";
import { type Operation, prefixOf } from "./operation.ts";
import { send } from "./send.ts";

export { type Operation, prefixOf };

/**
 * Runs an operation of the metadata API.
 * @param resourceVersion expected version of the metadata; the server rejects the operation on a mismatch
 * @param raw true if the response contains metadata, whose numbers must keep their digits
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
  runOperation({ type: "get_inconsistent_metadata", args: { causes: true, objects: true } }, undefined, true);

const sqlOperations: Readonly<Record<string, string>> = { postgres: "run_sql" };

export interface SqlRequest {
  readonly source: string;
  readonly kind: string;
  readonly sql: string;
  readonly readOnly?: boolean;
  readonly cascade?: boolean;
}

/** Rows as text, starting with the column names; `null` if the statement returns no rows. */
export type SqlRows = readonly (readonly (string | null)[])[] | null;

/** @throws ApiError */
export async function runSql({ source, kind, sql, readOnly = false, cascade = false }: SqlRequest): Promise<SqlRows> {
  const type = sqlOperations[kind] ?? `${kind}_run_sql`;
  const args: Record<string, Json> = { source, sql, cascade, read_only: readOnly };
  const { result } = await send<{ readonly result?: SqlRows }>("/v2/query", { body: { type, args } });
  return result ?? null;
}
