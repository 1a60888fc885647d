/** Client of the operations on the activity of the server. */
import { runOperation } from "./metadata-api.ts";

/** A row of `get_slow_operations`. Times are in seconds. */
export interface SlowOperation {
  readonly role: string;
  readonly operation_name: string | null;
  readonly query: string;
  readonly count: number;
  readonly failed: number;
  readonly slowest: number;
  readonly mean: number;
  /** ISO 8601. */
  readonly last_at: string;
}

export interface LiveQuery {
  readonly kind: "live-query" | "streaming";
  readonly operation_name: string | null;
  readonly role: string;
  readonly source: string;
  readonly subscribers: number;
  readonly generated_sql: string;
  /** `null` before the first poll. */
  readonly last_poll: { readonly at: string; readonly total_time: number; readonly failed: number } | null;
}

export const slowOperations = (): Promise<readonly SlowOperation[]> =>
  runOperation({ type: "get_slow_operations", args: {} });

export const liveQueries = (): Promise<readonly LiveQuery[]> => runOperation({ type: "get_live_queries", args: {} });

/** An entry of `get_role_usage`. */
interface RoleUsage {
  /** `null` for roles that are counted together. */
  readonly role: string | null;
  readonly count: number;
  readonly failed: number;
  /** In seconds. */
  readonly total_time: number;
  readonly response_bytes: number;
}

export const roleUsage = async (): Promise<readonly RoleUsage[]> =>
  (await runOperation<{ readonly roles: readonly RoleUsage[] }>({ type: "get_role_usage", args: {} })).roles;

/** A process of `get_instances`. Times are in ISO 8601. */
export interface InstanceProcess {
  readonly id: string;
  readonly instance_id: string;
  readonly host: string;
  readonly process_id: number;
  readonly version: string;
  readonly started_at: string;
  readonly resource_version: number;
  readonly worker: number;
  readonly workers: number;
  readonly is_this: boolean;
  readonly is_responding: boolean;
  readonly last_response_at: string;
}

export const instanceProcesses = (): Promise<readonly InstanceProcess[]> =>
  runOperation({ type: "get_instances", args: {} });
