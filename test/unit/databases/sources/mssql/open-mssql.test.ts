import { describe, expect, it } from "vitest";
import type { Driver, DriverTransaction, ResultSet } from "../../../../../runtime/databases/sources/mssql/driver.ts";
import { openMssql } from "../../../../../runtime/databases/sources/mssql/open-mssql.ts";
import { resolveMssqlSettings } from "../../../../../runtime/databases/sources/mssql/settings.ts";

const settings = resolveMssqlSettings("shop", { connection_string: "Server=db;Password=secret" }, { variables: {} });

type Answer = readonly ResultSet[] | Error;

/** Returns a driver that returns the responses set by the test, and records its calls. */
function scripted(answers: readonly Answer[]) {
  const notes: string[] = [];
  const waiting = [...answers];
  const next = async (note: string): Promise<readonly ResultSet[]> => {
    notes.push(note);
    const answer = waiting.shift() ?? [];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const session = {
    execute: (text: string, values: readonly (string | null)[]) => next(`execute ${text} ${JSON.stringify(values)}`),
    batch: (text: string) => next(`batch ${text}`),
  };
  const transaction: DriverTransaction = {
    ...session,
    commit: async () => void (await next("commit")),
    rollback: async () => void (await next("rollback")),
  };
  const driver: Driver = {
    ...session,
    begin: async (isolation, timeout) => {
      await next(timeout === undefined ? `begin ${isolation}` : `begin ${isolation}, ${timeout} ms`);
      return transaction;
    },
    cancelAll: () => 0,
    close: async () => void notes.push("close"),
  };
  return { driver, notes };
}

/** Returns server errors in the driver's form: the last error, with the preceding ones. */
function serverError(number: number, message: string, ...before: readonly Error[]): Error {
  return Object.assign(new Error(message), { name: "RequestError", code: "EREQUEST", number, precedingErrors: before });
}

/** Returns an error of the driver, whose code is also its number. */
function driverError(name: string, code: string, message: string): Error {
  return Object.assign(new Error(message), { name, code, ...(name === "RequestError" ? { number: code } : {}) });
}

const rows = (...values: unknown[][]): readonly ResultSet[] => [{ columns: ["a", "b"], rows: values }];

async function failureOf(work: Promise<unknown>) {
  return work.then(
    () => expect.unreachable("it succeeded"),
    ({ code, path, message, status, internal }) => ({ code, path, message, status, internal }),
  );
}

describe("SQL Server sources", () => {
  it("A SQL Server source connects on first use and returns text", async () => {
    let connects = 0;
    const { driver, notes } = scripted([rows(["x", 3], [null, true]), rows()]);
    const source = openMssql(settings, async () => {
      connects++;
      return driver;
    });
    expect(connects).toBe(0);
    expect(await source.query({ text: "select @p1" }, ["v"])).toEqual([
      ["x", "3"],
      [null, "true"],
    ]);
    await source.query({ text: "select 2" }, []);
    expect(connects).toBe(1);
    expect(notes).toEqual(['execute select @p1 ["v"]', "execute select 2 []"]);
    await source.close();
    expect(notes.at(-1)).toBe("close");
    await expect(source.query({ text: "select 3" }, [])).rejects.toThrow('source "shop" is closed');
  });

  it("A SQL Server source connects again after a failed connection", async () => {
    const { driver } = scripted([rows(["x", 1])]);
    let attempt = 0;
    const source = openMssql(settings, async () => {
      if (attempt++ === 0) throw driverError("ConnectionError", "ESOCKET", "no route to db");
      return driver;
    });
    expect(await failureOf(source.query({ text: "select 1" }, []))).toEqual({
      code: "unexpected",
      path: "$",
      message: "mssql connection error",
      status: 500,
      internal: { exception: { type: "unsuccessful_return_code", message: "no route to db" } },
    });
    expect(await source.query({ text: "select 1" }, [])).toEqual([["x", "1"]]);
  });

  it("A SQL Server source commits a successful transaction and rolls back a failed one", async () => {
    const good = scripted([[], rows(["x", 1]), []]);
    const source = openMssql(settings, async () => good.driver);
    await source.transaction({ isolation: "serializable" }, (t) => t.query({ text: "w" }, []));
    expect(good.notes).toEqual(["begin serializable", "execute w []", "commit"]);

    const bad = scripted([[], serverError(2627, "Violation of PRIMARY KEY constraint 'pk'.")]);
    const failing = openMssql(settings, async () => bad.driver);
    expect(await failureOf(failing.executeAlone({}, { text: "w" }, []))).toEqual({
      code: "constraint-violation",
      path: "$",
      message: "Integrity constraint violation. Violation of PRIMARY KEY constraint 'pk'.",
      status: 400,
      internal: { query: "w" },
    });
    expect(bad.notes).toEqual(["begin read-committed", "execute w []", "rollback"]);
  });

  it("A SQL Server source passes its timeout to the driver, which cancels the statement", async () => {
    const message = "Timeout: Request failed to complete in 20ms";
    const { driver, notes } = scripted([[], driverError("RequestError", "ETIMEOUT", message)]);
    const source = openMssql(settings, async () => driver);
    const slow = source.executeAlone({ timeoutMilliseconds: 20 }, { text: "slow" }, []);
    expect(await failureOf(slow)).toEqual({
      code: "unexpected",
      path: "$",
      message: "database query error",
      status: 500,
      internal: { query: "slow", exception: { type: "unsuccessful_return_code", message } },
    });
    expect(notes).toEqual(["begin read-committed, 20 ms", "execute slow []", "rollback"]);
  });

  it.each([
    ["ConnectionError", "ETIMEOUT", "Failed to connect to db:1433 in 15000ms"],
    ["ConnectionError", "ELOGIN", "Login failed for user 'sa'."],
    ["RequestError", "ECLOSE", "Connection closed before request completed."],
    ["RequestError", "ESOCKET", "read ECONNRESET"],
    ["TimeoutError", "", "operation timed out for an unknown reason"],
  ])("A SQL Server source reports a failed connection: %s %s", async (name, code, message) => {
    const failure = driverError(name, code, message);
    const { driver } = scripted([failure, failure]);
    const source = openMssql(settings, async () => driver);
    expect(await failureOf(source.query({ text: "q" }, []))).toEqual({
      code: "unexpected",
      path: "$",
      message: "mssql connection error",
      status: 500,
      internal: { exception: { type: "unsuccessful_return_code", message } },
    });
  });

  it.each([4060, 18_456, 40_613])("Error %i of SQL Server is a connection error", async (number) => {
    const { driver } = scripted([serverError(number, "no")]);
    const source = openMssql(settings, async () => driver);
    expect(await failureOf(source.query({ text: "q" }, []))).toMatchObject({ message: "mssql connection error" });
  });

  it("A SQL Server source reports the first of several errors, because the others only report the end of the batch", async () => {
    const first = serverError(547, "The INSERT statement conflicted");
    const { driver } = scripted([[], serverError(3609, "The transaction ended in the trigger.", first)]);
    const source = openMssql(settings, async () => driver);
    expect(await failureOf(source.executeAlone({}, { text: "w" }, []))).toMatchObject({
      code: "constraint-violation",
      message: "Integrity constraint violation. The INSERT statement conflicted",
    });
  });

  it.each([
    [2627, "constraint-violation", "Integrity constraint violation. m", "m"],
    [2601, "constraint-violation", "Integrity constraint violation. m", "m"],
    [515, "constraint-violation", "Integrity constraint violation. m", "m"],
    [544, "constraint-violation", "Integrity constraint violation. m", "m"],
    [2628, "data-exception", "Data exception. String data, right-truncated. m", "m"],
    [8115, "data-exception", "Data exception. Numeric value out of range. m", "m"],
    [241, "data-exception", "Data exception. Invalid datetime format. m", "m"],
    [242, "data-exception", "Data exception. Invalid datetime format. m", "m"],
    [8134, "data-exception", "Data exception. m", "m"],
    [8169, "data-exception", "Data exception. m", "m"],
    [1222, "unexpected", "database query error", "m"],
    [50672, "unexpected", "database query error", "m"],
    [50403, "permission-error", "check constraint of an insert/update permission has failed", "m"],
    [8152, "data-exception", "Data exception. String data, right-truncated. m", "m"],
    [245, "data-exception", "Data exception. m", "m"],
    [547, "constraint-violation", "Integrity constraint violation. m", "m"],
    [208, "unexpected", "database query error", "m"],
    [1205, "concurrent-update", "serialization failure due to concurrent update", "m"],
    [3960, "concurrent-update", "serialization failure due to concurrent update", "m"],
  ])("Error %i of SQL Server in a mutation is reported as %s", async (number, code, message, text) => {
    const words = number === 50403 ? message : text;
    const failure = serverError(number, words);
    // A deadlock is retried: begin, write, rollback; begin, write.
    const { driver } = scripted([[], failure, [], [], failure]);
    const source = openMssql(settings, async () => driver);
    expect(await failureOf(source.executeAlone({}, { text: "w" }, []))).toMatchObject({ code, message });
  });

  it("An error of SQL Server in a query is reported as a failed query without details", async () => {
    const { driver } = scripted([serverError(245, "Conversion failed")]);
    const source = openMssql(settings, async () => driver);
    expect(await failureOf(source.query({ text: "q" }, []))).toEqual({
      code: "unexpected",
      path: "$",
      message: "database query error",
      status: 500,
      internal: { query: "q", exception: { type: "unsuccessful_return_code", message: "Conversion failed" } },
    });
  });

  it("A SQL Server source explains an error about aliases that differ only in case", async () => {
    const { driver } = scripted([serverError(13_601, "Property 'A' cannot be generated in JSON output")]);
    const source = openMssql(settings, async () => driver);
    expect(await failureOf(source.query({ text: "q" }, []))).toMatchObject({
      code: "not-supported",
      message: expect.stringContaining("aliases that differ in more than case"),
    });
  });

  it("run_sql returns the last result or none", async () => {
    const { driver, notes } = scripted([[], [...rows(["first", 1]), ...rows([1.5, false], [null, "x"])], []]);
    const source = openMssql(settings, async () => driver);
    expect(await source.runSql("s", { readOnly: false })).toEqual({
      result_type: "TuplesOk",
      result: [
        ["a", "b"],
        [1.5, false],
        [null, "x"],
      ],
    });
    // Session settings of the text end with the call.
    expect(notes).toEqual(["begin read-committed", "execute s []", "commit"]);
    const empty = scripted([[], rows(), []]);
    const other = openMssql(settings, async () => empty.driver);
    expect(await other.runSql("s", { readOnly: false })).toEqual({ result_type: "CommandOk", result: null });
  });

  it.each([
    [2714, "already-exists", "Syntax error or access violation. Table or view already exists. m"],
    [208, "not-found", "Syntax error or access violation. Table or view not found. m"],
    [102, "bad-request", "Syntax error or access violation. m"],
  ])("Error %i of SQL Server in run_sql is reported as %s", async (number, code, message) => {
    const { driver } = scripted([[], serverError(number, "m")]);
    const source = openMssql(settings, async () => driver);
    const failure = await failureOf(source.runSql("s", { readOnly: false }));
    expect(failure).toMatchObject({ code, message, status: 400, internal: { query: "s" } });
  });

  it("A SQL Server source explains a statement with declared parameters without running it", async () => {
    const { driver, notes } = scripted([[], [{ columns: ["StmtText"], rows: [["select …"], ["  |--Scan"]] }]]);
    const limits: number[] = [];
    const source = openMssql(settings, async ({ maxConnections }) => {
      limits.push(maxConnections);
      return driver;
    });
    expect(await source.explain({ text: "select @p1" }, ["é"])).toEqual(["select …", "  |--Scan"]);
    expect(notes).toEqual(["batch set showplan_text on", "batch declare @p1 nvarchar(4000);\nselect @p1", "close"]);
    // The setting stays on the connection, which no other request may use.
    expect(limits).toEqual([1]);
  });

  it("A SQL Server source closes the connection of a failed explanation", async () => {
    const { driver, notes } = scripted([[], serverError(208, "Invalid object name")]);
    const source = openMssql(settings, async () => driver);
    expect(await failureOf(source.explain({ text: "q" }, []))).toMatchObject({ message: "database query error" });
    expect(notes.at(-1)).toBe("close");
  });

  it("A SQL Server source reports an unreachable server of the real driver without the password", async () => {
    const unreachable = { connection_string: "Server=127.0.0.1,1;User Id=sa;Password=secret;Connect Timeout=1" };
    const source = openMssql(resolveMssqlSettings("shop", unreachable, { variables: {} }));
    const failure = await failureOf(source.query({ text: "select 1" }, []));
    expect(failure).toMatchObject({ code: "unexpected", message: "mssql connection error", status: 500 });
    expect(JSON.stringify(failure)).not.toContain("secret");
    await source.close();
  });
});

describe("Settings of SQL Server sources", () => {
  it("The settings of a SQL Server source have the documented defaults", () => {
    expect(settings).toMatchObject({ maxConnections: 50, idleTimeoutSeconds: 5, isolation: "read-committed" });
    expect(JSON.stringify(settings)).not.toContain("secret");
  });

  it("The settings of a SQL Server source refuse an unknown isolation level", () => {
    const info = { connection_string: "x", isolation_level: "none" };
    expect(() => resolveMssqlSettings("shop", info, { variables: {} })).toThrow(
      "Unexpected options for isolation_level. Expected 'read-uncommited' | 'read-committed' | 'repeatable-read' | 'snapshot' | 'serializable'",
    );
  });

  it("The settings of a SQL Server source take the connection string from the environment", () => {
    const info = { connection_string: { from_env: "DB" } };
    expect(resolveMssqlSettings("shop", info, { variables: { DB: "Server=x" } }).connection.reveal()).toBe("Server=x");
    expect(() => resolveMssqlSettings("shop", info, { variables: {} })).toThrow("environment variable 'DB' not set");
  });
});
