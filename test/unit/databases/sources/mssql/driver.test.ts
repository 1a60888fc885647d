/** The driver, connected by a socket to a fake server whose responses the test sets. */
import { afterEach, describe, expect, it } from "vitest";
import { openMssql } from "../../../../../runtime/databases/sources/mssql/open-mssql.ts";
import { resolveMssqlSettings } from "../../../../../runtime/databases/sources/mssql/settings.ts";
import type { DatabaseSource } from "../../../../../runtime/databases/sources/source.ts";
import { EngineError } from "../../../../../runtime/values/errors.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer, type TdsRequest } from "../../../../support/tds-peer.ts";

const open: { peer?: TdsPeer; source?: DatabaseSource } = {};

afterEach(async () => {
  await open.source?.close();
  await open.peer?.close();
});

/**
 * Opens a source whose server returns the next of these responses for each statement. The fake server handles
 * everything else.
 */
async function sourceWith(answers: readonly (readonly TdsAnswer[])[], more: object = {}) {
  const waiting = [...answers];
  const isStatement = ({ kind }: TdsRequest) => kind === "batch" || kind === "execute";
  const peer = await startTdsPeer((request) => (isStatement(request) ? (waiting.shift() ?? []) : []));
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const source = openMssql(resolveMssqlSettings("shop", { connection_string, ...more }, { variables: {} }));
  Object.assign(open, { peer, source });
  return { peer, source };
}

const json = (text: string): TdsAnswer => ({ columns: [{ name: "", type: "nvarchar" }], rows: [[text]] });

async function failureOf(work: Promise<unknown>) {
  return work.then(
    () => expect.unreachable("it succeeded"),
    ({ code, message, internal }) => ({ code, message, internal }),
  );
}

describe("The SQL Server driver", () => {
  it("The driver sends a statement with its values as parameters and nothing before it", async () => {
    const { peer, source } = await sourceWith([[json('{"a":1}')]]);
    expect(await source.query({ text: "select @p1, @p2, @p3" }, ["x", "é", null])).toEqual([['{"a":1}']]);
    expect(peer.requests).toEqual([
      {
        kind: "execute",
        text: "select @p1, @p2, @p3",
        declared: "@p1 varchar(8000), @p2 nvarchar(4000), @p3 varchar(8000)",
        values: ["x", "é", null],
      },
    ]);
  });

  it("The driver opens sessions with the source's isolation level and the required settings", async () => {
    const { peer, source } = await sourceWith([[json("1")]], { isolation_level: "repeatable-read" });
    await source.query({ text: "q" }, []);
    expect(peer.settings.length).toBeGreaterThan(0);
    for (const setting of [
      "set transaction isolation level repeatable read",
      ...["set xact_abort on", "set quoted_identifier on", "set ansi_nulls on", "set ansi_padding on"],
      ...["set ansi_warnings on", "set arithabort on", "set concat_null_yields_null on", "set textsize 2147483647"],
    ]) {
      expect(peer.settings.every((text) => text.includes(setting))).toBe(true);
    }
  });

  it("The driver reads and sends long texts completely", async () => {
    const long = JSON.stringify("é".repeat(700_000));
    const { peer, source } = await sourceWith([[json(long)]]);
    expect(await source.query({ text: "q" }, [long, "x".repeat(9000)])).toEqual([[long]]);
    const [request] = peer.requests;
    expect(request).toMatchObject({
      declared: "@p1 nvarchar(max), @p2 varchar(max)",
      values: [long, "x".repeat(9000)],
    });
  });

  it("The driver returns the last result of a statement", async () => {
    const rows = { columns: [{ name: "n", type: "int" }], rows: [[1], [null]] } as const;
    const { source } = await sourceWith([[json("first"), rows]]);
    expect(await source.query({ text: "q" }, [])).toEqual([["1"], [null]]);
  });

  it("The driver joins the pieces of a FOR JSON result", async () => {
    const name = "JSON_F52E2B61-18A1-11d1-B105-00805F49916B";
    const { source } = await sourceWith([[{ columns: [{ name, type: "nvarchar" }], rows: [['[{"a":'], ["1}]"]] }]]);
    expect(await source.runSql("select 1 as a for json path", { readOnly: false })).toEqual({
      result_type: "TuplesOk",
      result: [[name], ['[{"a":1}]']],
    });
  });

  it("run_sql returns typed values from a transaction", async () => {
    const { peer, source } = await sourceWith([
      [
        {
          columns: [
            { name: "id", type: "bigint" },
            { name: "is_paid", type: "bit" },
            { name: "note", type: "nvarchar" },
          ],
          rows: [
            [7, true, "x"],
            [8, false, null],
          ],
        },
      ],
    ]);
    expect(await source.runSql("select …", { readOnly: false })).toEqual({
      result_type: "TuplesOk",
      result: [
        ["id", "is_paid", "note"],
        [7, true, "x"],
        [8, false, null],
      ],
    });
    expect(peer.requests.map(({ kind }) => kind)).toEqual(["begin", "execute", "commit"]);
  });

  it("The driver reports the number of a server error and rolls back", async () => {
    const message = "Violation of PRIMARY KEY constraint 'pk'.";
    const { peer, source } = await sourceWith([[{ error: 2627, message, severity: 14 }], [json("1")]]);
    expect(await failureOf(source.executeAlone({}, { text: "w" }, []))).toMatchObject({
      code: "constraint-violation",
      message: `Integrity constraint violation. ${message}`,
    });
    expect(await source.query({ text: "q" }, [])).toEqual([["1"]]);
    expect(peer.requests.map(({ kind }) => kind)).toEqual(["begin", "execute", "rollback", "execute"]);
  });

  it("The driver reports the first of several errors in a transaction that the server has ended", async () => {
    const { peer, source } = await sourceWith([
      [
        { error: 547, message: "The DELETE statement conflicted" },
        { error: 3609, message: "The transaction ended" },
        "rolled back",
      ],
      [json("1")],
    ]);
    expect(await failureOf(source.executeAlone({}, { text: "w" }, []))).toMatchObject({
      message: "Integrity constraint violation. The DELETE statement conflicted",
    });
    expect(await source.query({ text: "q" }, [])).toEqual([["1"]]);
    expect(peer.requests.map(({ kind }) => kind)).toEqual(["begin", "execute", "execute"]);
  });

  it("The driver cancels a statement that exceeds its timeout and reuses the connection", async () => {
    const { peer, source } = await sourceWith([["silence"], [json("1")]]);
    const slow = source.executeAlone({ timeoutMilliseconds: 50 }, { text: "slow" }, []);
    expect(await failureOf(slow)).toMatchObject({ code: "unexpected", message: "database query error" });
    expect(peer.requests.map(({ kind }) => kind)).toEqual(["begin", "execute", "cancel", "rollback"]);
    expect(await source.query({ text: "q" }, [])).toEqual([["1"]]);
  });

  it("The driver cancels running statements when the source cancels them", async () => {
    const { peer, source } = await sourceWith([["silence"], [json("1")]]);
    const slow = failureOf(source.query({ text: "slow" }, []));
    await expect.poll(() => peer.requests.length).toBe(1);
    expect(await source.cancelAll()).toBe(1);
    expect(await slow).toMatchObject({ code: "unexpected", message: "database query error" });
    expect(await source.query({ text: "q" }, [])).toEqual([["1"]]);
    expect(peer.requests.map(({ kind }) => kind)).toEqual(["execute", "cancel", "execute"]);
  });

  it.each(["query", "executeAlone"] as const)(
    "The driver cancels a read whose caller has disconnected: %s",
    async (way) => {
      const { peer, source } = await sourceWith([["silence"]]);
      const controller = new AbortController();
      const { signal: caller } = controller;
      const slow =
        way === "query"
          ? source.query({ text: "slow" }, [], caller)
          : source.executeAlone({ readOnly: true, caller }, { text: "slow" }, []);
      const failed = failureOf(slow);
      await expect.poll(() => peer.requests.map(({ kind }) => kind)).toContain("execute");
      controller.abort();
      expect(await failed).toMatchObject({ message: "the request was cancelled" });
      expect(peer.requests.map(({ kind }) => kind)).toContain("cancel");
      const sent = peer.requests.length;
      expect(await failureOf(source.query({ text: "slow" }, [], caller))).toMatchObject({
        message: "the request was cancelled",
      });
      expect(peer.requests).toHaveLength(sent);
    },
  );

  it("The driver reports the reason of a cancellation to callers", async () => {
    const { peer, source } = await sourceWith([["silence"]]);
    const slow = failureOf(source.query({ text: "slow" }, []));
    await expect.poll(() => peer.requests.length).toBe(1);
    await source.cancelAll(new EngineError("unexpected", "$", "going down", { status: 503 }));
    expect(await slow).toMatchObject({ code: "unexpected", message: "going down" });
  });

  it("The driver refuses more values than SQL Server accepts", async () => {
    const { peer, source } = await sourceWith([]);
    expect(await failureOf(source.query({ text: "q" }, Array(2099).fill("x")))).toMatchObject({
      code: "not-supported",
      message: expect.stringContaining("has 2099 values to compare or write, and SQL Server takes 2098"),
    });
    expect(peer.requests).toEqual([]);
  });

  it("The driver names the right that explain requires", async () => {
    const message = "SHOWPLAN permission denied in database 'shop'.";
    const { source } = await sourceWith([[], [{ error: 262, message, severity: 14 }]]);
    expect(await failureOf(source.explain({ text: "select 1" }, []))).toMatchObject({
      code: "permission-denied",
      message: 'plans require the permission SHOWPLAN: run "grant showplan to [user]" in the database',
    });
  });

  it("The driver explains a statement on a separate connection", async () => {
    const plan = { columns: [{ name: "StmtText", type: "nvarchar" }], rows: [["select 1"], ["  |--Scan"]] } as const;
    const { peer, source } = await sourceWith([[], [plan], [json("1")]]);
    expect(await source.explain({ text: "select 1" }, [])).toEqual(["select 1", "  |--Scan"]);
    expect(await source.query({ text: "q" }, [])).toEqual([["1"]]);
    expect(peer.requests.map(({ kind }) => kind)).toEqual(["batch", "batch", "execute"]);
  });
});
