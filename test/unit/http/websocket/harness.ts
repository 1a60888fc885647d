/** Real sockets with stub services, for tests without a database. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { Secret } from "../../../../runtime/config/secret.ts";
import { createAuthenticator } from "../../../../runtime/http/auth/authenticate.ts";
import { BufferedBodies } from "../../../../runtime/http/buffered-bodies.ts";
import { UpgradableRequest } from "../../../../runtime/http/connections.ts";
import { WebsocketServer } from "../../../../runtime/http/websocket/websocket-server.ts";
import { bugReporter, createLog } from "../../../../runtime/observe/logs/log.ts";
import type { PreparedOperation, SubscriptionSink } from "../../../../runtime/ports/graphql.ts";
import type { Services } from "../../../../runtime/ports/services.ts";
import { noTelemetry } from "../../../../runtime/ports/telemetry.ts";
import { AdmittedSession } from "../../../../runtime/values/admitted-session.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { ResponseMemory } from "../../../../runtime/values/response-memory.ts";
import { fakeTools } from "../../../support/agent-tools.ts";
import { type ClientSettings, WebsocketClient } from "../../../support/websocket.ts";

export const older = { protocol: "graphql-ws" };
export const newer = { protocol: "graphql-transport-ws" };
export const both = [older, newer];

/** The operations of each subscription, newest last. */
export interface Running {
  readonly sink: SubscriptionSink;
  isStopped: boolean;
}

export class Harness {
  readonly url: string;
  readonly websockets: WebsocketServer;
  readonly running: Running[];
  readonly log: string[];
  readonly close: () => Promise<void>;
  readonly #clients: WebsocketClient[] = [];

  constructor(parts: Pick<Harness, "url" | "websockets" | "running" | "log" | "close">) {
    this.url = parts.url;
    this.websockets = parts.websockets;
    this.running = parts.running;
    this.log = parts.log;
    this.close = async () => {
      for (const client of this.#clients) client.ws.terminate();
      await parts.close();
    };
  }

  readonly open = async (settings: ClientSettings = older): Promise<WebsocketClient> => {
    const client = await WebsocketClient.open(this.url, settings);
    this.#clients.push(client);
    return client;
  };

  /** Opens and initialises a connection, and reads its first messages. */
  readonly ready = async (settings: ClientSettings = older): Promise<WebsocketClient> => {
    const client = await this.open(settings);
    client.send({ type: "connection_init" });
    await client.take(3);
    return client;
  };

  /** Returns the `detail` of each log line, as [id, event] for operations. */
  readonly events = (): unknown[] =>
    this.log.map((line) => {
      const { event } = (JSON.parse(line) as { detail: { event: { type: string; detail: unknown } } }).detail;
      if (event.type !== "operation") return event.type;
      const { operation_id, operation_type } = event.detail as { operation_id: string; operation_type: unknown };
      return [operation_id, operation_type];
    });
}

let harness: Harness | undefined;

/** Stops all servers and clients of the test. */
export async function closeHarness(): Promise<void> {
  await harness?.close();
  harness = undefined;
}

/**
 * Starts a server that returns the text of each query as its result. The queries `refuse`, `fail`, `bug`, `slow`,
 * `live` and `late` have other outcomes.
 */
export async function start(variables: Record<string, string> = {}): Promise<Harness> {
  const log: string[] = [];
  const running: Running[] = [];
  const options = parseOptions({}, { ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60", ...variables });
  const output = createLog(options, { write: (line) => void log.push(line) });
  const fail = async (): Promise<never> => {
    throw new EngineError("unexpected", "$", "database query error", { status: 500, internal: "secret" });
  };
  const prepare = async (query: string): Promise<PreparedOperation> => {
    if (query === "refuse") throw new EngineError("validation-failed", "$.x", "no such field", { internal: "secret" });
    if (query === "bug") throw new Error("a mistake");
    if (query === "fail") return { kind: "query", run: fail };
    if (query === "slow")
      return { kind: "query", run: () => new Promise((resolve) => setTimeout(resolve, 150, '"slow"')) };
    if (query !== "live" && query !== "late") return { kind: "query", run: async () => JSON.stringify(query) };
    const subscribe = async (sink: SubscriptionSink) => {
      if (query === "late") await new Promise((resolve) => setTimeout(resolve, 150));
      const entry: Running = { sink, isStopped: false };
      running.push(entry);
      sink.next('"first"');
      const stop = (): void => {
        entry.isStopped = true;
      };
      return { stop };
    };
    return { kind: "subscription", subscribe };
  };
  const unused = async (): Promise<never> => {
    throw new Error("not called in these tests");
  };
  const secrets = variables.SECRET === undefined ? [] : [new Secret(variables.SECRET)];
  const services: Services = {
    admission: { admit: (session) => new AdmittedSession(session) },
    graphql: { execute: unused, prepare: ({ query }) => prepare(query), subscriptions: () => null },
    relay: { execute: unused, prepare: unused, subscriptions: () => null },
    savedText: () => undefined,
    rest: { find: async () => ({ kind: "not-found" }), openApi: () => "{}", openApiRoles: () => [] },
    agentTools: fakeTools([]),
    responses: { clear: unused },
    dump: { dump: unused },
    explain: { explain: unused },
    telemetry: noTelemetry,
    metadata: { handle: unused, notices: () => [] },
    health: { check: unused, readiness: unused },
    authenticator: createAuthenticator(
      secrets.length === 0 ? { kind: "no-auth" } : { kind: "admin-secret", secrets, unauthorizedRole: null },
      options.corsDomains,
    ),
    responseMemory: new ResponseMemory(options.maxBufferedResponseBytes),
    reportBug: bugReporter(output),
  };
  const websockets = new WebsocketServer(services, options, output, new BufferedBodies(options.maxBufferedBodyBytes));
  const server = createServer({ IncomingMessage: UpgradableRequest }, (_request, response) => response.end("HTTP"));
  server.on("upgrade", (request, socket, head) => websockets.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    websockets.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  harness = new Harness({ url: `http://127.0.0.1:${port}`, websockets, running, log, close });
  return harness;
}

export const begin = (query: string, id = "1") => ({ type: "start", id, payload: { query } });
