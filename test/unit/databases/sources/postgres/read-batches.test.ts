import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type Read, ReadBatches } from "../../../../../runtime/databases/sources/postgres/read-batches.ts";

/** Names of the sent statements. */
let sent: string[];
/** Names of the statements that were cancelled. */
let cancelled: string[];
/** The duration of each statement in milliseconds. */
let costs: Record<string, number>;
/** In milliseconds. */
let clock: number;
let batches: ReadBatches;
let statements: Map<string, { text: string; name: string }>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setImmediate", "setTimeout", "clearTimeout"] });
  clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  sent = [];
  cancelled = [];
  costs = {};
  statements = new Map();
  batches = new ReadBatches((reads, sentNow) => {
    const names = reads.map(({ statement }) => statement.name ?? "");
    sent.push(names.join(" "));
    const completed = sentNow(reads.length > 1 ? () => cancel() : undefined);
    let cancel = (): void => undefined;
    const answerFrom = (i: number): void => {
      const name = names[i];
      if (name === undefined) return;
      const milliseconds = costs[name] ?? 0.1;
      const answer = (): void => {
        completed();
        answerFrom(i + 1);
      };
      if (milliseconds < 50) {
        clock += milliseconds;
        answer();
        return;
      }
      const timer = setTimeout(answer, milliseconds);
      cancel = () => {
        cancelled.push(name);
        clearTimeout(timer);
        answer();
      };
    };
    answerFrom(0);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function wait(milliseconds: number): void {
  clock += milliseconds;
  vi.advanceTimersByTime(milliseconds);
}

function read(name: string): Read {
  const statement = statements.get(name) ?? { text: `select '${name}'`, name };
  statements.set(name, statement);
  return { statement, values: [], resolve: () => undefined, reject: () => undefined };
}

/** Adds reads in one turn, and returns the names of the statements sent for them. */
function turn(names: string): readonly string[] {
  sent = [];
  for (const name of names.split(" ")) batches.add(read(name));
  wait(0);
  return sent;
}

describe("Read batches of PostgreSQL", () => {
  it("Reads of one turn are batched if they were fast before", () => {
    expect(turn("a b")).toEqual(["a", "b"]);
    expect(turn("a b a c")).toEqual(["c", "a b a"]);
  });

  it("Reads are sent at once if their cost is unknown or high", () => {
    costs = { slow: 1.5 };
    turn("slow quick");
    batches.add(read("slow"));
    batches.add(read("new"));
    expect(sent.slice(-2)).toEqual(["slow", "new"]);
    expect(turn("quick slow quick")).toEqual(["slow", "quick quick"]);
  });

  it("A batch contains at most eight reads in their order", () => {
    turn("a b");
    expect(turn("a b a b a b a b a b")).toEqual(["a b a b a b a b", "a b"]);
  });

  it("A batch contains reads of at most two milliseconds in total", () => {
    costs = { a: 0.9, b: 0.9, c: 0.4 };
    turn("a b c");
    expect(turn("a b c a")).toEqual(["a b", "c a"]);
  });

  it("The cost of a read is about that of the fastest of its recent runs", () => {
    turn("a b");
    costs = { a: 20 };
    expect(turn("a a")).toEqual(["a a"]);
    for (let i = 0; i < 40; i++) turn("a");
    expect(turn("a a")).toEqual(["a", "a"]);
    costs = {};
    turn("a");
    expect(turn("a a")).toEqual(["a a"]);
  });

  /** Runs a read that delays its batch until it is cancelled. */
  function holdUp(name: string): void {
    turn(`a ${name} c`);
    costs = { [name]: 500 };
    for (const each of ["a", name, "c"]) batches.add(read(each));
    wait(105);
    costs = {};
  }

  it("A slow read in a batch is cancelled and runs alone for a while", () => {
    turn("a b c");
    costs = { b: 500 };
    for (const name of ["a", "b", "c"]) batches.add(read(name));
    sent = [];
    wait(49);
    expect([sent, cancelled]).toEqual([["a b c"], []]);
    wait(55);
    expect(cancelled).toEqual(["b"]);
    costs = {};
    expect(turn("a b c")).toEqual(["b", "a c"]);
    wait(100);
    turn("b");
    expect(turn("a b c")).toEqual(["a b c"]);
  });

  it("A read that delays a batch again soon runs alone for twice as long", () => {
    holdUp("b");
    wait(100);
    for (let i = 0; i < 60; i++) turn("b"); // fast
    holdUp("b");
    expect(cancelled).toEqual(["b", "b"]);
    wait(60);
    expect(turn("a b c")).toEqual(["b", "a c"]);
    wait(100);
    turn("b");
    expect(turn("a b c")).toEqual(["a b c"]);
  });

  it("The last read of a batch is never cancelled, because it delays no other read", () => {
    turn("a b");
    costs = { b: 500 };
    batches.add(read("a"));
    batches.add(read("b"));
    wait(400);
    expect(cancelled).toEqual([]);
  });
});
