import { describe, expect, it } from "vitest";
import { healthHandler } from "../../../runtime/http/health.ts";
import { request, stubServices } from "../../support/stub-services.ts";

describe("healthHandler", () => {
  it.each([
    ["ok", {}, 200, "OK"],
    ["ok", { strict: "true" }, 200, "OK"],
    ["unreachable", {}, 500, "ERROR"],
    ["inconsistent", {}, 200, "WARN: inconsistent objects in schema"],
    ["inconsistent", { strict: "false" }, 200, "WARN: inconsistent objects in schema"],
    ["inconsistent", { strict: "true" }, 500, "ERROR: inconsistent objects in schema"],
  ] as const)("%s, asked with %j", async (state, query, status, body) => {
    const { services } = stubServices({ health: { check: async () => state } });
    const answer = await healthHandler(services)(request("", { method: "GET", query }));
    expect(answer).toMatchObject({ status, body, headers: { "content-type": "text/plain; charset=utf-8" } });
  });

  it("is an error when it cannot be found out", async () => {
    const bug = new Error("x");
    const stub = stubServices({ health: { check: () => Promise.reject(bug) } });
    expect(await healthHandler(stub.services)(request(""))).toMatchObject({ status: 500, body: "ERROR" });
    expect(stub.bugs).toEqual([bug]);
  });
});
