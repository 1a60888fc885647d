/** Statements that are retried after a deadlock, an outdated snapshot, or a lost connection; over a socket. */
import { afterEach, describe, expect, it } from "vitest";
import { openMssql } from "../../../../../runtime/databases/sources/mssql/open-mssql.ts";
import { resolveMssqlSettings } from "../../../../../runtime/databases/sources/mssql/settings.ts";
import type { DatabaseSource } from "../../../../../runtime/databases/sources/source.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer, type TdsRequest } from "../../../../support/tds-peer.ts";

const open: { peer?: TdsPeer; source?: DatabaseSource } = {};

afterEach(async () => {
  await open.source?.close();
  await open.peer?.close();
});

/** Opens a source whose server returns the next of these responses for each statement and each commit. */
async function sourceWith(
  answers: readonly (readonly TdsAnswer[])[],
  kinds: readonly TdsRequest["kind"][] = ["execute"],
) {
  const waiting = [...answers];
  const peer = await startTdsPeer(({ kind }) => (kinds.includes(kind) ? (waiting.shift() ?? []) : []));
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const source = openMssql(resolveMssqlSettings("shop", { connection_string }, { variables: {} }));
  Object.assign(open, { peer, source });
  return { peer, source };
}

const one: TdsAnswer = { columns: [{ name: "", type: "nvarchar" }], rows: [["1"]] };
const deadlock: readonly TdsAnswer[] = [
  { error: 1205, message: "Transaction was deadlocked", severity: 13 },
  "rolled back",
];
const outdated: readonly TdsAnswer[] = [
  { error: 3960, message: "Snapshot isolation transaction aborted due to update conflict" },
  "rolled back",
];
const ends: readonly TdsAnswer[] = ["disconnect"];

const kindsOf = ({ requests }: TdsPeer) => requests.map(({ kind }) => kind);
const concurrent = { code: "concurrent-update", message: "serialization failure due to concurrent update" };
const disconnected = { code: "unexpected", message: "mssql connection error" };

describe.each([
  ["a deadlock", deadlock, concurrent],
  ["an outdated snapshot", outdated, concurrent],
  ["a lost connection", ends, disconnected],
])("Retries on SQL Server after %s", (_, failure, error) => {
  it("A failed read is sent a second time and not a third time", async () => {
    const { peer, source } = await sourceWith([failure, [one], failure, failure]);
    expect(await source.query({ text: "select" }, [])).toEqual([["1"]]);
    expect(kindsOf(peer)).toEqual(["execute", "execute"]);
    await expect(source.query({ text: "select" }, [])).rejects.toMatchObject(error);
    expect(kindsOf(peer)).toEqual(["execute", "execute", "execute", "execute"]);
  });

  it("A failed read that calls a procedure is not sent again", async () => {
    const { peer, source } = await sourceWith([failure]);
    await expect(source.query({ text: "insert into #t exec dbo.p" }, [])).rejects.toMatchObject(error);
    expect(kindsOf(peer)).toEqual(["execute"]);
  });

  it("A failed transaction of one statement starts again", async () => {
    const { peer, source } = await sourceWith([failure, [one]]);
    let looks = 0;
    const beforeSending = async () => void looks++;
    expect(await source.executeAlone({ beforeSending }, { text: "write" }, [])).toEqual([["1"]]);
    expect(kindsOf(peer)).toEqual(["begin", "execute", "begin", "execute", "commit"]);
    expect(looks).toBe(2);
  });

  it("A failed transaction starts again only if its work is repeatable", async () => {
    const { peer, source } = await sourceWith([[one], failure, [one], [one], [one], failure]);
    const work = (repeatable: boolean) =>
      source.transaction(repeatable ? { repeatable } : {}, async (transaction) => {
        await transaction.query({ text: "first" }, []);
        return transaction.query({ text: "second" }, []);
      });
    expect(await work(true)).toEqual([["1"]]);
    const anew = ["begin", "execute", "execute", "begin", "execute", "execute", "commit"];
    expect(kindsOf(peer)).toEqual(anew);
    await expect(work(false)).rejects.toMatchObject(error);
    expect(kindsOf(peer)).toEqual([...anew, "begin", "execute", "execute"]);
  });
});

describe("Commits on SQL Server", () => {
  it("A commit whose response is lost is not sent again", async () => {
    const { peer, source } = await sourceWith([[one], ends], ["execute", "commit"]);
    await expect(source.executeAlone({}, { text: "write" }, [])).rejects.toMatchObject(disconnected);
    expect(kindsOf(peer)).toEqual(["begin", "execute", "commit"]);
  });
});
