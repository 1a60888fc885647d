import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import {
  type DatabaseErrorContext,
  translateConnectionError,
  translateDatabaseError,
} from "../../../../../runtime/databases/sources/postgres/translate-database-error.ts";
import { EngineError } from "../../../../../runtime/values/errors.ts";

function databaseError(code: string, more: Partial<DatabaseError> = {}): DatabaseError {
  return Object.assign(new DatabaseError("the text", 0, "error"), { code, ...more });
}

function translated(code: string, table: DatabaseErrorContext["table"]): readonly unknown[] {
  const context = { table, statement: "select 1", prepared: false, arguments: [] };
  const error = translateDatabaseError(databaseError(code), context);
  return [error.status, error.code, error.message, error.path];
}

const unexpected = [500, "unexpected", "database query error", "$"];

describe("Translation of PostgreSQL errors", () => {
  it.each<[string, readonly unknown[]]>([
    ["23001", [400, "constraint-violation", "Can not delete or update due to data being referred. the text", "$"]],
    ["23502", [400, "constraint-violation", "Not-NULL violation. the text", "$"]],
    ["23503", [400, "constraint-violation", "Foreign key violation. the text", "$"]],
    ["23505", [400, "constraint-violation", "Uniqueness violation. the text", "$"]],
    ["23514", [400, "permission-error", "Check constraint violation. the text", "$"]],
    ["23P01", [400, "constraint-violation", "Exclusion violation. the text", "$"]],
    ["23000", [400, "constraint-violation", "the text", "$"]],
    ["22025", [400, "bad-request", "the text", "$"]],
    ["22P02", [400, "data-exception", "the text", "$"]],
    ["42P10", [400, "constraint-error", "there is no unique or exclusion constraint on target column(s)", "$"]],
    ["42704", [400, "constraint-error", "the text", "$"]],
  ])("Error %s is reported alike for GraphQL and JSON data operations", (code, expected) => {
    expect(translated(code, "graphql")).toEqual(expected);
    expect(translated(code, "dml")).toEqual(expected);
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ["42883", unexpected, [400, "constraint-error", "the text", "$"]],
    ["40001", unexpected, [400, "concurrent-update", "serialization failure due to concurrent update", "$"]],
    ["40P01", unexpected, [400, "concurrent-update", "serialization failure due to concurrent update", "$"]],
    ["57014", unexpected, unexpected],
    ["P0001", unexpected, unexpected],
    ["25006", unexpected, unexpected],
  ])("Error %s is reported differently for GraphQL and JSON data operations or as unexpected", (code, graphql, dml) => {
    expect(translated(code, "graphql")).toEqual(graphql);
    expect(translated(code, "dml")).toEqual(dml);
  });

  it.each(["23505", "42601", "40001", "57014"])("Error %s of run_sql is reported as a failed query", (code) => {
    expect(translated(code, "run_sql")).toEqual([400, "postgres-error", "query execution failed", "$"]);
  });

  it("Internal details contain the statement, with keys in the documented order", () => {
    const error = databaseError("57014", { detail: "Key (id)=(1) exists.", hint: "a hint" });
    const context = { statement: "insert …", prepared: true, arguments: ["1", null] };
    const detail =
      '"error":{"exec_status":"FatalError","status_code":"57014","message":"the text","description":"Key (id)=(1) exists.","hint":"a hint"}';
    expect(JSON.stringify(translateDatabaseError(error, { ...context, table: "graphql" }).internal)).toBe(
      `{"statement":"insert …","arguments":["1",null],"prepared":true,${detail}}`,
    );
    expect(JSON.stringify(translateDatabaseError(error, { ...context, table: "run_sql" }).internal)).toBe(
      `{"statement":"insert …","prepared":true,"arguments":["1",null],${detail}}`,
    );
  });

  it.each(["graphql", "dml"] as const)("A constraint violation has no internal details: %s", (table) => {
    const context = { table, statement: "insert …", prepared: true, arguments: ["1", null] };
    expect(translateDatabaseError(databaseError("23505"), context).internal).toBeUndefined();
  });

  it("Fields that the server did not send are null in internal details", () => {
    const context = { table: "dml" as const, statement: "s", prepared: false, arguments: [] };
    expect(translateDatabaseError(databaseError("25006"), context).internal).toMatchObject({
      error: { description: null, hint: null },
    });
  });

  it("A statement that never reached the server is reported with the driver's message", () => {
    const context = { table: "graphql" as const, statement: "s", prepared: false, arguments: [] };
    const error = translateDatabaseError(new Error("too many parameters"), context);
    expect([error.status, error.code, error.message]).toEqual([500, "unexpected", "database query error"]);
    expect(error.internal).toMatchObject({ error: "too many parameters" });
  });
});

describe("Translation of connection errors", () => {
  it("A connection error contains the driver's message as internal detail", () => {
    const error = translateConnectionError(new Error("connect ECONNREFUSED 127.0.0.1:1"));
    expect(error).toMatchObject({
      code: "postgres-error",
      status: 500,
      message: "connection error",
      path: "$",
      internal: "connect ECONNREFUSED 127.0.0.1:1",
    });
  });

  it("A connection error joins the messages for each address of a host", () => {
    const error = new AggregateError([new Error("::1 refused"), new Error("127.0.0.1 refused")], "");
    expect(translateConnectionError(error).internal).toBe("::1 refused; 127.0.0.1 refused");
  });

  it("A connection error reports that the server has no more connections", () => {
    expect(translateConnectionError(databaseError("53300"))).toMatchObject({
      code: "postgres-max-connections-error",
      status: 500,
      message: "max connections reached on postgres",
      internal: "the text",
    });
  });

  it("A connection error leaves errors in settings unchanged", () => {
    const error = new EngineError("not-found", "$", "environment variable 'X' not set");
    expect(translateConnectionError(error)).toBe(error);
  });
});
