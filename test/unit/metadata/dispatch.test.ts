import { describe, expect, it } from "vitest";
import { type BulkCall, decodeRequest } from "../../../compiler/metadata/dispatch.ts";
import type { Endpoint } from "../../../compiler/metadata/endpoint.ts";
import type { Call } from "../../../compiler/metadata/operation.ts";

function errorOf(endpoint: Endpoint, body: unknown) {
  const decoded = decodeRequest(endpoint, body);
  if (decoded.ok) throw new Error("decoded");
  const { code, path, message, status } = decoded.error;
  return { code, path, message, ...(status !== undefined && { status }) };
}

function callOf(endpoint: Endpoint, body: unknown): Call {
  const decoded = decodeRequest(endpoint, body);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const { call } = decoded.value;
  if (call.effect === "bulk" || call.effect === "plan") throw new Error(`a ${call.effect}`);
  return call;
}

function bulkOf(endpoint: Endpoint, body: unknown): BulkCall {
  const decoded = decodeRequest(endpoint, body);
  if (!decoded.ok) throw new Error(decoded.error.message);
  if (decoded.value.call.effect !== "bulk") throw new Error("not a bulk");
  return decoded.value.call;
}

const parseFailed = (path: string, message: string) => ({ code: "parse-failed", path, message });

const prefixed = (command: string, message: string) =>
  `Error when parsing command ${command}.\n` +
  "See our documentation at https://engine.io/docs/latest/graphql/core/api-reference/metadata-api/index.html#metadata-apis.\n" +
  `Internal error message: ${message}`;

const endpoints = ["/v1/metadata", "/v1/query", "/v2/query"] as const;

describe.each(endpoints)("Request envelopes on %s", (endpoint) => {
  it.each([
    ["a string", "String"],
    [1, "Number"],
    [[], "Array"],
    [true, "Boolean"],
    [null, "Null"],
  ])("The body %j is refused", (body, name) => {
    const message = `parsing Object failed, expected Object, but encountered ${name}`;
    expect(errorOf(endpoint, body)).toEqual(parseFailed("$", message));
  });

  it("A request without a type is refused", () => {
    expect(errorOf(endpoint, { args: {} })).toEqual(parseFailed("$", 'key "type" not found'));
    const message = "parsing Text failed, expected String, but encountered Number";
    expect(errorOf(endpoint, { type: 1, args: {} })).toEqual(parseFailed("$.type", message));
  });

  it("A request without arguments is refused, even if its type is unknown", () => {
    expect(errorOf(endpoint, { type: "foo" })).toEqual(parseFailed("$", 'key "args" not found'));
    expect(errorOf(endpoint, { type: "bulk" })).toEqual(parseFailed("$", 'key "args" not found'));
  });

  it("Versions 1 and 2 are accepted", () => {
    const message = "expected 1 or 2, encountered 3";
    expect(errorOf(endpoint, { type: "bulk", version: 3, args: [] })).toEqual(parseFailed("$.version", message));
    const noNumber = "parsing Int failed, expected Number, but encountered String";
    expect(errorOf(endpoint, { type: "bulk", version: "1", args: [] })).toEqual(parseFailed("$.version", noNumber));
    expect(bulkOf(endpoint, { type: "bulk", version: null, args: [] }).items).toEqual([]);
  });

  it("The arguments of a bulk must be a list", () => {
    const path = endpoint === "/v1/query" ? "$" : "$.args";
    const message = "parsing [] failed, expected Array, but encountered Object";
    expect(errorOf(endpoint, { type: "bulk", args: {} })).toEqual(parseFailed(path, message));
  });
});

describe("Unknown operation types", () => {
  it.each([
    ["pg_bar", 'unknown metadata command "bar" for backend postgres'],
    ["postgres_bar", 'unknown metadata command "bar" for backend postgres'],
    ["mssql_bar", 'unknown metadata command "bar" for backend mssql'],
    ["mssql_set_table_is_enum", 'unknown metadata command "set_table_is_enum" for backend mssql'],
    ["foo_bar", 'unknown metadata command "bar" for backend foo'],
    ["foo", 'unknown metadata command "" for backend foo'],
    ["track_table", 'unknown metadata command "table" for backend track'],
    ["1x_y", 'unknown metadata command "1x_y"; "1x" was not recognized as a valid backend name'],
    ["", 'unknown metadata command ""; "" was not recognized as a valid backend name'],
  ])("An unknown type on /v1/metadata is refused: %j", (type, message) => {
    expect(errorOf("/v1/metadata", { type, args: {} })).toEqual(parseFailed("$", message));
  });

  it("An unknown type on /v2/query is refused", () => {
    const expected = parseFailed("$", "Unrecognised RQLQuery type: x_run_sql");
    expect(errorOf("/v2/query", { type: "x_run_sql", args: {} })).toEqual(expected);
  });

  it("An unknown type on /v1/query is refused with the list of allowed types", () => {
    const { path, message } = errorOf("/v1/query", { type: "pg_track_table", args: {} });
    expect(path).toBe("$.type");
    expect(message).toMatch(
      /^expected the type to be one of add_collection_to_allowlist, .*, untrack_table.* but found "pg_track_table"$/s,
    );
    expect(message.replace(/, but found.*/, "").split(", ")).toContain("bulk");
  });

  it("The nearest type is in the hint and never in the message", () => {
    const decoded = decodeRequest("/v1/metadata", { type: "pg_track_tabel", args: {} });
    if (decoded.ok) throw new Error("decoded");
    expect(decoded.error.hint).toBe('did you mean "pg_track_table"?');
    expect(decoded.error.message).toBe('unknown metadata command "track_tabel" for backend postgres');
  });

  it.each([
    ["/v1/query", { type: "export_metadata", version: 2, args: {} }],
    ["/v1/query", { type: "set_table_custom_fields", version: 1, args: {} }],
    ["/v1/query", { type: "rename_source", args: {} }],
    ["/v1/query", { type: "bulk_atomic", args: [] }],
    ["/v2/query", { type: "track_table", args: "t" }],
    ["/v2/query", { type: "bulk_keep_going", args: [] }],
    ["/v1/metadata", { type: "run_sql", args: { sql: "" } }],
    ["/v1/metadata", { type: "concurrent_bulk", args: [] }],
  ] as const)("A type of another endpoint or version is unknown: %s %j", (endpoint, body) => {
    expect(decodeRequest(endpoint, body).ok).toBe(false);
  });
});

describe("Arguments of operations", () => {
  const permission = { table: "t", role: "", permission: { check: {} } };

  it("Invalid arguments of a prefixed operation are refused with a text of three lines", () => {
    const message = prefixed("create_insert_permission", "empty string not allowed");
    const body = { type: "pg_create_insert_permission", args: permission };
    expect(errorOf("/v1/metadata", body)).toEqual(parseFailed("$.args.role", message));
  });

  it("Invalid arguments of an operation without a prefix are refused with the plain text", () => {
    const body = { type: "rename_source", args: { name: "", new_name: "b" } };
    expect(errorOf("/v1/metadata", body)).toEqual(parseFailed("$.args.name", "empty string not allowed"));
  });

  it("Invalid arguments on /v1/query are refused with a path without args", () => {
    const body = { type: "create_insert_permission", args: permission };
    expect(errorOf("/v1/query", body)).toEqual(parseFailed("$.role", "empty string not allowed"));
    const { role: _role, ...noRole } = permission;
    const expected = parseFailed("$", 'key "role" not found');
    expect(errorOf("/v1/query", { type: "create_insert_permission", args: noRole })).toEqual(expected);
  });

  it("Invalid arguments on /v2/query are refused with a path with args", () => {
    const message = "parsing Text failed, expected String, but encountered Number";
    expect(errorOf("/v2/query", { type: "run_sql", args: { sql: 1 } })).toEqual(parseFailed("$.args.sql", message));
  });

  it("Arguments of an operation without parameters and unknown keys are ignored", () => {
    for (const args of [{}, null, [], "x", 1]) {
      expect(callOf("/v1/metadata", { type: "export_metadata", args }).operation).toBe("export_metadata");
    }
    const args = { name: "a", new_name: "b", unknown: 1 };
    expect(callOf("/v1/metadata", { type: "rename_source", args }).operation).toBe("rename_source");
  });

  it("Null arguments are refused instead of an object", () => {
    const message = "parsing Object failed, expected Object, but encountered Null";
    expect(errorOf("/v1/metadata", { type: "rename_source", args: null })).toEqual(parseFailed("$.args", message));
  });
});

describe("The resource_version member", () => {
  const body = { type: "clear_metadata", args: {} };

  it("resource_version is read only on /v1/metadata", () => {
    const decoded = decodeRequest("/v1/metadata", { ...body, resource_version: 7 });
    expect(decoded.ok && decoded.value.resourceVersion).toBe(7);
    const otherEndpoint = decodeRequest("/v1/query", { ...body, resource_version: "x" });
    expect(otherEndpoint.ok && "resourceVersion" in otherEndpoint.value).toBe(false);
  });

  it("resource_version must be an integer", () => {
    const message = "parsing Int failed, expected Number, but encountered String";
    const expected = parseFailed("$.resource_version", message);
    expect(errorOf("/v1/metadata", { ...body, resource_version: "x" })).toEqual(expected);
  });
});

describe("Bulk requests", () => {
  const item = { type: "clear_metadata", args: {} };
  const bad = { type: "rename_source", args: { name: "a" } };

  it("A bulk decodes its items, including nested ones, with their paths", () => {
    const bulk = bulkOf("/v1/metadata", { type: "bulk", args: [item, { type: "bulk", args: [item] }] });
    const [first, nested] = bulk.items;
    expect(first).toMatchObject({ operation: "clear_metadata", path: "$.args[0].args" });
    expect(nested).toMatchObject({ effect: "bulk", items: [{ path: "$.args[1].args[0].args" }] });
  });

  it("The items of bulk_keep_going have paths of their own", () => {
    const bulk = bulkOf("/v1/metadata", { type: "bulk_keep_going", args: [item, { type: "bulk", args: [item] }] });
    expect(bulk.items).toMatchObject([{ path: "$.args" }, { items: [{ path: "$.args[0].args" }] }]);
  });

  it("An invalid item of a bulk is refused with its index", () => {
    const message = 'key "new_name" not found';
    const nested = { type: "bulk", args: [item, { type: "bulk", args: [bad] }] };
    expect(errorOf("/v1/metadata", nested)).toEqual(parseFailed("$.args[1].args[0].args", message));
    expect(errorOf("/v1/metadata", { type: "bulk_keep_going", args: [bad] })).toEqual(
      parseFailed("$.args[0].args", message),
    );
    expect(errorOf("/v1/metadata", { type: "bulk", args: [item, 1] })).toEqual(
      parseFailed("$.args[1]", "parsing Object failed, expected Object, but encountered Number"),
    );
    const onQuery = { type: "bulk", args: [item, { type: "drop_rest_endpoint", args: { name: "" } }] };
    expect(errorOf("/v1/query", onQuery)).toEqual(parseFailed("$[1].name", "empty string not allowed"));
  });
});

describe("Names of operations", () => {
  it.each(["pg_track_table", "postgres_track_table", "mssql_track_table"])(
    "The name %s belongs to one operation for all kinds of source",
    (type) => {
      expect(callOf("/v1/metadata", { type, args: "t" }).operation).toBe("track_table");
    },
  );

  it.each([
    ["/v1/query", "run_sql", "postgres"],
    ["/v2/query", "run_sql", "postgres"],
    ["/v2/query", "pg_run_sql", "postgres"],
    ["/v2/query", "mssql_run_sql", "mssql"],
  ] as const)("On %s, %s runs on %s", (endpoint, type, kind) => {
    expect(callOf(endpoint, { type, args: { sql: "select 1" } })).toEqual({
      effect: "io",
      operation: "run_sql",
      endpoint,
      kind,
      input: { sql: "select 1", source: "default", cascade: false, read_only: false, no_transaction: false },
      path: "$.args",
      writes: true,
    });
  });
});
