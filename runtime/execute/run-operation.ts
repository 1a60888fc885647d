/** A query or a mutation: planned on what is current, its values bound, then run; anew where the metadata has moved on. */
import { OperationTypeNode } from "graphql";
import type { AnswerHeaders, GraphqlRequest, PreparedOperation } from "../ports/graphql.ts";
import { noTelemetry } from "../ports/telemetry.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { noSpan } from "../values/span.ts";
import { Basis } from "./basis.ts";
import { cacheDirective, placeOf } from "./cached-query.ts";
import type { CacheRequest } from "./caching/response-cache.ts";
import { withElsewhere, withoutElsewhere } from "./elsewhere.ts";
import type { Generation } from "./generation.ts";
import { explainCheck } from "./missing-permission.ts";
import { spannedPlan } from "./operation-spans.ts";
import type { ExecuteOptions, OperationOptions, OutsideServices } from "./options.ts";
import { type PlannedOperation, planOperation } from "./plan-operation.ts";
import { followsOthers } from "./read-after.ts";
import { routedOperation, targetsOf, withRouting } from "./route.ts";
import { prepareMutation } from "./run-mutation.ts";
import { prepareQuery } from "./run-query.ts";
import { logged } from "./running-operation.ts";
import { type NotePlanned, watched } from "./watch-operation.ts";

/**
 * Runs a query or a mutation on what is current then.
 * @returns the JSON text of `data`'s value
 * @throws EngineError
 */
export function runOperation(
  current: () => Generation,
  request: GraphqlRequest,
  by: AdmittedSession,
  options: OperationOptions,
  caller: Caller | undefined,
  headers?: AnswerHeaders,
): Promise<string> {
  const telemetry = options.telemetry ?? noTelemetry;
  if (!telemetry.meters.isOn) return runAgain({ current, request, by, options }, caller, headers);
  return watched(telemetry, (note) => runOnCurrent({ current, request, by, options, note }, caller, headers));
}

interface Run {
  readonly current: () => Generation;
  readonly request: GraphqlRequest;
  readonly by: AdmittedSession;
  readonly options: OperationOptions;
  readonly note: NotePlanned;
}

const noNote: NotePlanned = () => undefined;

/** Runs it on what is current now; it was counted before, or nobody counts. */
export function runAgain(run: Omit<Run, "note">, caller: Caller | undefined, headers?: AnswerHeaders): Promise<string> {
  return runOnCurrent({ note: noNote, ...run }, caller, headers);
}

/** Every request goes through here, mostly without anything to wait for but its answer. */
function runOnCurrent(run: Run, caller: Caller | undefined, headers?: AnswerHeaders): Promise<string> {
  try {
    const settled = run.options.continuity.settled();
    return settled ? settled.then(() => runSettled(run, caller, headers)) : runSettled(run, caller, headers);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** @throws EngineError at once for what cannot be planned; a promise of what cannot be run is rejected with it */
function runSettled(run: Run, caller: Caller | undefined, headers?: AnswerHeaders): Promise<string> {
  const { current, request, by, options, note } = run;
  const { continuity } = options;
  const basis = new Basis(current(), current, continuity);
  const planned = spannedPlan(by.session.span ?? noSpan, () =>
    planOperation(basis.generation, request, by.session, options),
  );
  note(planned);
  const again = () => runOnCurrent(run, caller, headers);
  return prepareOnce(basis, { request, session: by.session, planned }, options, again).run(caller, headers);
}

type PrepareOptions = OutsideServices &
  Pick<ExecuteOptions, "validator" | "explainRefusals" | "queryLog" | "responses">;
type PreparedOnce = Exclude<PreparedOperation, { kind: "subscription" }>;

interface Asked {
  readonly request: GraphqlRequest;
  readonly session: Session;
  readonly planned: PlannedOperation;
  readonly targets?: ReturnType<typeof targetsOf>;
}

/**
 * A query or mutation, all of whose values are bound, but those that permissions look at in other sources.
 * @param again plans and runs it anew, where what it was planned on does not hold any more
 * @throws EngineError for a bad value
 */
export function prepareOnce(
  basis: Basis,
  given: Asked,
  options: PrepareOptions,
  again: (caller?: Caller, headers?: AnswerHeaders) => Promise<string>,
): PreparedOnce {
  const asked = routed(basis.generation, given);
  const { planned, session } = asked;
  const { queryLog, responses } = options;
  const prepared = prepareComplete(basis, planned, session, options, again);
  const directive = responses && cacheDirective(planned);
  if (!responses || !directive) return logged(queryLog, asked, prepared);
  const realm = responses.realmOf(basis.generation);
  const request: Omit<CacheRequest, "ask"> = {
    place: placeOf({ realm, ...asked }),
    ...directive,
    // What is kept may be older than what the client has seen.
    refresh: directive.refresh || followsOthers(asked.session),
    basis,
    given: () => queryLog?.begin({ ...asked, isCached: true }),
  };
  return {
    kind: "query",
    run(caller, headers) {
      const ask = (own: AnswerHeaders) => logged(queryLog, asked, prepared).run(caller, own);
      return responses.cache.answer({ ...request, ask }, headers);
    },
  };
}

function routed(generation: Generation, asked: Asked): Asked {
  if (!generation.isRouted) return asked;
  const { planned } = asked;
  const session = withRouting(generation, asked.session, () => routedOperation(planned.operation().definition));
  return { ...asked, session, targets: targetsOf(generation, session) };
}

function prepareComplete(
  basis: Basis,
  planned: PlannedOperation,
  session: Session,
  options: PrepareOptions,
  again: (caller?: Caller, headers?: AnswerHeaders) => Promise<string>,
): PreparedOnce {
  const { elsewhere } = planned.plan;
  if (elsewhere.length === 0) return prepareBound(basis, planned, session, options, again);
  return {
    kind: planned.kind === OperationTypeNode.MUTATION ? "mutation" : "query",
    async run(caller, headers) {
      const complete = await withElsewhere(session, elsewhere, basis.generation, caller);
      const prepared = prepareBound(basis, planned, complete, options, again);
      return prepared.run(caller, headers).catch(withoutElsewhere);
    },
  };
}

function prepareBound(
  basis: Basis,
  planned: PlannedOperation,
  session: Session,
  { validator, remote, actions, mostJoined, explainRefusals }: PrepareOptions,
  again: (caller?: Caller, headers?: AnswerHeaders) => Promise<string>,
): PreparedOnce {
  if (planned.kind !== OperationTypeNode.MUTATION) {
    return { kind: "query", run: prepareQuery(basis, planned, session, { remote, actions, mostJoined, again }) };
  }
  const run = prepareMutation(basis, planned, session, { validator, remote, actions, mostJoined, again });
  if (!explainRefusals) return { kind: "mutation", run: (_, headers) => run(headers) };
  const explained = (error: unknown): never => {
    throw explainCheck(error, session.role);
  };
  return { kind: "mutation", run: (_, headers) => run(headers).catch(explained) };
}
