/**
 * The stages of a GraphQL operation, which are the same for every transport. Each stage is a function with its own
 * result type:
 *
 * | stage | function | returns | defined in |
 * | --- | --- | --- | --- |
 * | authenticate | `authenticate` | `AuthenticatedSession` | `http/auth/authenticate.ts`, called by the transport |
 * | admit | `admit` | `AdmittedSession` | this file, called by the transport once per request |
 * | plan | `plan` | `PlannedRequest` | this file, with `plan-operation.ts` |
 * | bind | `bind` | `BoundQuery`, `BoundMutation` | `run-query.ts`, `run-mutation.ts` |
 * | run | `runQuery`, `runMutation` | `QueryResults`, `MutationResults` | `run-query.ts`, `run-mutation.ts` |
 * | join | `joinQuery`, `joinMutation` | `JoinRun`, `MutationResults` | the same files, with `joins/run-joins.ts` |
 * | encode | `encodeQuery`, `encodeMutation` | `ResponseText` | the same files, with `encode-data.ts` |
 *
 * `runQuery` joins values to each result as it arrives, because a separate stage would wait for the slowest source.
 * Mutations join after all writes. `timed` (`operation-spans.ts`) opens a span for a stage; statements and remote calls
 * have their own spans. Two wrappers surround the stages: `runOnCurrentGeneration` retries after a suspension of the
 * process, and the response cache serves queries with `@cached`.
 */
import { OperationTypeNode } from "graphql";
import type { GraphqlRequest, PreparedOperation, ResponseBuilder } from "../ports/graphql.ts";
import type { Client } from "../ports/request.ts";
import { noTelemetry } from "../ports/telemetry.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import type { ResponseText } from "../values/response-text.ts";
import type { Session } from "../values/session.ts";
import { cacheDirective, responseIdentity } from "./cached-query.ts";
import type { CacheRequest } from "./caching/response-cache.ts";
import { bindCrossSourceValues, hideCrossSourceValues } from "./cross-source-values.ts";
import type { Generation } from "./generation.ts";
import type { RateCounter } from "./guard/rate-limiter.ts";
import { type OnPlanned, withMetrics } from "./operation-metrics.ts";
import { describeOperation, timed } from "./operation-spans.ts";
import type { OperationOptions } from "./options.ts";
import { PinnedGeneration, runOnCurrentGeneration } from "./pinned-generation.ts";
import { explainCheck, planOperation } from "./plan-operation.ts";
import type { PlannedRequest } from "./planned-request.ts";
import { readsAfterWrites, routedOperation, targetsOf, withRouting } from "./route.ts";
import { type BoundMutation, bindMutation, encodeMutation, joinMutation, runMutation } from "./run-mutation.ts";
import { type BoundQuery, bindQuery, encodeQuery, runQuery } from "./run-query.ts";
import { loggedRun } from "./running-operation.ts";

/**
 * Admits a request and counts its operations against the limits of its role.
 * @throws EngineError if the request exceeds a limit
 */
export function admit<S extends Session>(
  { guard }: Generation,
  rates: RateCounter,
  [session, operations, client]: readonly [session: S, operations: number, client: Client],
): AdmittedSession<S> | Promise<AdmittedSession<S>> {
  return guard.admit(session, operations, client, rates);
}

export interface AdmittedRequest {
  readonly current: () => Generation;
  readonly request: GraphqlRequest;
  readonly by: AdmittedSession;
  readonly options: OperationOptions;
}

/**
 * Runs a query or a mutation on the current generation.
 * @returns the JSON text of `data`
 * @throws EngineError
 */
export function execute(admitted: AdmittedRequest, caller?: Caller, response?: ResponseBuilder): Promise<ResponseText> {
  const { telemetry = noTelemetry } = admitted.options;
  if (!telemetry.meters.isOn) return executeWithoutMetrics(admitted, caller, response);
  return withMetrics(telemetry, (onPlanned) => executeWithoutMetrics(admitted, caller, response, onPlanned));
}

/** Runs the operation without recording metrics, because metrics are disabled or the first attempt was recorded. */
export function executeWithoutMetrics(
  admitted: AdmittedRequest,
  caller?: Caller,
  response?: ResponseBuilder,
  onPlanned?: OnPlanned,
): Promise<ResponseText> {
  const retry = () => executeWithoutMetrics(admitted, caller, response, onPlanned);
  const begin = (): Promise<ResponseText> => {
    const planned = plan(admitted);
    onPlanned?.(planned.planned);
    return prepare(planned, retry).run(caller, response);
  };
  // Avoids an additional promise in the usual case, because each promise delays the request by several microtasks.
  try {
    return admitted.options.continuity.settled()?.then(begin) ?? begin();
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Plans a request and pins it to the current generation.
 * @throws EngineError if the operation is invalid or not allowed for the role
 */
export function plan({ current, request, by: { session }, options }: AdmittedRequest): PlannedRequest {
  const pinned = new PinnedGeneration(current(), current, options.continuity);
  const { generation } = pinned;
  const { span } = session;
  const planned = span?.isRecording
    ? timed(span, "plan", () => describeOperation(span, planOperation(generation, request, session, options)))
    : planOperation(generation, request, session, options);
  return { pinned, request, planned, session, options };
}

type RetryRequest = (caller?: Caller, response?: ResponseBuilder) => Promise<ResponseText>;
type PreparedQueryOrMutation = Exclude<PreparedOperation, { kind: "subscription" }>;
type RunPrepared = (caller?: Caller, response?: ResponseBuilder) => Promise<ResponseText>;

/**
 * Prepares a query or a mutation: binds its values, so that an invalid value fails before anything runs.
 * @param retryOnCurrentGeneration runs the request from its start
 * @throws EngineError for an invalid value
 */
export function prepare(operation: PlannedRequest, retryOnCurrentGeneration: RetryRequest): PreparedQueryOrMutation {
  const { pinned, planned } = operation;
  const kind = planned.kind === OperationTypeNode.MUTATION ? "mutation" : "query";
  const run = prepareCached(routed(operation));
  return {
    kind,
    run(caller, response) {
      const retry = () => retryOnCurrentGeneration(caller, response);
      const attempt = { kind, pinned, run: () => run(caller, response), retryOnCurrentGeneration: retry } as const;
      return runOnCurrentGeneration(attempt, response);
    },
  };
}

/** Resolves the connection templates of sources for this request. */
function routed(operation: PlannedRequest): PlannedRequest {
  const { generation } = operation.pinned;
  if (!generation.isRouted) return operation;
  const { planned } = operation;
  const session = withRouting(generation, operation.session, () => routedOperation(planned.operation().definition));
  return { ...operation, session, targets: targetsOf(generation, session) };
}

function prepareCached(operation: PlannedRequest): RunPrepared {
  const { pinned, planned, session, request } = operation;
  const { queryLog, responses } = operation.options;
  const run = prepareStages(operation);
  const directive = responses && cacheDirective(planned);
  if (!responses || !directive) return loggedRun(queryLog, operation, run);
  const realm = responses.realmOf(pinned.generation);
  const cached: Omit<CacheRequest, "compute"> = {
    identity: responseIdentity({ realm, targets: operation.targets ?? [], request, session, planned }),
    ...directive,
    // A cached response may predate the writes that the client has seen.
    refresh: directive.refresh || readsAfterWrites(session),
    onHit: () => queryLog?.begin({ ...operation, isCached: true }),
  };
  return (caller, response) => {
    const compute = async (cachedResponse: ResponseBuilder): Promise<ResponseText> => {
      const data = await loggedRun(queryLog, operation, run)(caller, cachedResponse);
      // Responses of stale generations are not cached.
      await pinned.assertCurrent();
      return data;
    };
    return responses.cache.serve({ ...cached, compute }, response);
  };
}

/** Binds values. Operations with cross-source values read and bind them when they run. */
function prepareStages(operation: PlannedRequest): RunPrepared {
  const { crossSourceSlots } = operation.planned.plan;
  if (crossSourceSlots.length === 0) {
    const bound = bind(operation);
    return (caller, response) => runStages(bound, caller, response);
  }
  return async (caller, response) => {
    const { generation } = operation.pinned;
    const session = await bindCrossSourceValues(operation.session, crossSourceSlots, generation, caller);
    return runStages(bind({ ...operation, session }), caller, response).catch(hideCrossSourceValues);
  };
}

type BoundOperation = BoundQuery | BoundMutation;

/**
 * Binds the values of an operation.
 * @throws EngineError for an invalid value
 */
function bind(operation: PlannedRequest): BoundOperation {
  return operation.planned.kind === OperationTypeNode.MUTATION ? bindMutation(operation) : bindQuery(operation);
}

async function runStages(bound: BoundOperation, caller?: Caller, response?: ResponseBuilder): Promise<ResponseText> {
  if (bound.kind === "query") {
    const results = await runQuery(bound, { caller, response });
    return encodeQuery(bound, results, response);
  }
  const { options, session } = bound.operation;
  try {
    const written = await runMutation(bound, response);
    const joined = await joinMutation(bound, written, response);
    return encodeMutation(bound, joined);
  } catch (error) {
    throw options.explainRefusals ? explainCheck(error, session.role) : error;
  }
}
