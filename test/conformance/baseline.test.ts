import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { brokenCases, type CaseResult, nextBaseline, parseBaseline, readExceptions, suitesOf } from "./baseline.ts";

const results: readonly CaseResult[] = [
  { id: "a.Suite::one", status: "passed" },
  { id: "a.Suite::two", status: "failed", reason: "other body" },
  { id: "b.Suite::three", status: "skipped", reason: "postgis is not installed" },
];

describe("Broken conformance cases", () => {
  it("Cases of the baseline that failed, were skipped or did not run are broken", () => {
    expect(brokenCases(["a.Suite::one", "a.Suite::two", "b.Suite::three", "c.Gone::four"], results)).toEqual([
      { id: "a.Suite::two", reason: "failed: other body" },
      { id: "b.Suite::three", reason: "skipped: postgis is not installed" },
      { id: "c.Gone::four", reason: "was not run" },
    ]);
  });

  it("Cases outside the baseline are not broken", () => {
    expect(brokenCases(["a.Suite::one"], results)).toEqual([]);
  });
});

describe("The next baseline", () => {
  it("The next baseline gains passing cases and keeps failing ones", () => {
    expect(nextBaseline(["c.Gone::four", "a.Suite::two"], results, new Set())).toEqual([
      "a.Suite::one",
      "a.Suite::two",
      "c.Gone::four",
    ]);
  });

  it("The next baseline excludes exceptions", () => {
    const exceptions = readExceptions(
      "| case | reason |\n| --- | --- |\n| `a.Suite::one` | because |\n| `c.Gone::four` | x |\n",
    );
    expect(nextBaseline(["c.Gone::four"], results, exceptions)).toEqual([]);
  });
});

describe("The suites of a baseline", () => {
  it("The suites of a baseline match only whole names", () => {
    const suites = new RegExp(suitesOf(["a.Suite::one", "a.Suite::two"]));
    expect(["a.Suite", "a.SuiteTwo", "aXSuite", "x.a.Suite"].filter((suite) => suites.test(suite))).toEqual([
      "a.Suite",
    ]);
  });
});

describe("The stored baseline", () => {
  it("The stored baseline is sorted, without repetition and without exceptions", async () => {
    const ids = parseBaseline(await readFile(new URL("baseline.json", import.meta.url), "utf8"));
    const exceptions = readExceptions(await readFile(new URL("exceptions.md", import.meta.url), "utf8"));
    expect(ids).toEqual(nextBaseline(ids, [], exceptions));
  });
});
