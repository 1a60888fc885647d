/**
 * The baseline: ids of conformance cases that must continue to pass. Input: the stored list, the exceptions, and the
 * results of a run. Output: the broken cases and the next list.
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

/**
 * Returns cases of the baseline that did not pass. A case that did not run is broken too, since it may have been
 * renamed or skipped.
 */
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

/** Returns the baseline with newly passing cases. Only cases listed as exceptions are removed. */
export function nextBaseline(
  baseline: readonly string[],
  results: readonly CaseResult[],
  exceptions: ReadonlySet<string>,
): string[] {
  const passed = results.filter((result) => result.status === "passed").map((result) => result.id);
  const kept = [...new Set([...baseline, ...passed])].filter((id) => !exceptions.has(id));
  return kept.sort((left, right) => (left < right ? -1 : 1));
}

/** Returns the ids in the first column of the table in `exceptions.md`: `` | `id` | reason | ``. */
export function readExceptions(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/^\| *`([^`]+)` *\|/gm)].flatMap((match) => match[1] ?? []));
}

/** Returns a regular expression that matches the suites of these cases. A case id is `<suite>::<name>`. */
export function suitesOf(ids: readonly string[]): string {
  const suites = [...new Set(ids.map((id) => id.split("::")[0] ?? id))];
  return `^(?:${suites.map((suite) => suite.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`;
}

/** Parses the stored list. @throws Error if the text is not a JSON list of ids */
export function parseBaseline(text: string): string[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || value.some((id) => typeof id !== "string"))
    throw new Error("baseline.json is not a list of ids");
  return value as string[];
}

/** Parses the results in the runner's `--json` file. */
export function parseResults(text: string): readonly CaseResult[] {
  const value: unknown = JSON.parse(text);
  const results = typeof value === "object" && value !== null && "results" in value ? value.results : undefined;
  if (!Array.isArray(results)) throw new Error("the runner's JSON file has no list of results");
  return results as readonly CaseResult[];
}
