/** A request with its plan: the input of every stage after planning. */
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { ConnectionTarget } from "../values/connection-target.ts";
import type { Session } from "../values/session.ts";
import type { ExecuteOptions, RemoteServices } from "./options.ts";
import type { PinnedGeneration } from "./pinned-generation.ts";
import type { PlannedOperation } from "./plan-operation.ts";

export interface PlannedRequest {
  readonly pinned: PinnedGeneration;
  readonly request: GraphqlRequest;
  readonly planned: PlannedOperation;
  /** The session, with the resolved connection targets and the cross-source values of the request. */
  readonly session: Session;
  readonly options: RemoteServices &
    Pick<ExecuteOptions, "validator" | "explainRefusals" | "queryLog" | "responses" | "onlyReads" | "maxMilliseconds">;
  /** Targets of sources that have a connection template (`targetsOf`); absent if no source has one. */
  readonly targets?: readonly (readonly [source: string, target: ConnectionTarget | null])[];
}

/** Returns the time limit of an operation in milliseconds, if any. */
export function timeLimitOf({ pinned, session, options }: PlannedRequest): number | undefined {
  const ofRole = pinned.generation.guard.timeLimitMilliseconds(session.role);
  const { maxMilliseconds = ofRole } = options;
  return ofRole === undefined || maxMilliseconds === undefined ? maxMilliseconds : Math.min(ofRole, maxMilliseconds);
}
