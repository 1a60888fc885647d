/** The services that run operations, each by the Generation that is current when a request arrives. */
import { OperationTypeNode } from "graphql";
import { pathSegments } from "../model/definitions/rest/endpoint.ts";
import { matchRoute } from "../model/definitions/rest/routes.ts";
import type { AdmissionService } from "../ports/admission.ts";
import type { AnswerHeaders, GraphqlService, PreparedOperation } from "../ports/graphql.ts";
import type { RestService, RestTarget } from "../ports/rest.ts";
import type { RootFieldService } from "../ports/root-fields.ts";
import { noTelemetry } from "../ports/telemetry.ts";
import type { Caller } from "../values/caller.ts";
import { noSpan } from "../values/span.ts";
import { Basis } from "./basis.ts";
import type { Generation } from "./generation.ts";
import { type RateCounter, RateLimiter } from "./guard/rate-limiter.ts";
import { identityOf } from "./operation-identity.ts";
import { spannedPlan } from "./operation-spans.ts";
import type { ExecuteOptions } from "./options.ts";
import { checkedOperation, type PlannedOperation, planOperation } from "./plan-operation.ts";
import { prepareOnce, runAgain, runOperation } from "./run-operation.ts";
import { logged } from "./running-operation.ts";
import type { LiveQueries } from "./subscribe/live-queries.ts";
import { prepareSubscription } from "./subscribe.ts";
import { countRefused, watchedPrepared } from "./watch-operation.ts";

/** Counts requests against the limits of the Generation. */
export function admissionService(current: () => Generation, rates: RateCounter = new RateLimiter()): AdmissionService {
  return {
    admit: (session, operations, client) => current().guard.admit(session, operations, client, rates),
  };
}

/** Serves GraphQL operations of all kinds. */
export function graphqlService(current: () => Generation, options: ExecuteOptions, live: LiveQueries): GraphqlService {
  const single = { ...options, subscriptions: false };
  const any = { ...options, subscriptions: true };
  const telemetry = options.telemetry ?? noTelemetry;
  const { meters } = telemetry;
  const identified = (planned: PlannedOperation, prepared: PreparedOperation): PreparedOperation => ({
    ...watchedPrepared(telemetry, prepared, planned),
    textHash: () => identityOf(planned.operation()).parameterized_query_hash,
  });
  const prepare: GraphqlService["prepare"] = async (request, by) => {
    const { session } = by;
    await options.continuity.settled();
    const generation = current();
    const plan = (on: Generation) => planOperation(on, request, session, any);
    const planned = spannedPlan(session.span ?? noSpan, () => plan(generation));
    if (planned.kind === OperationTypeNode.SUBSCRIPTION) {
      const input = { generation, current, session, planned, plan, live, meters, services: options };
      const prepared = prepareSubscription(input);
      return identified(planned, logged(options.queryLog, { request, session, planned }, prepared));
    }
    const basis = new Basis(generation, current, options.continuity);
    const again = (caller?: Caller, headers?: AnswerHeaders) =>
      runAgain({ current, request, by, options: single }, caller, headers);
    return identified(planned, prepareOnce(basis, { request, session, planned }, options, again));
  };
  return {
    execute: (request, by, caller, headers) => runOperation(current, request, by, single, caller, headers),
    subscriptions: () => live.counters,
    async prepare(request, by) {
      try {
        return await prepare(request, by);
      } catch (error) {
        countRefused(meters);
        throw error;
      }
    },
  };
}

/** Checks operations as a whole and runs their root fields one by one. */
export function rootFieldService(
  current: () => Generation,
  options: ExecuteOptions,
  live: LiveQueries,
): RootFieldService {
  const fields = graphqlService(current, { ...options, arePartsOfChecked: true }, live);
  return {
    async check(request, { session }) {
      await options.continuity.settled();
      const generation = current();
      checkedOperation(generation, generation.schemaOf(session, options.api), request, session, options);
    },
    prepare: fields.prepare,
  };
}

/** Finds REST endpoints in the Generation that is current when a request arrives; runs them on that of the time then. */
export function restService(current: () => Generation, options: ExecuteOptions): RestService {
  const single = { ...options, subscriptions: false };
  return {
    openApi: (role) => current().openApi(role),
    openApiRoles: () => current().openApiRoles(),
    async find(method, segments) {
      await options.continuity.settled();
      const generation = current();
      const match = matchRoute(generation.restRoutes() ?? {}, method, segments);
      if (match.kind !== "found") return match;
      const run: RestTarget["run"] = (request, by, caller, headers) =>
        runOperation(current, request, by, single, caller, headers);
      const { endpoint, variables } = match;
      const path = pathSegments(endpoint.path).join("/");
      return { kind: "found", operation: endpoint.operation, path, variables, run };
    },
  };
}
