/** Logs the start and the end of operations. */
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { ConnectionTarget } from "../values/connection-target.ts";
import type { Session } from "../values/session.ts";
import type { CachedPlan } from "./plan-cache.ts";

export interface RunningOperation {
  readonly request: GraphqlRequest;
  readonly session: Session;
  readonly planned: { readonly plan: CachedPlan; readonly variables: Readonly<Record<string, unknown>> };
  /** Targets of sources that have a connection template (`targetsOf`); absent if no source has one. */
  readonly targets?: readonly (readonly [source: string, target: ConnectionTarget | null])[];
  /** Set if the response comes from the cache. */
  readonly isCached?: true;
}

export interface QueryLog {
  begin(operation: RunningOperation): void;
  /**
   * Logs the end.
   * @param since the start, as returned by `performance.now()`
   */
  end(operation: RunningOperation, since: number): void;
}

/**
 * Logs the start of an operation now, and its end when it succeeds.
 * @param log `undefined` if operations are not logged
 */
export function loggedRun<A extends readonly unknown[], T>(
  log: QueryLog | undefined,
  operation: RunningOperation,
  run: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  if (log === undefined) return run;
  log.begin(operation);
  return async (...args) => {
    const since = performance.now();
    const answer = await run(...args);
    log.end(operation, since);
    return answer;
  };
}
