/** Tells a log when an operation begins and has its answer. */
import type { GraphqlRequest, PreparedOperation } from "../ports/graphql.ts";
import type { ConnectionTarget } from "../values/connection-target.ts";
import type { Session } from "../values/session.ts";
import type { CachedPlan } from "./plan-cache.ts";

export interface RunningOperation {
  readonly request: GraphqlRequest;
  readonly session: Session;
  readonly planned: { readonly plan: CachedPlan; readonly variables: Readonly<Record<string, unknown>> };
  /** Where it goes in sources that have a connection template, as `targetsOf` says; absent: no source has one. */
  readonly targets?: readonly (readonly [source: string, target: ConnectionTarget | null])[];
  /** Its answer was kept, so that nothing is asked; absent: it was not. */
  readonly isCached?: true;
}

export interface QueryLog {
  /** It is about to run. */
  begin(operation: RunningOperation): void;
  /** It has an answer. @param since when it began, by the clock of `performance.now` */
  end(operation: RunningOperation, since: number): void;
}

/** @param log `undefined`: nobody is told */
export function logged<P extends PreparedOperation>(
  log: QueryLog | undefined,
  operation: RunningOperation,
  prepared: P,
): P {
  if (log === undefined) return prepared;
  log.begin(operation);
  if (prepared.kind === "subscription") return prepared;
  const run: typeof prepared.run = async (caller, headers) => {
    const since = performance.now();
    const answer = await prepared.run(caller, headers);
    log.end(operation, since);
    return answer;
  };
  return { ...prepared, run };
}
