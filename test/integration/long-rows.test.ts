/** Rows that wait for room, at a real server. */
import { describe, expect, it } from "vitest";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { AnswerMemory } from "../../runtime/values/answer-memory.ts";
import { failure, one, open, useDatabase } from "../support/postgres-source.ts";

useDatabase();

const most = 10_000_000;
/** Of a silence in which a server is asked whether it is still at work. */
const silence = 200;
const longText = "select repeat('é', 1000000)";

function openOver(answerMemory: AnswerMemory, connections = 1): DatabaseSource {
  return open({ pool_settings: { max_connections: connections } }, {}, { look: 10, silence }, { answerMemory });
}

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("long rows", () => {
  it("come as they are, and leave no room taken", async () => {
    const memory = new AnswerMemory(most);
    const source = openOver(memory, 4);
    const texts = await Promise.all(Array.from({ length: 40 }, () => one(source, longText)));
    expect(new Set(texts)).toEqual(new Set(["é".repeat(1_000_000)]));
    await expect.poll(() => memory.taken).toBe(0);
  });

  it("wait for room, without being taken for lost, while short ones come", async () => {
    const memory = new AnswerMemory(most);
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
    memory.give(most);
    expect(await long).toHaveLength(1_000_000);
    await expect.poll(() => memory.taken).toBe(0);
  });

  it("do not wait when nobody waits for them", async () => {
    const memory = new AnswerMemory(most);
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
});
