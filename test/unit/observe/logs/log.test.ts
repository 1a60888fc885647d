import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { Secret } from "../../../../runtime/config/secret.ts";
import { type Exchange, logRequest } from "../../../../runtime/observe/logs/http-log.ts";
import { bugReporter, createLog, type Log, type LogSettings } from "../../../../runtime/observe/logs/log.ts";
import { logServerConfiguration, warnNoAdminSecret } from "../../../../runtime/observe/logs/startup-log.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { noSpan } from "../../../../runtime/values/span.ts";

function captured(settings: Partial<LogSettings>, write: (log: Log) => void) {
  const lines: string[] = [];
  const log = createLog(
    { logLevel: "info", enabledLogTypes: new Set(["startup", "http-log"]), ...settings },
    { write: (line) => void lines.push(line) },
  );
  write(log);
  for (const line of lines) expect(line.endsWith("\n") && line.indexOf("\n") === line.length - 1).toBe(true);
  return lines.map((line) => JSON.parse(line));
}

describe("Log lines", () => {
  it("A log line has type, level, time with zone, and detail", () => {
    const before = Date.now();
    const [line] = captured({}, (log) => log.warn("startup", { kind: "x", info: { text: 'a "b"\n' } }));
    expect(line).toEqual({
      type: "startup",
      level: "warn",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/),
      detail: { kind: "x", info: { text: 'a "b"\n' } },
    });
    const time = Date.parse(line.timestamp);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it("A log line below the level is omitted", () => {
    const lines = captured({ logLevel: "warn" }, (log) => {
      log.debug("startup", {});
      log.info("startup", {});
      log.warn("startup", {});
      log.error("startup", {});
      expect(log.isEnabled("startup", "info")).toBe(false);
      expect(log.isEnabled("startup", "warn")).toBe(true);
    });
    expect(lines.map(({ level }) => level)).toEqual(["warn", "error"]);
  });

  it("A log line of a disabled type is omitted, and internal types are always enabled", () => {
    const lines = captured({ enabledLogTypes: new Set(["startup"]) }, (log) => {
      log.error("http-log", {});
      log.text("http-log", "error", "{}");
      log.info("startup", {});
      log.info("schema-sync", {});
      expect(log.isEnabled("http-log", "error")).toBe(false);
    });
    expect(lines.map(({ type }) => type)).toEqual(["startup", "schema-sync"]);
  });

  it("A log line shows no secrets at any depth", () => {
    const lines = captured({}, (log) =>
      log.info("startup", {
        headers: { Authorization: "hunter2", "X-Engine-Admin-Secret": "hunter2", Accept: "*/*" },
        list: [{ cookie: "hunter2", password: "hunter2", admin_secret: null }],
        url: new Secret("hunter2"),
        variables: new Map([["x-engine-access-key", "hunter2"]]),
      }),
    );
    expect(lines[0].detail).toEqual({
      headers: { Authorization: "<redacted>", "X-Engine-Admin-Secret": "<redacted>", Accept: "*/*" },
      list: [{ cookie: "<redacted>", password: "<redacted>", admin_secret: null }],
      url: "<redacted>",
      variables: { "x-engine-access-key": "<redacted>" },
    });
  });
});

describe("Start-up log lines", () => {
  it("The start-up lines show all options, and only whether secrets are set", () => {
    const options = parseOptions(
      {},
      {
        ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2",
        ENGINE_GRAPHQL_ADMIN_SECRETS: '["hunter2"]',
        ENGINE_GRAPHQL_DATABASE_URL: "postgres://a:hunter2@b/c",
        ENGINE_GRAPHQL_CORS_DOMAIN: "https://*.a.com",
      },
    );
    const [line] = captured({}, (log) => logServerConfiguration(log, options));
    expect(line.detail.kind).toBe("server_configuration");
    expect(line.detail.info).toMatchObject({
      server_port: 8080,
      admin_secret_set: true,
      admin_secrets_set: true,
      database_url_set: true,
      access_key: null,
      enabled_apis: ["metadata", "graphql", "pgdump", "config"],
      cors_config: { disabled: false, allowed_origins: ["https://*.a.com"] },
    });
    expect(JSON.stringify(line)).not.toContain("hunter2");
  });

  it("The start-up lines warn about a server without an admin secret", () => {
    const [line] = captured({}, warnNoAdminSecret);
    expect(line).toMatchObject({
      level: "warn",
      detail: { kind: "no_admin_secret", info: "WARNING: No admin secret provided" },
    });
  });
});

describe("Reports of internal errors", () => {
  it("bugReporter logs the stack and returns an error without it", () => {
    const bug = new TypeError("detail");
    const lines = captured({}, (log) => {
      const answer = bugReporter(log)(bug, "r1");
      expect(answer).toMatchObject({
        code: "unexpected",
        message: "Internal Server Error",
        status: 500,
        internal: undefined,
      });
    });
    expect(lines[0]).toMatchObject({
      type: "unhandled-internal-error",
      level: "error",
      detail: { request_id: "r1", error: { message: "detail", stack: expect.stringContaining("TypeError: detail") } },
    });
  });
});

describe("HTTP log lines", () => {
  const session = { role: "user", variables: new Map([["x-engine-role", 'a "quoted" role']]), backendOnly: false };
  const exchange = (record: Partial<Exchange["response"]["record"]>): Exchange => ({
    request: {
      method: "POST",
      path: "/v1/graphql",
      query: {},
      headers: { "x-engine-admin-secret": "hunter2" },
      readBody: () => "hunter2",
      readUpload: () => Promise.reject(new Error("no files")),
      ip: "10.0.0.1",
      peer: "10.0.0.9",
      caller: { aborted: false },
      requestId: "r1",
      span: noSpan,
    },
    response: {
      status: 200,
      headers: {},
      body: "hunter2",
      record: { mode: "single", session, error: null, ...record },
    },
    httpVersion: "1.1",
    responseSize: 7,
    uncompressedSize: 7,
    encoding: null,
    readMilliseconds: 0.5,
    executionMilliseconds: 1234.5678,
  });
  const error = new EngineError("unexpected", "$", "bad", { internal: { password: "hunter2", statement: "s" } });
  const errorDetail = {
    path: "$",
    code: "unexpected",
    error: "bad",
    internal: { password: "<redacted>", statement: "s" },
  };

  it("An HTTP log line records the caller, the request, its duration and its outcome", () => {
    const [line] = captured({}, (log) => logRequest(log, parseOptions({}, {}), exchange({})));
    expect(line).toMatchObject({ type: "http-log", level: "info" });
    expect(line.detail).toEqual({
      request_id: "r1",
      operation: {
        request_id: "r1",
        user_vars: { "x-engine-role": 'a "quoted" role' },
        response_size: 7,
        uncompressed_response_size: 7,
        request_read_time: 0.0005,
        query_execution_time: 1.234568,
        query: { type: null },
        raw_query: null,
        error: null,
        request_mode: "single",
      },
      http_info: {
        status: 200,
        http_version: "HTTP/1.1",
        url: "/v1/graphql",
        ip: "10.0.0.1",
        method: "POST",
        content_encoding: null,
      },
    });
  });

  it("A failed request is logged at error level", () => {
    const lines = captured({ logLevel: "error" }, (log) => {
      logRequest(log, parseOptions({}, {}), exchange({}));
      logRequest(log, parseOptions({}, {}), exchange({ error, session: null, mode: "error" }));
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: "error",
      detail: { operation: { user_vars: null, error: errorDetail, request_mode: "error" } },
    });
  });

  it("The operation of a request is logged only if query-log is enabled", () => {
    const graphql = { query: "{ a }", operationName: null, variables: { a: 1 } };
    const without = captured({}, (log) => logRequest(log, parseOptions({}, {}), exchange({ graphql })));
    expect(without[0].detail.operation.query).toEqual({ type: null });
    const enabledLogTypes = new Set(["http-log", "query-log"] as const);
    const lines = captured({ enabledLogTypes }, (log) => logRequest(log, parseOptions({}, {}), exchange({ graphql })));
    expect(lines[0].detail.operation.query).toEqual(graphql);
  });

  it("An HTTP log line names the operation of an administration endpoint", () => {
    const [line] = captured({}, (log) =>
      logRequest(log, parseOptions({}, {}), exchange({ mode: "non-graphql", operationType: "run_sql" })),
    );
    expect(line.detail.operation.query).toEqual({ type: "run_sql" });
  });

  it("An HTTP log line lists the parts of a batch", () => {
    const parts = [
      { size: 3, error: null },
      { size: 4, error },
    ];
    const [line] = captured({}, (log) =>
      logRequest(log, parseOptions({}, {}), exchange({ mode: "batched", error, parts })),
    );
    expect(line.detail.batched_operations).toEqual([
      { response_size: 3, error: null },
      { response_size: 4, error: errorDetail },
    ]);
  });
});
