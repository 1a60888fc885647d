import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { brokenCases, type CaseResult, nextBaseline, parseBaseline, readExceptions, suitesOf } from "./baseline.ts";

const results: readonly CaseResult[] = [
  { id: "a.Suite::one", status: "passed" },
  { id: "a.Suite::two", status: "failed", reason: "other body" },
  { id: "b.Suite::three", status: "skipped", reason: "postgis is not installed" },
];

describe("broken cases", () => {
  it("are those of the baseline that failed, were skipped or did not run", () => {
    expect(brokenCases(["a.Suite::one", "a.Suite::two", "b.Suite::three", "c.Gone::four"], results)).toEqual([
      { id: "a.Suite::two", reason: "failed: other body" },
      { id: "b.Suite::three", reason: "skipped: postgis is not installed" },
      { id: "c.Gone::four", reason: "was not run" },
    ]);
  });

  it("outside the baseline do not count", () => {
    expect(brokenCases(["a.Suite::one"], results)).toEqual([]);
  });
});

describe("the next baseline", () => {
  it("gains what passes and loses nothing that fails", () => {
    expect(nextBaseline(["c.Gone::four", "a.Suite::two"], results, new Set())).toEqual([
      "a.Suite::one",
      "a.Suite::two",
      "c.Gone::four",
    ]);
  });

  it("loses and keeps out the exceptions", () => {
    const exceptions = readExceptions(
      "| case | reason |\n| --- | --- |\n| `a.Suite::one` | because |\n| `c.Gone::four` | x |\n",
    );
    expect(nextBaseline(["c.Gone::four"], results, exceptions)).toEqual([]);
  });
});

describe("the suites of a baseline", () => {
  it("match whole names only", () => {
    const suites = new RegExp(suitesOf(["a.Suite::one", "a.Suite::two"]));
    expect(["a.Suite", "a.SuiteTwo", "aXSuite", "x.a.Suite"].filter((suite) => suites.test(suite))).toEqual([
      "a.Suite",
    ]);
  });
});

describe("the stored baseline", () => {
  it("is sorted, without repetition, and names no exception", async () => {
    const ids = parseBaseline(await readFile(new URL("baseline.json", import.meta.url), "utf8"));
    const exceptions = readExceptions(await readFile(new URL("exceptions.md", import.meta.url), "utf8"));
    expect(ids).toEqual(nextBaseline(ids, [], exceptions));
  });
});
