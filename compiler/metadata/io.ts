/**
 * Requests that the pure part can only decode: what they do needs a database, the network or another part of the
 * runtime, and stands in `runtime/control`. One member of `IoCall` per operation, so that its handlers are checked for completeness.
 */

import type { Json, JsonObject, QualifiedName, SourceKind } from "../catalog/model.ts";

/** Arguments of `run_sql` (`metadata-api.md` 4.1). */
export interface RunSql {
  readonly sql: string;
  readonly source: string;
  readonly cascade: boolean;
  /** Absent: decided by the words in the text. */
  readonly check_metadata_consistency?: boolean;
  readonly read_only: boolean;
  readonly no_transaction: boolean;
}

/** Arguments of `test_webhook_transform` (`metadata-api.md` 2.18). */
export interface TestWebhookTransform {
  /** May hold `{{NAME}}`. */
  readonly webhook_url: string | { readonly from_env: string };
  readonly body: Json;
  readonly request_transform: JsonObject;
  readonly response_transform?: JsonObject;
  /** The only variables that are used. */
  readonly env?: Readonly<Record<string, string>>;
  readonly request_headers?: readonly (readonly [name: string, value: string])[];
  readonly session_variables?: Readonly<Record<string, string>>;
}

/** Arguments of `get_table_info` (`metadata-api.md` 2.1). */
export interface GetTableInfo {
  readonly source: string;
  readonly table: QualifiedName;
}

/** Arguments of `set_catalog_state`: what a tool wants to find again (`metadata-api.md` 2.16). */
export interface SetCatalogState {
  readonly type: "cli" | "console";
  readonly state: Json;
}

export interface RunSqlCall {
  readonly effect: "io";
  readonly operation: "run_sql";
  /** The kind of source that the operation's name stands for. */
  readonly kind: SourceKind;
  readonly input: RunSql;
  /** Path of errors that happen while it runs. */
  readonly path: string;
}

export interface TestWebhookTransformCall {
  readonly effect: "io";
  readonly operation: "test_webhook_transform";
  readonly input: TestWebhookTransform;
  readonly path: string;
}

export interface GetSourceTablesCall {
  readonly effect: "io";
  readonly operation: "get_source_tables";
  readonly kind: SourceKind;
  readonly input: { readonly source: string };
  readonly path: string;
}

export interface GetTableInfoCall {
  readonly effect: "io";
  readonly operation: "get_table_info";
  readonly kind: SourceKind;
  readonly input: GetTableInfo;
  readonly path: string;
}

export interface GetCatalogStateCall {
  readonly effect: "io";
  readonly operation: "get_catalog_state";
  readonly path: string;
}

export interface SetCatalogStateCall {
  readonly effect: "io";
  readonly operation: "set_catalog_state";
  readonly input: SetCatalogState;
  readonly path: string;
}

export type IoCall =
  | RunSqlCall
  | TestWebhookTransformCall
  | GetSourceTablesCall
  | GetTableInfoCall
  | GetCatalogStateCall
  | SetCatalogStateCall;
