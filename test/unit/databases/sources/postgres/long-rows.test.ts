import { describe, expect, it } from "vitest";
import { LongRows } from "../../../../../runtime/databases/sources/postgres/long-rows.ts";
import { AnswerMemory } from "../../../../../runtime/values/answer-memory.ts";

/** A message as the server sends it. */
function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, "latin1");
  head.writeUInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

const row = (bytes: number, fill = "x"): Buffer => message("D", Buffer.alloc(bytes, fill));
const complete = message("C", Buffer.from("SELECT 1\0"));
const ready = message("Z", Buffer.from("I"));

function rowsOver(memory: AnswerMemory) {
  const passed: Buffer[] = [];
  const calls: string[] = [];
  const stream = {
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
    destroy: (error?: Error) => void calls.push(`destroy: ${error?.message}`),
  };
  // Its memory is used again.
  const pass = (bytes: Buffer): void => void passed.push(Buffer.from(bytes));
  const rows = new LongRows({ stream: stream as never, memory, pass });
  return { rows, calls, passed };
}

/** Pieces of these lengths, in turns. */
function split(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const length = lengths[n % lengths.length] as number;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("LongRows", () => {
  const long = [row(70_000, "a"), row(2_000_000, "b")];
  const sent = Buffer.concat([row(10), ready, row(65_000), ...long, complete, ready, row(0), ready]);

  it.each([[[1]], [[2, 3]], [[8192]], [[65_536]], [[5, 100_000]], [[10_000_000]], [[4, 1, 70_005, 3]]])(
    "passes on all that is sent in pieces of %j, and long rows that came in parts as one",
    async (lengths) => {
      const memory = new AnswerMemory(Number.POSITIVE_INFINITY);
      const { rows, calls, passed } = rowsOver(memory);
      for (const piece of split(sent, lengths)) rows.take(piece);
      expect(Buffer.concat(passed).equals(sent)).toBe(true);
      const isOne = (each: Buffer): boolean => passed.some((piece) => piece.equals(each));
      expect(long.every(isOne) || passed.length === 1).toBe(true);
      expect(calls).toEqual([]);
      await turn();
      expect(memory.taken).toBe(0);
    },
  );

  it("does not read on until there is room for a long row, which is counted until its statement is answered", async () => {
    const memory = new AnswerMemory(150_000);
    const { rows, calls, passed } = rowsOver(memory);
    memory.take(100_000);
    const answer = Buffer.concat([row(100_000), complete, ready]);
    rows.take(answer.subarray(0, 50_000));
    expect([rows.isWaiting, calls, passed]).toEqual([true, ["pause"], []]);
    memory.give(100_000);
    expect([rows.isWaiting, calls]).toEqual([false, ["pause", "resume"]]);
    expect(memory.taken).toBe(100_005);
    rows.take(answer.subarray(50_000));
    expect(Buffer.concat(passed).equals(answer)).toBe(true);
    expect(memory.taken).toBe(100_005);
    await turn();
    expect(memory.taken).toBe(0);
  });

  it("never lets a statement that has room wait for more", () => {
    const memory = new AnswerMemory(150_000);
    const { rows, calls } = rowsOver(memory);
    for (const piece of split(Buffer.concat([row(100_000), row(100_000)]), [8192])) rows.take(piece);
    expect([calls, memory.taken]).toEqual([[], 200_010]);
  });

  it("gives up its room and its place when the connection ends", () => {
    const memory = new AnswerMemory(150_000);
    const [one, other, third] = [rowsOver(memory), rowsOver(memory), rowsOver(memory)];
    for (const { rows } of [one, other, third]) rows.take(row(100_000).subarray(0, 1000));
    expect([one, other, third].map(({ rows }) => rows.isWaiting)).toEqual([false, true, true]);
    other.rows.close();
    one.rows.close();
    expect([other.rows.isWaiting, third.rows.isWaiting, memory.taken]).toEqual([false, false, 100_005]);
    third.rows.close();
    expect([memory.taken, memory.lacking]).toEqual([0, -150_000]);
  });

  it("ends a connection whose row no text can hold", () => {
    const { rows, calls } = rowsOver(new AnswerMemory(Number.POSITIVE_INFINITY));
    const head = Buffer.from([0x44, 0x3f, 0xff, 0xff, 0xff, 0, 1]);
    rows.take(head);
    expect(calls).toEqual([expect.stringMatching(/^destroy: a row of 1073741824 bytes is longer than \d+$/)]);
  });
});
