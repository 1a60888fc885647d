/** Services that return the values set by a test, and record their calls. */

import type { GraphqlRequest, GraphqlService } from "../../runtime/ports/graphql.ts";
import type { HealthService } from "../../runtime/ports/health.ts";
import type { PlainRequest } from "../../runtime/ports/request.ts";
import type { Services } from "../../runtime/ports/services.ts";
import { noTelemetry } from "../../runtime/ports/telemetry.ts";
import { AdmittedSession } from "../../runtime/values/admitted-session.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import { ResponseMemory } from "../../runtime/values/response-memory.ts";
import type { Session } from "../../runtime/values/session.ts";
import { noSpan } from "../../runtime/values/span.ts";
import { fakeTools } from "./agent-tools.ts";

export interface Stub {
  readonly services: Services;
  readonly executed: { readonly request: GraphqlRequest; readonly session: Session }[];
  readonly operations: unknown[];
  readonly bugs: unknown[];
}

const accessDenied = new EngineError("access-denied", "$", "who are you?", { status: 401 });

/** Returns a service that executes the calls of HTTP requests. */
export function executing(execute: GraphqlService["execute"]): GraphqlService {
  const prepare: GraphqlService["prepare"] = async (request, by) => ({
    kind: request.query.startsWith("mutation") ? "mutation" : "query",
    run: (caller, headers) => execute(request, by, caller, headers),
  });
  return { execute, prepare, subscriptions: () => null };
}

export const healthy: HealthService = {
  check: async () => "ok",
  readiness: async () => ({ isStopping: false, isShort: false, isEmpty: false, metadata: null, sources: new Map() }),
};

/** Creates services in which the header `x-engine-role` sets the role; `nobody` is refused. */
export function stubServices(overrides: Partial<Services> = {}): Stub {
  const stub: Omit<Stub, "services"> = { executed: [], operations: [], bugs: [] };
  const services: Services = {
    admission: { admit: (session) => new AdmittedSession(session) },
    graphql: executing(async (request, { session }) => {
      stub.executed.push({ request, session });
      return '{"a" : 1}';
    }),
    relay: executing(async () => '{"node" : null}'),
    metadata: {
      async handle(endpoint, body, session) {
        stub.operations.push({ endpoint, body, role: session.role });
        return { message: "success" };
      },
      notices: () => [],
    },
    savedText: () => undefined,
    rest: { find: async () => ({ kind: "not-found" }), openApi: () => "{}", openApiRoles: () => [] },
    agentTools: fakeTools([]),
    responses: { clear: async () => undefined },
    dump: { dump: async () => "" },
    explain: { explain: async () => [] },
    health: healthy,
    authenticator: {
      async authenticate(headers) {
        const role = headers["x-engine-role"] ?? "admin";
        if (role === "nobody") throw accessDenied;
        return { role, variables: new Map([["x-engine-role", role]]), backendOnly: false };
      },
    },
    telemetry: noTelemetry,
    responseMemory: new ResponseMemory(256 * 1024 * 1024),
    reportBug(error) {
      stub.bugs.push(error);
      return new EngineError("unexpected", "$", "Internal Server Error", { status: 500 });
    },
    ...overrides,
  };
  return { ...stub, services };
}

export function request(body: unknown, more: Partial<PlainRequest> = {}): PlainRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    method: "POST",
    path: "/",
    query: {},
    headers: {},
    readBody: () => text,
    readUpload: async () => ({ bytes: Buffer.from(text), textBytes: 1024 * 1024 }),
    ip: "",
    peer: "",
    caller: { aborted: false },
    requestId: "r",
    span: noSpan,
    ...more,
  };
}
