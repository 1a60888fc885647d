/** Statements that are cancelled in the database, and the connections they ran on. */
import { describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { database, failure, one, open, openSingle, useDatabase } from "../support/postgres-source.ts";

useDatabase();

const activeStatements = async (): Promise<number> => {
  const text =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()";
  return Number((await query(database.url, text))[0]?.n);
};

describe("Cancelling all statements", () => {
  it("cancelAll ends reads, writes and transactions in the database", async () => {
    const source = open();
    const sleep = { text: "select pg_sleep(60)::text" };
    const failures = [
      failure(source.query(sleep, [])),
      failure(source.execute(sleep, [])),
      failure(source.executeAlone({ readOnly: true }, sleep, [])),
      failure(source.transaction({}, (transaction) => transaction.query(sleep, []))),
    ];
    await expect.poll(activeStatements).toBe(4);
    expect(await source.cancelAll()).toBe(4);
    for (const error of await Promise.all(failures)) {
      expect(error).toMatchObject({ code: "unexpected", status: 500, message: "database query error" });
    }
    expect(await activeStatements()).toBe(0);
  });

  it("cancelAll never cancels the next statement on a connection", async () => {
    const source = openSingle();
    for (let i = 0; i < 30; i++) {
      const first = source.query({ text: `select ${i}::text from pg_sleep(0.002)` }, []).catch(() => undefined);
      const second = one(source, `select '${i}'`);
      await new Promise((resolve) => setTimeout(resolve, i % 4));
      // Cancels the first statement, the second or none, but never a later one.
      const cancelling = source.cancelAll();
      const third = one(source, "select 'third' from pg_sleep(0.005)");
      await Promise.allSettled([first, second, cancelling]);
      expect(await third).toBe("third");
    }
  });

  it("cancelAll refuses statements that wait for a connection", async () => {
    const source = openSingle();
    const running = failure(source.query({ text: "select pg_sleep(60)::text" }, []));
    const waiting = failure(source.query({ text: "select 1" }, []));
    await expect.poll(() => source.connections?.waiting).toBe(1);
    expect(await source.cancelAll()).toBe(2);
    expect(await waiting).toMatchObject({ code: "unexpected", message: "the request was cancelled" });
    await running;
  });

  it("cancelAll has no effect without running statements", async () => {
    const source = open();
    await one(source, "select 1");
    expect(await source.cancelAll()).toBe(0);
  });
});

describe("Statements of disconnected callers", () => {
  const sleep = { text: "select pg_sleep(60)::text" };

  it("Reads of a disconnected caller are cancelled, and waiting ones never start", async () => {
    const source = openSingle();
    const caller = new AbortController();
    await query(database.url, "create sequence begun");
    const failures = [
      failure(source.query(sleep, [], caller.signal)),
      failure(source.query({ text: "select nextval('begun')" }, [], caller.signal)),
      failure(source.executeAlone({ readOnly: true, caller: caller.signal }, sleep, [])),
    ];
    await expect.poll(activeStatements).toBe(1);
    const other = one(source, "select 'other'");
    caller.abort();
    for (const error of await Promise.all(failures)) {
      expect(error).toMatchObject({ status: 499, message: "the request was cancelled" });
    }
    expect(await other).toBe("other");
    expect(await one(source, "select is_called from begun")).toBe("f");
  });

  it("A shared read continues if one of its callers disconnects", async () => {
    const source = openSingle();
    const caller = new AbortController();
    const statement = { text: "select pg_sleep(0.4)::text || 'done'" };
    const [mine, other] = [
      source.query(statement, [], caller.signal).catch(() => "cancelled"),
      one(source, statement.text),
    ];
    await expect.poll(activeStatements).toBe(1);
    caller.abort();
    expect(await mine).toBe("cancelled");
    expect(await other).toBe("done");
  });
});
