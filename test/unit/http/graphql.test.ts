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

describe("a single request", () => {
  it("answers with the text that the service made", async () => {
    expect(await post({ query })).toEqual({
      status: 200,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: '{"data":{"a" : 1}}',
    });
  });

  it("hands the members on, absent ones as null and digits complete", async () => {
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

describe("a body of wrong shape", () => {
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
  ])("%j", async (body, path, message) => {
    const stub = stubServices();
    expect(await post(body, stub.services)).toMatchObject({
      status: 200,
      body: graphqlErrors(message, path, "parse-failed"),
    });
    expect(stub.executed).toEqual([]);
  });

  it("is told apart from one that is not JSON", async () => {
    const answer = await post("{");
    expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ extensions: { path: "$", code: "invalid-json" } }] });
    expect(answer.status).toBe(200);
  });
});

describe("persisted queries", () => {
  const refused = graphqlErrors("PersistedQueryNotSupported", "$", "not-supported");

  it.each([
    { query, extensions: { persistedQuery: { version: 1, sha256Hash: "x" } } },
    { extensions: { persistedQuery: {} } },
  ])("are refused: %j", async (body) => {
    expect(await post(body)).toMatchObject({ status: 200, body: refused });
  });

  it("are refused by GET too, after authentication", async () => {
    const handler = graphqlUrlHandler(stubServices().services, settings);
    const url = { extensions: '{"persistedQuery": {"version": 1}}' };
    expect(await handler(request("", { method: "GET", query: url }))).toMatchObject({ status: 200, body: refused });
    expect((await handler(request("", { headers: { "x-engine-role": "nobody" } }))).body).toContain("access-denied");
  });

  it("are refused alone in a batch", async () => {
    const answer = await post([{ query }, { extensions: { persistedQuery: {} } }]);
    expect(answer.body).toBe(`[{"data":{"a" : 1}},${refused}]`);
  });
});

describe("a batch", () => {
  it("answers each request by itself and in order, one after the other", async () => {
    const order: string[] = [];
    const graphql = executing(async ({ operationName }) => {
      order.push(`begin ${operationName}`);
      await new Promise(setImmediate);
      order.push(`end ${operationName}`);
      if (operationName === "B") throw new EngineError("validation-failed", "$.selectionSet.b", "no such field");
      return `{"name":"${operationName}"}`;
    });
    const body = ["A", "B", "C"].map((operationName) => ({ query, operationName }));
    const answer = await post(body, stubServices({ graphql }).services);
    const failed = graphqlErrors("no such field", "$.selectionSet.b", "validation-failed");
    expect(answer).toMatchObject({
      status: 200,
      body: `[{"data":{"name":"A"}},${failed},{"data":{"name":"C"}}]`,
    });
    expect(order).toEqual(["begin A", "end A", "begin B", "end B", "begin C", "end C"]);
  });

  it("of nothing is answered by nothing", async () => {
    expect(await post([])).toMatchObject({ status: 200, body: "[]" });
  });
});

describe("errors", () => {
  const error = new EngineError("unexpected", "$", "database query error", {
    status: 500,
    internal: { statement: "s" },
  });

  it("of the service have status 200, on the older endpoint their own", async () => {
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
  ])("show internal details to %s (%j): %s", async (role, visibility, shown) => {
    const { services } = stubServices({ graphql: failing(error) });
    const answer = await graphqlHandler(
      services,
      visibility,
    )(request({ query }, { headers: { "x-engine-role": role } }));
    expect(answer.body.includes('"internal":{"statement":"s"}')).toBe(shown);
  });

  it("that nobody foresaw are reported, and say nothing to the client", async () => {
    const bug = new TypeError("secret detail");
    const stub = stubServices({ graphql: failing(bug) });
    const answer = await post({ query }, stub.services);
    expect(answer).toMatchObject({ status: 200, body: graphqlErrors("Internal Server Error", "$", "unexpected") });
    expect(stub.bugs).toEqual([bug]);
    const batch = await post([{ query }, { query, operationName: "Good" }], stub.services);
    expect(batch.body).toBe(`[${graphqlErrors("Internal Server Error", "$", "unexpected")},{"data":{}}]`);
  });
});

describe("failed authentication", () => {
  const headers = { "x-engine-role": "nobody" };
  const body = graphqlErrors("who are you?", "$", "access-denied");

  it.each([
    ["/v1/graphql", graphqlHandler, settings, 200],
    ["/v1/graphql, preserving", graphqlHandler, { ...settings, preserve401Errors: true }, 401],
    ["/v1alpha1/graphql", graphqlAlphaHandler, settings, 401],
  ])("on %s", async (_, handler, given, status) => {
    const stub = stubServices();
    expect(await handler(stub.services, given)(request({ query }, { headers }))).toMatchObject({ status, body });
    expect(stub.executed).toEqual([]);
  });

  it("comes before what is wrong with the body", async () => {
    const answer = await graphqlHandler(stubServices().services, settings)(request("{", { headers }));
    expect(answer.body).toBe(body);
  });

  it("is the only error whose status is preserved", async () => {
    const preserving = { ...settings, preserve401Errors: true };
    const { services } = stubServices({ graphql: failing(new EngineError("unexpected", "$", "x", { status: 500 })) });
    expect((await graphqlHandler(services, preserving)(request({ query }))).status).toBe(200);
  });
});

describe("the record for the log", () => {
  it.each<[string, unknown, object]>([
    ["of a single request", { query }, { mode: "single", error: null, graphql: { query } }],
    ["of a batch", [{ query }], { mode: "batched", error: null, parts: [{ size: 18, error: null }] }],
    [
      "of a body that cannot be read",
      "{",
      { mode: "error", session: { role: "admin" }, error: { code: "invalid-json" } },
    ],
  ])("%s", async (_, body, record) => {
    const answer = await graphqlHandler(stubServices().services, settings)(request(body));
    expect(answer.record).toMatchObject(record);
  });
});
