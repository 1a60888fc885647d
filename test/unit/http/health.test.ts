import { describe, expect, it } from "vitest";
import {
  healthHandler,
  livenessHandler,
  readinessHandler,
  sourceHealthHandler,
} from "../../../runtime/http/request-routes.ts";
import type { DatabaseState, Readiness } from "../../../runtime/ports/health.ts";
import { healthy, request, stubServices } from "../../support/stub-services.ts";

const ready: DatabaseState = { error: null };
const silent: DatabaseState = { error: { code: "timeout", message: "no response" } };

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

describe("The health endpoint", () => {
  it.each([
    ["ok", {}, 200, "OK"],
    ["ok", { strict: "true" }, 200, "OK"],
    ["unreachable", {}, 500, "ERROR"],
    ["stopping", {}, 500, "ERROR: the server is shutting down"],
    ["inconsistent", {}, 200, "WARN: inconsistent objects in schema"],
    ["inconsistent", { strict: "false" }, 200, "WARN: inconsistent objects in schema"],
    ["inconsistent", { strict: "true" }, 500, "ERROR: inconsistent objects in schema"],
  ] as const)(
    "The health endpoint for state %s and query %j returns the documented status",
    async (state, query, status, body) => {
      const { services } = stubServices({ health: { ...healthy, check: async () => state } });
      const response = await healthHandler(services)(request("", { method: "GET", query }));
      expect(response).toMatchObject({ status, body, headers: { "content-type": "text/plain; charset=utf-8" } });
    },
  );

  it("The health endpoint returns an error if the check itself fails", async () => {
    const bug = new Error("x");
    const stub = stubServices({ health: { ...healthy, check: () => Promise.reject(bug) } });
    expect(await healthHandler(stub.services)(request(""))).toMatchObject({ status: 500, body: "ERROR" });
    expect(stub.bugs).toEqual([bug]);
  });
});

describe("The liveness endpoint", () => {
  it("The liveness endpoint responds without any check", async () => {
    expect(await livenessHandler(request(""))).toMatchObject({ status: 200, body: "OK" });
  });
});

describe("The readiness endpoint", () => {
  const both = new Map([
    ["main", ready],
    ["reports", silent],
  ]);

  it.each([
    ["every source responds", { sources: new Map([["main", ready]]) }, {}, 200, "ready", [1, 0]],
    ["one source does not respond", { sources: both }, {}, 503, "not ready", [1, 1]],
    ["an unrequested source does not respond", { sources: both }, { source: "main" }, 200, "ready", [1, 0]],
    [
      "one of several requested sources does not respond",
      { sources: both },
      { source: ["main", "reports"] },
      503,
      "not ready",
      [1, 1],
    ],
    ["the requested source is unknown", { sources: both }, { source: "mian" }, 503, "not ready", [0, 1]],
    ["the process is out of resources", { isShort: true, sources: new Map() }, {}, 503, "out of resources", [0, 0]],
    ["the server is stopping", { isStopping: true, sources: new Map() }, {}, 503, "shutting down", [0, 0]],
  ] as const)(
    "The readiness endpoint counts ready sources: %s",
    async (_title, readiness, query, status, word, [yes, no]) => {
      const response = await readinessHandler(services(readiness))(request("", { query }));
      expect(response.status).toBe(status);
      expect(JSON.parse(response.body)).toEqual({ status: word, sources: { ready: yes, not_ready: no } });
    },
  );

  it("The readiness endpoint ignores an unready metadata database and names no source", async () => {
    const response = await readinessHandler(services({ metadata: silent, sources: new Map([["main", ready]]) }))(
      request(""),
    );
    expect(response).toMatchObject({ status: 200 });
    expect(JSON.parse(response.body)).toEqual({
      status: "ready",
      sources: { ready: 1, not_ready: 0 },
      metadata: "not ready",
    });
  });
});

describe("The source health endpoint", () => {
  const visibility = { devMode: false, adminInternalErrors: true };
  const one = services({ metadata: ready, sources: new Map([["main", silent]]) });

  it("The source health endpoint shows admins each source by name", async () => {
    const response = await sourceHealthHandler(one, visibility)(request(""));
    expect(response.status).toBe(503);
    expect(JSON.parse(response.body)).toEqual({
      sources: { main: { status: "ERROR", error: silent.error } },
      metadata: { status: "OK" },
    });
  });

  it("The source health endpoint refuses other roles", async () => {
    const response = await sourceHealthHandler(one, visibility)(request("", { headers: { "x-engine-role": "user" } }));
    expect(response).toMatchObject({ status: 400, record: { error: { code: "access-denied" } } });
  });
});
