import { describe, expect, it } from "vitest";
import { graphqlAlphaHandler, graphqlHandler, graphqlUrlHandler } from "../../../runtime/http/graphql.ts";
import type { GraphqlService } from "../../../runtime/ports/graphql.ts";
import type { Services } from "../../../runtime/ports/services.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { JsonNumber } from "../../../runtime/values/json-number.ts";
import { executing, request, stubServices } from "../../support/stub-services.ts";

const settings = {
  devMode: false,
  adminInternalErrors: true,
  preserve401Errors: false,
  maxUploadFiles: 10,
  maxUploadFileBytes: 1024,
};
const query = "query Q { a }";

async function post(body: unknown, services: Services = stubServices().services) {
  const { status, headers, body: text } = await graphqlHandler(services, settings)(request(body));
  return { status, headers, body: text };
}

const failing = (error: unknown): GraphqlService =>
  executing(async ({ operationName }) => {
    if (operationName === "Good") return "{}";
    throw error;
  });

const graphqlErrors = (message: string, path: string, code: string) =>
  `{"errors":[{"message":${JSON.stringify(message)},"extensions":{"path":${JSON.stringify(path)},"code":"${code}"}}]}`;

describe("Single GraphQL requests", () => {
  it("The GraphQL endpoint returns the text of the service unchanged", async () => {
    expect(await post({ query })).toEqual({
      status: 200,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: '{"data":{"a" : 1}}',
    });
  });

  it("The GraphQL endpoint passes members on with all digits and absent members as null", async () => {
    const stub = stubServices();
    const handler = graphqlHandler(stub.services, settings);
    await handler(request({ query, unknown: 1, extensions: { tracing: true } }));
    await handler(request(`{"query":"{a}","operationName":"Q","variables":{"id":9223372036854775807}}`));
    await handler(request({ query, operationName: null, variables: null, extensions: null }));
    expect(stub.executed.map(({ request: executed }) => executed)).toEqual([
      { query, operationName: null, variables: null },
      { query: "{a}", operationName: "Q", variables: { id: new JsonNumber("9223372036854775807") } },
      { query, operationName: null, variables: null, sentNulls: ["operationName", "variables"] },
    ]);
  });
});

describe("Malformed GraphQL bodies", () => {
  it.each<[unknown, string, string]>([
    ["5", "$", "parsing Object failed, expected Object, but encountered Number"],
    ["12345678901234567890", "$", "parsing Object failed, expected Object, but encountered Number"],
    ["null", "$", "parsing Object failed, expected Object, but encountered Null"],
    ['"x"', "$", "parsing Object failed, expected Object, but encountered String"],
    [{}, "$", 'key "query" not found'],
    [{ query: 1 }, "$.query", "parsing Text failed, expected String, but encountered Number"],
    [{ query: null }, "$.query", "parsing Text failed, expected String, but encountered Null"],
    [{ query, operationName: [] }, "$.operationName", "parsing Text failed, expected String, but encountered Array"],
    [{ query, variables: [] }, "$.variables", "parsing Object failed, expected Object, but encountered Array"],
    [{ query, variables: "{}" }, "$.variables", "parsing Object failed, expected Object, but encountered String"],
    [[{ query }, 1], "$[1]", "parsing Object failed, expected Object, but encountered Number"],
    [[{ query }, { query: true }], "$[1].query", "parsing Text failed, expected String, but encountered Boolean"],
  ])("The GraphQL endpoint refuses the body %j", async (body, path, message) => {
    const stub = stubServices();
    expect(await post(body, stub.services)).toMatchObject({
      status: 200,
      body: graphqlErrors(message, path, "parse-failed"),
    });
    expect(stub.executed).toEqual([]);
  });

  it("A body that is not JSON has its own error code", async () => {
    const response = await post("{");
    expect(JSON.parse(response.body)).toMatchObject({ errors: [{ extensions: { path: "$", code: "invalid-json" } }] });
    expect(response.status).toBe(200);
  });
});

describe("Persisted queries", () => {
  const savedHash = "5".repeat(64);
  const savedText = (hash: string) => (hash === savedHash ? "{ saved }" : undefined);
  const refused = graphqlErrors("PersistedQueryNotSupported", "$", "not-supported");

  it.each([
    { query, extensions: { persistedQuery: { version: 1, sha256Hash: "x" } } },
    { extensions: { persistedQuery: {} } },
  ])("A persisted query is refused: %j", async (body) => {
    expect(await post(body)).toMatchObject({ status: 200, body: refused });
  });

  it.each([
    { documentId: `sha256:${savedHash}` },
    { documentId: savedHash, variables: { id: 1 } },
    { extensions: { persistedQuery: { version: 1, sha256Hash: savedHash } } },
  ])("The hash of a saved operation takes the place of its text: %j", async (body) => {
    const stub = stubServices({ savedText });
    expect(await post(body, stub.services)).toMatchObject({ status: 200, body: '{"data":{"a" : 1}}' });
    expect(stub.executed).toMatchObject([{ request: { query: "{ saved }", variables: body.variables ?? null } }]);
  });

  it("The hash of a saved operation takes the place of its text in the URL", async () => {
    const stub = stubServices({ savedText });
    const handler = graphqlUrlHandler(stub.services, settings);
    const extensions = JSON.stringify({ persistedQuery: { sha256Hash: savedHash } });
    for (const url of [{ documentId: savedHash }, { extensions }]) {
      expect(await handler(request("", { method: "GET", query: url }))).toMatchObject({ body: '{"data":{"a" : 1}}' });
    }
    expect(stub.executed.map(({ request: { query } }) => query)).toEqual(["{ saved }", "{ saved }"]);
  });

  it("A text takes precedence over a document id", async () => {
    const stub = stubServices({ savedText });
    await post({ query, documentId: savedHash }, stub.services);
    expect(stub.executed).toMatchObject([{ request: { query } }]);
  });

  it.each([
    ["sha256:00", "$.documentId", 'no saved operation has the id "sha256:00": send its text as', "not-found"],
    ["__proto__", "$.documentId", 'no saved operation has the id "__proto__": send its text as', "not-found"],
    [1, "$.documentId", "parsing Text failed, expected String, but encountered Number", "parse-failed"],
  ])("The unknown document id %j is refused", async (documentId, path, message, code) => {
    const { body } = await post({ documentId }, stubServices({ savedText }).services);
    const [error] = JSON.parse(body).errors;
    expect(error).toMatchObject({ message: expect.stringContaining(message), extensions: { path, code } });
  });

  it("A persisted query by GET is refused after authentication", async () => {
    const handler = graphqlUrlHandler(stubServices().services, settings);
    const url = { extensions: '{"persistedQuery": {"version": 1}}' };
    expect(await handler(request("", { method: "GET", query: url }))).toMatchObject({ status: 200, body: refused });
    expect((await handler(request("", { headers: { "x-engine-role": "nobody" } }))).body).toContain("access-denied");
  });

  it("A persisted query in a batch is refused without refusing the other requests", async () => {
    const response = await post([{ query }, { extensions: { persistedQuery: {} } }]);
    expect(response.body).toBe(`[{"data":{"a" : 1}},${refused}]`);
  });
});

describe("GraphQL batches", () => {
  it("A batch runs its requests one after the other and returns their results in order", async () => {
    const order: string[] = [];
    const graphql = executing(async ({ operationName }) => {
      order.push(`begin ${operationName}`);
      await new Promise(setImmediate);
      order.push(`end ${operationName}`);
      if (operationName === "B") throw new EngineError("validation-failed", "$.selectionSet.b", "no such field");
      return `{"name":"${operationName}"}`;
    });
    const body = ["A", "B", "C"].map((operationName) => ({ query, operationName }));
    const response = await post(body, stubServices({ graphql }).services);
    const failed = graphqlErrors("no such field", "$.selectionSet.b", "validation-failed");
    expect(response).toMatchObject({
      status: 200,
      body: `[{"data":{"name":"A"}},${failed},{"data":{"name":"C"}}]`,
    });
    expect(order).toEqual(["begin A", "end A", "begin B", "end B", "begin C", "end C"]);
  });

  it("An empty batch returns an empty list", async () => {
    expect(await post([])).toMatchObject({ status: 200, body: "[]" });
  });
});

describe("Errors of GraphQL requests", () => {
  const error = new EngineError("unexpected", "$", "database query error", {
    status: 500,
    internal: { statement: "s" },
  });

  it("Errors of the service have status 200 on the current endpoint and their own status on the older one", async () => {
    const { services } = stubServices({ graphql: failing(error) });
    expect((await graphqlHandler(services, settings)(request({ query }))).status).toBe(200);
    expect((await graphqlAlphaHandler(services, settings)(request({ query }))).status).toBe(500);
    expect((await graphqlAlphaHandler(services, settings)(request("{"))).status).toBe(400);
    expect((await graphqlAlphaHandler(services, settings)(request([{ query }]))).status).toBe(200);
  });

  it.each([
    ["admin", settings, true],
    ["user", settings, false],
    ["user", { ...settings, devMode: true }, true],
    ["admin", { ...settings, adminInternalErrors: false }, false],
  ])("Internal details of GraphQL errors for %s (%j) are shown: %s", async (role, visibility, shown) => {
    const { services } = stubServices({ graphql: failing(error) });
    const response = await graphqlHandler(
      services,
      visibility,
    )(request({ query }, { headers: { "x-engine-role": role } }));
    expect(response.body.includes('"internal":{"statement":"s"}')).toBe(shown);
  });

  it("Unexpected errors are reported and return a generic message to the client", async () => {
    const bug = new TypeError("secret detail");
    const stub = stubServices({ graphql: failing(bug) });
    const response = await post({ query }, stub.services);
    expect(response).toMatchObject({ status: 200, body: graphqlErrors("Internal Server Error", "$", "unexpected") });
    expect(stub.bugs).toEqual([bug]);
    const batch = await post([{ query }, { query, operationName: "Good" }], stub.services);
    expect(batch.body).toBe(`[${graphqlErrors("Internal Server Error", "$", "unexpected")},{"data":{}}]`);
  });
});

describe("Failed authentication of GraphQL requests", () => {
  const headers = { "x-engine-role": "nobody" };
  const body = graphqlErrors("who are you?", "$", "access-denied");

  it.each([
    ["/v1/graphql", graphqlHandler, settings, 200],
    ["/v1/graphql, preserving", graphqlHandler, { ...settings, preserve401Errors: true }, 401],
    ["/v1alpha1/graphql", graphqlAlphaHandler, settings, 401],
  ])(
    "A request that fails authentication returns the documented status on %s",
    async (_, handler, handlerSettings, status) => {
      const stub = stubServices();
      expect(await handler(stub.services, handlerSettings)(request({ query }, { headers }))).toMatchObject({
        status,
        body,
      });
      expect(stub.executed).toEqual([]);
    },
  );

  it("Failed authentication is reported before errors in the body", async () => {
    const response = await graphqlHandler(stubServices().services, settings)(request("{", { headers }));
    expect(response.body).toBe(body);
  });

  it("The preserved status applies only to failed authentication", async () => {
    const preserving = { ...settings, preserve401Errors: true };
    const { services } = stubServices({ graphql: failing(new EngineError("unexpected", "$", "x", { status: 500 })) });
    expect((await graphqlHandler(services, preserving)(request({ query }))).status).toBe(200);
  });
});

describe("Log records of GraphQL requests", () => {
  it.each<[string, unknown, object]>([
    ["of a single request", { query }, { mode: "single", error: null, graphql: { query } }],
    ["of a batch", [{ query }], { mode: "batched", error: null, parts: [{ size: 18, error: null }] }],
    ["of an unreadable body", "{", { mode: "error", session: { role: "admin" }, error: { code: "invalid-json" } }],
  ])("The log record contains the mode, error and operation %s", async (_, body, record) => {
    const response = await graphqlHandler(stubServices().services, settings)(request(body));
    expect(response.record).toMatchObject(record);
  });
});
