import { describe, expect, it } from "vitest";
import { healthHandler, livenessHandler, readinessHandler, sourceHealthHandler } from "../../../runtime/http/health.ts";
import type { DatabaseState, Readiness } from "../../../runtime/ports/health.ts";
import { healthy, request, stubServices } from "../../support/stub-services.ts";

const ready: DatabaseState = { error: null };
const silent: DatabaseState = { error: { code: "timeout", message: "no answer" } };

function services(readiness: Partial<Readiness>) {
  const all: Readiness = {
    isStopping: false,
    isShort: false,
    isEmpty: false,
    metadata: null,
    sources: new Map(),
    ...readiness,
  };
  return stubServices({ health: { ...healthy, readiness: async () => all } }).services;
}

describe("healthHandler", () => {
  it.each([
    ["ok", {}, 200, "OK"],
    ["ok", { strict: "true" }, 200, "OK"],
    ["unreachable", {}, 500, "ERROR"],
    ["stopping", {}, 500, "ERROR: the server is shutting down"],
    ["inconsistent", {}, 200, "WARN: inconsistent objects in schema"],
    ["inconsistent", { strict: "false" }, 200, "WARN: inconsistent objects in schema"],
    ["inconsistent", { strict: "true" }, 500, "ERROR: inconsistent objects in schema"],
  ] as const)("%s, asked with %j", async (state, query, status, body) => {
    const { services } = stubServices({ health: { ...healthy, check: async () => state } });
    const answer = await healthHandler(services)(request("", { method: "GET", query }));
    expect(answer).toMatchObject({ status, body, headers: { "content-type": "text/plain; charset=utf-8" } });
  });

  it("is an error when it cannot be found out", async () => {
    const bug = new Error("x");
    const stub = stubServices({ health: { ...healthy, check: () => Promise.reject(bug) } });
    expect(await healthHandler(stub.services)(request(""))).toMatchObject({ status: 500, body: "ERROR" });
    expect(stub.bugs).toEqual([bug]);
  });
});

describe("livenessHandler", () => {
  it("asks nobody", async () => {
    expect(await livenessHandler(request(""))).toMatchObject({ status: 200, body: "OK" });
  });
});

describe("readinessHandler", () => {
  const both = new Map([
    ["main", ready],
    ["reports", silent],
  ]);

  it.each([
    ["every source answers", { sources: new Map([["main", ready]]) }, {}, 200, "ready", [1, 0]],
    ["one does not", { sources: both }, {}, 503, "not ready", [1, 1]],
    ["one that was not asked for does not", { sources: both }, { source: "main" }, 200, "ready", [1, 0]],
    [
      "one of several that were asked for",
      { sources: both },
      { source: ["main", "reports"] },
      503,
      "not ready",
      [1, 1],
    ],
    ["there is no such source", { sources: both }, { source: "mian" }, 503, "not ready", [0, 1]],
    ["nothing is left to the process", { isShort: true, sources: new Map() }, {}, 503, "out of resources", [0, 0]],
    ["the server stops", { isStopping: true, sources: new Map() }, {}, 503, "shutting down", [0, 0]],
  ] as const)("%s", async (_title, readiness, query, status, word, [yes, no]) => {
    const answer = await readinessHandler(services(readiness))(request("", { query }));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ status: word, sources: { ready: yes, not_ready: no } });
  });

  it("does not depend on the metadata database, and names no source", async () => {
    const answer = await readinessHandler(services({ metadata: silent, sources: new Map([["main", ready]]) }))(
      request(""),
    );
    expect(answer).toMatchObject({ status: 200 });
    expect(JSON.parse(answer.body)).toEqual({
      status: "ready",
      sources: { ready: 1, not_ready: 0 },
      metadata: "not ready",
    });
  });
});

describe("sourceHealthHandler", () => {
  const visibility = { devMode: false, adminInternalErrors: true };
  const one = services({ metadata: ready, sources: new Map([["main", silent]]) });

  it("tells administrators each source by its name", async () => {
    const answer = await sourceHealthHandler(one, visibility)(request(""));
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toEqual({
      sources: { main: { status: "ERROR", error: silent.error } },
      metadata: { status: "OK" },
    });
  });

  it("refuses other roles", async () => {
    const answer = await sourceHealthHandler(one, visibility)(request("", { headers: { "x-engine-role": "user" } }));
    expect(answer).toMatchObject({ status: 400, record: { error: { code: "access-denied" } } });
  });
});
