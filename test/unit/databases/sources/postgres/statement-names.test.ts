import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  firstRuns,
  laterRuns,
  StatementNames,
} from "../../../../../runtime/databases/sources/postgres/statement-names.ts";

describe("Names of prepared statements", () => {
  it("A statement is prepared from its second use on", () => {
    const names = new StatementNames();
    expect(names.isPrepared("a", "select 1")).toBe(false);
    expect(names.isPrepared("a", "select 1")).toBe(true);
    expect(names.takeForgotten()).toEqual([]);
  });

  it("The least recently used statement is evicted", () => {
    const names = new StatementNames(2);
    names.isPrepared("a", "a");
    names.isPrepared("b", "b");
    names.isPrepared("a", "a");
    names.isPrepared("c", "c");
    expect(names.takeForgotten()).toEqual(["b"]);
    expect(names.takeForgotten()).toEqual([]);
    expect(names.isPrepared("a", "a")).toBe(true);
  });

  it("A name with another text is prepared again", () => {
    const names = new StatementNames();
    names.isPrepared("a", "select 1");
    expect(names.isPrepared("a", "select 2")).toBe(false);
    expect(names.takeForgotten()).toEqual(["a"]);
    expect(names.isPrepared("a", "select 2")).toBe(true);
  });

  it("A forgotten statement is closed before it is prepared again", () => {
    const names = new StatementNames();
    names.isPrepared("a", "a");
    names.forget("a");
    expect(names.isPrepared("a", "a")).toBe(false);
    expect(names.takeForgotten()).toEqual(["a"]);
  });

  it("No statement is closed after the server dropped all of them", () => {
    const names = new StatementNames(1);
    names.isPrepared("a", "a");
    names.isPrepared("b", "b");
    names.clear();
    expect(names.takeForgotten()).toEqual([]);
    expect(names.isPrepared("b", "b")).toBe(false);
  });

  it("A statement is prepared again after 100 runs and then after every 1,000", () => {
    const names = new StatementNames();
    const prepared: number[] = [];
    for (let runs = 0; runs < 3000; runs++) {
      if (names.isPrepared("a", "a")) continue;
      expect(names.takeForgotten()).toEqual(runs === 0 ? [] : ["a"]);
      prepared.push(runs);
    }
    expect(prepared).toEqual([0, firstRuns, firstRuns + laterRuns, firstRuns + 2 * laterRuns]);
    expect([firstRuns, laterRuns]).toEqual([100, 1000]);
  });

  it("The runs of each statement are counted separately", () => {
    const names = new StatementNames();
    const runsUntilPrepared = (name: string, text: string) => {
      let runs = 1;
      while (names.isPrepared(name, text)) runs++;
      return runs;
    };
    names.isPrepared("a", "1");
    names.isPrepared("b", "1");
    expect(runsUntilPrepared("a", "1")).toBe(firstRuns);
    expect(runsUntilPrepared("b", "1")).toBe(firstRuns);
    names.isPrepared("b", "2");
    expect(runsUntilPrepared("b", "2")).toBe(firstRuns);
  });

  it("The names agree with a simulated server and never exceed the bound", () => {
    const use = fc.record({
      name: fc.constantFrom("a", "b", "c", "d", "e"),
      text: fc.constantFrom("1", "2"),
      times: fc.constantFrom(1, 1, 1, firstRuns),
    });
    fc.assert(
      fc.property(fc.array(use), fc.integer({ min: 1, max: 4 }), (uses, max) => {
        const names = new StatementNames(max);
        const server = new Map<string, string>();
        for (const { name, text } of uses.flatMap(({ times, ...each }) => Array.from({ length: times }, () => each))) {
          if (!names.isPrepared(name, text)) {
            for (const closed of names.takeForgotten()) server.delete(closed);
            if (server.has(name)) return false;
            server.set(name, text);
          }
          if (server.get(name) !== text || server.size > max) return false;
        }
        return true;
      }),
    );
  });
});
