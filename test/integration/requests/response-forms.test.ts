/**
 * The law of response forms: each transport sends the same bytes for a result as text, as pieces of bytes, and as a long
 * text, so that no client can tell how the server has read a row.
 */
import http from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { GraphqlService, PreparedOperation } from "../../../runtime/ports/graphql.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { JoinedBytes } from "../../../runtime/values/joined-bytes.ts";
import type { ResponseText } from "../../../runtime/values/response-text.ts";
import { longTextOf } from "../../support/long-text.ts";
import { type StubApp, startStubApp } from "../../support/stub-app.ts";
import { WebsocketClient } from "../../support/websocket.ts";

/** The parts of the result, which a test replaces, and the form in which the services return it. */
let parts: readonly string[];
let form: (parts: readonly string[]) => Promise<ResponseText>;
let hasErrors: boolean;
const apps: StubApp[] = [];
let urls: readonly string[];

const fieldError = new EngineError("unexpected", "$", "the field failed");

const execute: GraphqlService["execute"] = async (_request, _by, _caller, response) => {
  if (hasErrors) response?.addError?.(fieldError);
  return form(parts);
};

const prepare: GraphqlService["prepare"] = async (request, by): Promise<PreparedOperation> => {
  if (!request.query.startsWith("subscription")) {
    return { kind: "query", run: (caller, response) => execute(request, by, caller, response) };
  }
  return {
    kind: "subscription",
    async subscribe(sink) {
      const data = await form(parts);
      if (typeof data !== "string" && !(data instanceof JoinedBytes))
        throw new Error("a subscription has no long text");
      // The second result has the same object, as for another subscriber of the cohort.
      for (let sent = 0; sent < 2; sent++) {
        if (hasErrors) sink.next(data, [fieldError]);
        else sink.next(data);
      }
      sink.complete();
      return { stop() {} };
    },
  };
};

const rest = {
  find: async () => ({
    kind: "found" as const,
    operation: { kind: "query" as const, collection: "a", name: "a", text: "{ a }", variables: {} },
    path: "a",
    variables: new Map<string, string>(),
    run: execute,
  }),
  openApi: () => "{}",
  openApiRoles: () => [],
};

beforeAll(async () => {
  for (const restResponse of ["graphql", "data"]) {
    const graphql = { execute, prepare, subscriptions: () => null };
    apps.push(await startStubApp({ ENGINE_GRAPHQL_REST_RESPONSE: restResponse }, { graphql, rest }));
  }
  urls = apps.map(({ url }) => url);
});

afterAll(async () => {
  for (const { app } of apps) {
    app.terminate();
    await app.close();
  }
});

/** Returns the status and the body of a response in hexadecimal. */
function sent(url: string, headers: http.OutgoingHttpHeaders, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const request = http.request(url, { method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { "content-length": length, "content-encoding": encoding } = response.headers;
      resolve([response.statusCode, length, encoding, Buffer.concat(chunks).toString("hex")].join(" "));
    });
    request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const json = { "content-type": "application/json" };
const events = { ...json, accept: "text/event-stream" };
const endpoint = (n = 0): string => `${urls[n]}/v1/graphql`;
const query = { query: "{ a }" };

/** Returns the messages of an operation until `complete`. */
async function messages(protocol: string, text: string, compression = false): Promise<string> {
  const client = await WebsocketClient.open(urls[0] ?? "", { protocol, compression });
  client.send({ type: "connection_init" });
  client.send({ type: protocol === "graphql-ws" ? "start" : "subscribe", id: "1", payload: { query: text } });
  const all: string[] = [];
  while (!all.at(-1)?.includes('"complete"')) {
    const message = await client.text();
    if (message.includes('"id"')) all.push(message);
  }
  client.close();
  return Buffer.from(all.join("\n")).toString("hex");
}

const subscription = "subscription { a }";
const transports: Readonly<Record<string, () => Promise<string>>> = {
  "a single query": () => sent(endpoint(), json, query),
  "a compressed query": () => sent(endpoint(), { ...json, "accept-encoding": "gzip;q=1, identity;q=0" }, query),
  "GraphQL over HTTP": () => sent(endpoint(), { ...json, accept: "application/graphql-response+json" }, query),
  "a query in the URL": () => sent(`${endpoint()}?query=%7Ba%7D`, {}),
  "a batch": () => sent(endpoint(), json, [query, query]),
  "a REST endpoint": () => sent(`${urls[0]}/api/rest/a`, {}),
  "a REST endpoint with data alone": () => sent(`${urls[1]}/api/rest/a`, {}),
  "a query as events": () => sent(endpoint(), events, query),
  "a subscription as events": () => sent(endpoint(), events, { query: subscription }),
  "a query over graphql-ws": () => messages("graphql-ws", "{ a }"),
  "a query over graphql-transport-ws": () => messages("graphql-transport-ws", "{ a }"),
  "a subscription over graphql-ws": () => messages("graphql-ws", subscription),
  "a subscription over graphql-transport-ws": () => messages("graphql-transport-ws", subscription),
  "a subscription over a compressed WebSocket": () => messages("graphql-transport-ws", subscription, true),
};

const asText = async (texts: readonly string[]): Promise<string> => texts.join("");
const asBytes = async (texts: readonly string[]) =>
  new JoinedBytes(texts.map((text, i) => (i % 2 === 1 ? Buffer.from(text) : text)));

const char = fc.constantFrom("a", "é", "😀", " ", "\\n");
const value = fc
  .tuple(fc.string({ unit: char, maxLength: 3 }), fc.constantFrom(1, 900, 70_000), fc.constantFrom("", "\n", " \r\n "))
  .map(([text, count, space]) => `[${space}"${text.repeat(Math.ceil(count / Math.max(1, text.length)))}"${space}]`);
const result = fc
  .array(value, { minLength: 1, maxLength: 3 })
  .map((values) => ["{", ...values.flatMap((each, i) => [`${i === 0 ? "" : ","}"v${i}":`, each]), "}"])
  // Bytes have odd places.
  .map(([brace = "", first = "", ...others]) => [brace + first, ...others]);

it.each(Object.keys(transports))("The bytes sent for %s do not depend on the form of the result", async (name) => {
  await fc.assert(
    fc.asyncProperty(result, fc.boolean(), async (texts, fails) => {
      parts = texts;
      hasErrors = fails && name !== "a REST endpoint with data alone";
      form = asText;
      const expected = await transports[name]?.();
      const forms = name.includes("subscription")
        ? [asBytes]
        : [asBytes, (all: readonly string[]) => longTextOf(...all)];
      for (const other of forms) {
        form = other;
        // A long text is compressed once, with another level.
        if (other === asBytes || name !== "a compressed query") expect(await transports[name]?.()).toBe(expected);
      }
    }),
    { numRuns: 6 },
  );
});
