/** Client of `get_slow_operations` and `get_live_queries`. Times are in seconds. */
import { runOperation } from "./metadata-api.ts";

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
