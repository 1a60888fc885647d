/** Readable log lines. */
import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { createLog, type Log } from "../../../../runtime/observe/logs/log.ts";
import { readableLine } from "../../../../runtime/observe/logs/readable-line.ts";
import { logServerConfiguration, logServerStarted } from "../../../../runtime/observe/logs/startup-log.ts";

const settings = parseOptions({}, { ENGINE_GRAPHQL_LOG_LEVEL: "debug" });

/** Returns the text after the time. */
function shown(write: (log: Log) => void, coloured = false): string {
  const lines: string[] = [];
  write(createLog(settings, { write: (line) => void lines.push(line) }));
  return lines.map((line) => readableLine(line, { isColored: coloured })).join("");
}

const exchange = {
  operation: {
    query_execution_time: 0.0034,
    response_size: 1234,
    user_vars: { "x-engine-role": "user" },
    query: { type: null },
    error: null,
  },
  http_info: { method: "POST", url: "/v1/graphql", status: 200 },
};

describe("Readable log lines", () => {
  it("A readable line shows a request on one line", () => {
    expect(shown((log) => log.info("http-log", exchange))).toMatch(
      /^\d\d:\d\d:\d\d POST \/v1\/graphql 200 {2}3\.4 ms {2}1\.2 kB {2}user\n$/,
    );
  });

  it("A readable line shows why a request failed", () => {
    const error = { error: "field 'x' not found", code: "validation-failed", path: "$.x" };
    const text = shown((log) => log.error("http-log", { ...exchange, operation: { ...exchange.operation, error } }));
    expect(text).toContain("error: POST /v1/graphql 200");
    expect(text).toContain("validation-failed: field 'x' not found at $.x");
  });

  it("A readable line shows only the options that are set, and no secrets", () => {
    const environment = { ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2", ENGINE_GRAPHQL_SERVER_PORT: "90" };
    const text = shown((log) => logServerConfiguration(log, parseOptions({}, environment)));
    expect(text).toMatch(/^\d\d:\d\d:\d\d options: server_port=90 server_host=\* admin_secret_set=true\n$/);
  });

  it("A readable line marks a warning once", () => {
    const text = shown((log) =>
      log.warn("startup", { kind: "no_admin_secret", info: "WARNING: No admin secret provided" }),
    );
    expect(text).toMatch(/ warning: no admin secret is set\n$/);
  });

  it("A readable line reports when the server is ready", () => {
    expect(shown((log) => logServerStarted(log, 1.23))).toMatch(/ ready after 1\.2 s\n$/);
  });

  it("A readable line colours problems only on a terminal", () => {
    const write = (log: Log) => log.warn("pg-client", { message: "away" });
    expect(shown(write)).toMatch(/ warning: pg-client away\n$/);
    expect(shown(write, true)).toContain("\u001b[33m");
    expect(shown(write)).not.toContain("\u001b");
  });

  it.each(["\u001b[2J", "\r", "\n", "\u009b31m", "\u202e", "\u2028", "\u0007"])(
    "A readable line escapes %j from a client",
    (text) => {
      const http_info = { ...exchange.http_info, url: `/a${text}b` };
      const line = shown((log) => log.info("http-log", { ...exchange, http_info }));
      expect(line).toMatch(/\/a\\u[0-9a-f]{4}.*b 200/);
      expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    },
  );

  it("A readable line shortens long values", () => {
    expect(shown((log) => log.info("pg-client", { message: "m", statement: "x".repeat(5000) })).length).toBeLessThan(
      300,
    );
  });
});
