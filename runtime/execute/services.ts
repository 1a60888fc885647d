/** Services that run operations on the generation that is current when a request arrives. */
import { OperationTypeNode } from "graphql";
import { pathSegments } from "../model/definitions/rest/endpoint.ts";
import { matchRoute } from "../model/definitions/rest/routes.ts";
import type { AdmissionService } from "../ports/admission.ts";
import type { GraphqlService, PreparedOperation, ResponseBuilder } from "../ports/graphql.ts";
import type { RestService, RestTarget } from "../ports/rest.ts";
import type { RootFieldService } from "../ports/root-fields.ts";
import { noTelemetry } from "../ports/telemetry.ts";
import type { Caller } from "../values/caller.ts";
import type { Generation } from "./generation.ts";
import { type RateCounter, RateLimiter } from "./guard/rate-limiter.ts";
import { identityOf } from "./operation-identity.ts";
import { preparedWithMetrics, recordRefused } from "./operation-metrics.ts";
import type { ExecuteOptions } from "./options.ts";
import { checkedOperation, type PlannedOperation, planOperation } from "./plan-operation.ts";
import { admit, execute, executeWithoutMetrics, plan, prepare } from "./request.ts";
import type { LiveQueries } from "./subscribe/live-queries.ts";
import { prepareSubscription } from "./subscribe.ts";

/** Returns the service that applies rate limits and other limits of roles. */
export function admissionService(current: () => Generation, rates: RateCounter = new RateLimiter()): AdmissionService {
  return { admit: (session, operations, client) => admit(current(), rates, [session, operations, client]) };
}

/** Returns the service that runs queries, mutations and subscriptions. */
export function graphqlService(current: () => Generation, options: ExecuteOptions, live: LiveQueries): GraphqlService {
  const single = { ...options, subscriptions: false };
  const any = { ...options, subscriptions: true };
  const telemetry = options.telemetry ?? noTelemetry;
  const { meters } = telemetry;
  const identified = (planned: PlannedOperation, prepared: PreparedOperation): PreparedOperation => ({
    ...preparedWithMetrics(telemetry, prepared, planned),
    textHash: () => identityOf(planned.operation()).parameterized_query_hash,
  });
  const prepareAny: GraphqlService["prepare"] = async (request, by) => {
    await options.continuity.settled();
    const { pinned, planned, session, ...operation } = plan({ current, request, by, options: any });
    if (planned.kind !== OperationTypeNode.SUBSCRIPTION) {
      const retry = (caller?: Caller, response?: ResponseBuilder) =>
        executeWithoutMetrics({ current, request, by, options: single }, caller, response);
      return identified(planned, prepare({ pinned, planned, session, ...operation }, retry));
    }
    const { generation } = pinned;
    const replan = (on: Generation) => planOperation(on, request, session, any);
    const input = { generation, current, session, planned, plan: replan, live, meters, services: options };
    const prepared = prepareSubscription(input);
    options.queryLog?.begin({ request, session, planned });
    return identified(planned, prepared);
  };
  return {
    execute: (request, by, caller, response) => execute({ current, request, by, options: single }, caller, response),
    subscriptions: () => live.counters,
    async prepare(request, by) {
      try {
        return await prepareAny(request, by);
      } catch (error) {
        recordRefused(meters);
        throw error;
      }
    },
  };
}

/** Returns the service that checks an operation as a whole and runs its root fields one by one. */
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

/** Returns the service that matches and runs REST endpoints, each time on the current generation. */
export function restService(current: () => Generation, options: ExecuteOptions): RestService {
  const single = { ...options, subscriptions: false };
  return {
    openApi: (role, form) => current().openApi(role, form),
    openApiRoles: () => current().openApiRoles(),
    async find(method, segments) {
      await options.continuity.settled();
      const generation = current();
      const match = matchRoute(generation.restRoutes() ?? {}, method, segments);
      if (match.kind !== "found") return match;
      const run: RestTarget["run"] = (request, by, caller, response) =>
        execute({ current, request, by, options: single }, caller, response);
      const { endpoint, variables } = match;
      const path = pathSegments(endpoint.path).join("/");
      return { kind: "found", operation: endpoint.operation, path, variables, run };
    },
  };
}
