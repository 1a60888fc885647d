/**
 * The baseline: ids of conformance cases that pass, and that have to go on passing.
 * Input: the stored list, the exceptions, a run's results. Output: what is broken, and the next list. Pure.
 */

export interface CaseResult {
  readonly id: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly reason?: string;
}

export interface BrokenCase {
  readonly id: string;
  readonly reason: string;
}

/** Cases of the baseline that did not pass. One that was not run is broken too: it may have been renamed or skipped. */
export function brokenCases(baseline: readonly string[], results: readonly CaseResult[]): BrokenCase[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return baseline.flatMap((id) => {
    const result = byId.get(id);
    if (result?.status === "passed") return [];
    return [
      { id, reason: result === undefined ? "was not run" : `${result.status}: ${result.reason ?? "no reason given"}` },
    ];
  });
}

/** The baseline with newly passing cases. Nothing leaves it but what is listed as an exception. */
export function nextBaseline(
  baseline: readonly string[],
  results: readonly CaseResult[],
  exceptions: ReadonlySet<string>,
): string[] {
  const passed = results.filter((result) => result.status === "passed").map((result) => result.id);
  const kept = [...new Set([...baseline, ...passed])].filter((id) => !exceptions.has(id));
  return kept.sort((left, right) => (left < right ? -1 : 1));
}

/** Ids in the first column of the table in `exceptions.md`: `` | `id` | reason | ``. */
export function readExceptions(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/^\| *`([^`]+)` *\|/gm)].flatMap((match) => match[1] ?? []));
}

/** A regular expression for the suites that these cases belong to; a case's id is `<suite>::<name>`. */
export function suitesOf(ids: readonly string[]): string {
  const suites = [...new Set(ids.map((id) => id.split("::")[0] ?? id))];
  return `^(?:${suites.map((suite) => suite.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`;
}

/** @throws Error when the text is not a JSON list of ids */
export function parseBaseline(text: string): string[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || value.some((id) => typeof id !== "string"))
    throw new Error("baseline.json is not a list of ids");
  return value as string[];
}

/** The results in the runner's `--json` file. */
export function parseResults(text: string): readonly CaseResult[] {
  const value: unknown = JSON.parse(text);
  const results = typeof value === "object" && value !== null && "results" in value ? value.results : undefined;
  if (!Array.isArray(results)) throw new Error("the runner's JSON file has no list of results");
  return results as readonly CaseResult[];
}
