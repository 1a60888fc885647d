import { describe, expect, it } from "vitest";
import { RowReader } from "../../../../../runtime/databases/sources/postgres/row-reader.ts";
import type { ByteRow } from "../../../../../runtime/databases/sources/source.ts";
import { ResponseMemory } from "../../../../../runtime/values/response-memory.ts";

/** Encodes a message of the server. */
function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, "latin1");
  head.writeUInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

const row = (bytes: number, fill = "x"): Buffer => message("D", Buffer.alloc(bytes, fill));
/** Encodes a row of texts. */
function valuesRow(values: readonly (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  const encoded = values.map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value ?? "")]);
  });
  return message("D", Buffer.concat([count, ...encoded]));
}

const complete = message("C", Buffer.from("SELECT 1\0"));
const ready = message("Z", Buffer.from("I"));

function rowsOver(memory: ResponseMemory, takesBytes = (): boolean => false) {
  const taken: (string | null)[][] = [];
  const passed: Buffer[] = [];
  const calls: string[] = [];
  const stream = {
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
    destroy: (error?: Error) => void calls.push(`destroy: ${error?.message}`),
  };
  // The bytes are copied, because their memory is reused.
  const pass = (bytes: Buffer): void => void passed.push(Buffer.from(bytes));
  const onRow = ({ values }: ByteRow): void => void taken.push(values.map((value) => value?.toString() ?? null));
  const rows = new RowReader({ stream: stream as never, memory, pass, takesBytes, onRow });
  return { rows, calls, passed, taken };
}

/** Splits bytes into pieces of these lengths, alternating. */
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

describe("Rows of PostgreSQL", () => {
  const long = [row(70_000, "a"), row(2_000_000, "b")];
  const sent = Buffer.concat([row(10), ready, row(65_000), ...long, complete, ready, row(0), ready]);

  it.each([[[1]], [[2, 3]], [[8192]], [[65_536]], [[5, 100_000]], [[10_000_000]], [[4, 1, 70_005, 3]]])(
    "Data in pieces of %j is passed on completely, and each long row as one piece",
    async (lengths) => {
      const memory = new ResponseMemory(Number.POSITIVE_INFINITY);
      const { rows, calls, passed } = rowsOver(memory);
      for (const piece of split(sent, lengths)) rows.take(piece);
      expect(Buffer.concat(passed).equals(sent)).toBe(true);
      const isOne = (each: Buffer): boolean => passed.some((piece) => piece.equals(each));
      // Rows that arrive at once are not assembled.
      expect(long.every(isOne) || (lengths[0] ?? 0) >= sent.length).toBe(true);
      expect(calls).toEqual([]);
      await turn();
      expect(memory.taken).toBe(0);
    },
  );

  it("Reading pauses until there is memory for a long row, which is counted until its statement completes", async () => {
    const memory = new ResponseMemory(150_000);
    const { rows, calls, passed } = rowsOver(memory);
    memory.take(100_000);
    const answer = Buffer.concat([row(100_000), complete, ready]);
    rows.take(answer.subarray(0, 50_000));
    expect([rows.isWaiting, calls, passed]).toEqual([true, ["pause"], []]);
    memory.release(100_000);
    expect([rows.isWaiting, calls]).toEqual([false, ["pause", "resume"]]);
    expect(memory.taken).toBe(100_005);
    rows.take(answer.subarray(50_000));
    expect(Buffer.concat(passed).equals(answer)).toBe(true);
    expect(memory.taken).toBe(100_005);
    await turn();
    expect(memory.taken).toBe(0);
  });

  it("A statement that already has memory never waits for more", () => {
    const memory = new ResponseMemory(150_000);
    const { rows, calls } = rowsOver(memory);
    for (const piece of split(Buffer.concat([row(100_000), row(100_000)]), [8192])) rows.take(piece);
    expect([calls, memory.taken]).toEqual([[], 200_010]);
  });

  it("A closed connection releases its memory and its place in the queue", () => {
    const memory = new ResponseMemory(150_000);
    const [one, other, third] = [rowsOver(memory), rowsOver(memory), rowsOver(memory)];
    for (const { rows } of [one, other, third]) rows.take(row(100_000).subarray(0, 1000));
    expect([one, other, third].map(({ rows }) => rows.isWaiting)).toEqual([false, true, true]);
    other.rows.close();
    one.rows.close();
    expect([other.rows.isWaiting, third.rows.isWaiting, memory.taken]).toEqual([false, false, 100_005]);
    third.rows.close();
    expect([memory.taken, memory.lacking]).toEqual([0, -150_000]);
  });

  it.each([[[1]], [[2, 3]], [[8192]], [[5, 100_000]], [[10_000_000]], [[4, 1, 70_005, 3]]])(
    "In data in pieces of %j, long rows of statements that take bytes are taken, and the driver receives the rest",
    (lengths) => {
      const memory = new ResponseMemory(Number.POSITIVE_INFINITY);
      const texts = [["é".repeat(1500), null, ""], ["x".repeat(70_000)], ["€".repeat(50_000), "1"]] as const;
      const short = valuesRow(["short"]);
      // The driver decodes the rows of the second statement.
      const sent = [valuesRow(texts[0]), short, valuesRow(texts[1]), complete, valuesRow(texts[0]), complete, ready];
      const last = [valuesRow(texts[2]), complete, ready];
      const completed = () => Buffer.concat(passed).toString("latin1").split(complete.toString("latin1")).length - 1;
      const { rows, passed, taken } = rowsOver(memory, () => completed() !== 1);
      for (const piece of split(Buffer.concat([...sent, ...last]), lengths)) rows.take(piece);
      expect(taken).toEqual(texts);
      const rest = [short, complete, valuesRow(texts[0]), complete, ready, complete, ready];
      expect(Buffer.concat(passed).equals(Buffer.concat(rest))).toBe(true);
    },
  );

  it("A short part of the received data is copied, so that keeping it does not keep the data", () => {
    const kept: Buffer[] = [];
    const onRow = ({ values: [value] }: ByteRow): void => {
      if (Buffer.isBuffer(value)) kept.push(value);
    };
    const parts = { stream: {} as never, memory: new ResponseMemory(0), pass: () => undefined, takesBytes: () => true };
    const rows = new RowReader({ ...parts, onRow });
    const received = Buffer.concat([valuesRow(["a".repeat(3000)]), valuesRow(["b".repeat(30_000)]), complete]);
    rows.take(received);
    expect(kept.map(({ length }) => length)).toEqual([3000, 30_000]);
    expect(kept.map(({ buffer }) => buffer === received.buffer)).toEqual([false, true]);
  });

  it("A row longer than the longest string ends the connection", () => {
    const { rows, calls } = rowsOver(new ResponseMemory(Number.POSITIVE_INFINITY));
    const head = Buffer.from([0x44, 0x3f, 0xff, 0xff, 0xff, 0, 1]);
    rows.take(head);
    expect(calls).toEqual([expect.stringMatching(/^destroy: a row of 1073741824 bytes is longer than \d+$/)]);
  });
});
