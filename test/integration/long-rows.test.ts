/** Rows that wait for memory, on a real server. */
import { describe, expect, it } from "vitest";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { ResponseMemory } from "../../runtime/values/response-memory.ts";
import { failure, one, open, useDatabase } from "../support/postgres-source.ts";

useDatabase();

const most = 10_000_000;
/** Silence in milliseconds after which a server is probed. */
const silence = 200;
const longText = "select repeat('é', 1000000)";

function openOver(responseMemory: ResponseMemory, connections = 1): DatabaseSource {
  return open({ pool_settings: { max_connections: connections } }, {}, { tick: 10, silence }, { responseMemory });
}

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("Long rows from PostgreSQL", () => {
  it("Long rows arrive complete and release their memory", async () => {
    const memory = new ResponseMemory(most);
    const source = openOver(memory, 4);
    const texts = await Promise.all(Array.from({ length: 40 }, () => one(source, longText)));
    expect(new Set(texts)).toEqual(new Set(["é".repeat(1_000_000)]));
    await expect.poll(() => memory.taken).toBe(0);
  });

  it("Long rows wait for memory without timing out while short rows arrive", async () => {
    const memory = new ResponseMemory(most);
    const source = openOver(memory, 2);
    memory.take(most);
    let isThere = false;
    const long = one(source, longText).finally(() => {
      isThere = true;
    });
    await expect.poll(() => memory.lacking).toBeGreaterThan(0);
    for (const end = performance.now() + 3 * silence; performance.now() < end; await delay(20)) {
      expect(await one(source, "select 'short'")).toBe("short");
    }
    expect(isThere).toBe(false);
    memory.release(most);
    expect(await long).toHaveLength(1_000_000);
    await expect.poll(() => memory.taken).toBe(0);
  });

  it("Long rows of a disconnected caller do not wait for memory", async () => {
    const memory = new ResponseMemory(most);
    const source = openOver(memory);
    memory.take(most);
    const caller = { aborted: false };
    const long = failure(source.query({ text: longText, onlyReads: true }, [], caller));
    await expect.poll(() => memory.lacking).toBeGreaterThan(0);
    caller.aborted = true;
    expect(await long).toMatchObject({ status: 499, message: "the request was cancelled" });
    expect(await one(source, "select 'next'")).toBe("next");
    expect(memory.lacking).toBe(0);
  });

  it("Rows are bytes only while the session's encoding is UTF-8", async () => {
    const source = openOver(new ResponseMemory(most));
    const bytes = async () =>
      (await source.bytes?.query({ text: "select repeat(chr(233), 3000), null, 'a'" }, []))?.map(
        ({ values }) => values,
      );
    expect(await bytes()).toEqual([[Buffer.from("é".repeat(3000)), null, Buffer.from("a")]]);
    await one(source, "select set_config('client_encoding', 'LATIN1', false)");
    expect(await bytes()).toEqual([["\uFFFD".repeat(3000), null, "a"]]);
  });

  it("Rows are bytes also in transactions with settings and time limits, and all rows of a statement arrive", async () => {
    const source = openOver(new ResponseMemory(most));
    const text = "select i::text, repeat(i::text, i * 1500) from generate_series(1, 3) i";
    const bytesOf = (...texts: string[]) => texts.map((each) => Buffer.from(each));
    const expected = [["1", "1".repeat(1500)], bytesOf("2", "2".repeat(3000)), bytesOf("3", "3".repeat(4500))];
    const limited = { readOnly: true, timeoutMilliseconds: 5000 };
    for (const options of [{}, { readOnly: true }, { readOnly: true, user: "{}" }, limited]) {
      const rows = await source.bytes?.executeAlone(options, { text }, []);
      expect(rows?.map(({ values }) => values)).toEqual(expected);
    }
    const late = { readOnly: true, timeoutMilliseconds: 50 };
    const cancelled = source.bytes?.executeAlone(late, { text: "select pg_sleep(5)" }, []);
    expect((await failure(cancelled ?? Promise.resolve())).status).toBe(500);
    const server = open({}, {}, {}, { readOnly: true });
    expect((await server.bytes?.query({ text }, []))?.map(({ values }) => values)).toEqual(expected);
  });

  it("A long row as bytes holds its own memory until it is released", async () => {
    const memory = new ResponseMemory(most);
    const source = openOver(memory);
    const [row] = (await source.bytes?.query({ text: longText }, [])) ?? [];
    await expect.poll(() => memory.taken).toBe(0);
    const [value] = row?.values ?? [];
    expect(Buffer.from("é".repeat(1_000_000)).equals(value as Buffer)).toBe(true);
    for (const each of row?.memory ?? []) each.release();
    expect(value).toHaveLength(0);
  });
});
