import { describe, expect, it } from "vitest";
import { adminHandler } from "../../../runtime/http/routes.ts";
import type { Services } from "../../../runtime/ports/services.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { JsonNumber } from "../../../runtime/values/json-number.ts";
import { request, stubServices } from "../../support/stub-services.ts";

const visibility = { devMode: false, adminInternalErrors: true };

function post(body: unknown, services: Services, headers: Record<string, string> = {}) {
  return adminHandler(services, visibility, "/v1/metadata")(request(body, { headers }));
}

const throwing = (error: unknown): Services["metadata"] => ({
  handle: () => Promise.reject(error),
  notices: () => [],
});

describe("The metadata endpoint handler", () => {
  it("The metadata endpoint passes the body on with all digits of its numbers and returns the result of the service", async () => {
    const stub = stubServices();
    const response = await post('{"type":"t","args":{"n":9223372036854775807}}', stub.services, {
      "x-engine-role": "user",
    });
    expect(response).toMatchObject({ status: 200, body: '{"message":"success"}' });
    expect(response.headers).toEqual({ "content-type": "application/json; charset=utf-8" });
    expect(stub.operations).toEqual([
      {
        endpoint: "/v1/metadata",
        body: { type: "t", args: { n: new JsonNumber("9223372036854775807") } },
        role: "user",
      },
    ]);
  });

  it("The metadata endpoint lists accepted but unsupported settings in a warning header", async () => {
    const lines = [
      '$.a: "X-App-Role" is \\ ü',
      `$.b: ${"x".repeat(400)}`,
      ...Array.from({ length: 30 }, (_, i) => `${i}`),
    ];
    const metadata = { handle: async () => ({ message: "success" }), notices: () => lines };
    const { services } = stubServices({ metadata });
    const { headers, body } = await post({ type: "t" }, services);
    expect(body).toBe('{"message":"success"}');
    const { warning = [] } = headers;
    expect(warning).toHaveLength(21);
    expect(warning[0]).toBe('299 engine "$.a: \\"X-App-Role\\" is \\\\ \\\\u00fc"');
    expect(warning[1]).toHaveLength('299 engine ""'.length + 300 + "\\\\u2026".length);
    expect(warning[20]).toBe('299 engine "and 12 more in the start-up log of the server"');
    const other = await adminHandler(services, visibility, "/v2/query")(request({ type: "t" }));
    expect(other.headers).not.toHaveProperty("warning");
  });

  it("The metadata endpoint writes numbers of its response with all digits", async () => {
    const metadata = { handle: async () => [{ n: new JsonNumber("9223372036854775807") }], notices: () => [] };
    const response = await post({ type: "t" }, stubServices({ metadata }).services);
    expect(response.body).toBe('[{"n":9223372036854775807}]');
  });

  it.each([
    ["5", "Number"],
    ["[]", "Array"],
    ["null", "Null"],
    ['"x"', "String"],
    ["true", "Boolean"],
  ])("The metadata endpoint refuses the body %s", async (body, kind) => {
    const stub = stubServices();
    expect(await post(body, stub.services)).toMatchObject({
      status: 400,
      body: `{"error":"parsing Object failed, expected Object, but encountered ${kind}","path":"$","code":"parse-failed"}`,
    });
    expect(stub.operations).toEqual([]);
  });

  it("The metadata endpoint refuses a body that is not JSON", async () => {
    const response = await post("{", stubServices().services);
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ path: "$", code: "invalid-json" });
  });

  it("The metadata endpoint authenticates a request before it parses the body", async () => {
    expect(await post("{", stubServices().services, { "x-engine-role": "nobody" })).toMatchObject({
      status: 401,
      body: '{"error":"who are you?","path":"$","code":"access-denied"}',
    });
  });

  it("The metadata endpoint returns errors of the service with their status, and internal details only to admins", async () => {
    const error = new EngineError("conflict", "$", "version", { status: 409, internal: [1] });
    const { services } = stubServices({ metadata: throwing(error) });
    expect(await post({ type: "t" }, services)).toMatchObject({
      status: 409,
      body: '{"error":"version","path":"$","code":"conflict","internal":[1]}',
      record: { operationType: "t", error },
    });
    expect((await post({ type: "t" }, services, { "x-engine-role": "user" })).body).not.toContain("internal");
  });

  it("The metadata endpoint reports unexpected errors and returns a generic message", async () => {
    const bug = new TypeError("secret detail");
    const stub = stubServices({ metadata: throwing(bug) });
    expect(await post({ type: "t" }, stub.services)).toMatchObject({
      status: 500,
      body: '{"error":"Internal Server Error","path":"$","code":"unexpected"}',
    });
    expect(stub.bugs).toEqual([bug]);
  });
});
