/** Results of permission tests, kept while the tab is open. */
import { computed, signal } from "@preact/signals";
import { type CaseName, type CaseResult, type ListedCase, runTests } from "../../../http/test-api.ts";
import { levelsOf, type Parents } from "../inheritance.ts";

interface KeptResult extends CaseResult {
  /** Version of the metadata when the case ran. */
  readonly version: number | null;
}

export const results = signal<ReadonlyMap<string, KeptResult>>(new Map());

/** Keys of the cases that run. */
export const running = signal<ReadonlySet<string>>(new Set());

export const isRunning = computed(() => running.value.size > 0);

export const caseKey = ({ file, name }: CaseName): string => JSON.stringify([file, name]);

/**
 * Runs cases, and keeps their results.
 * @returns lines about what did not run
 * @throws ApiError
 */
export async function runCases(cases: readonly CaseName[], version: number | null): Promise<readonly string[]> {
  running.value = new Set(cases.map(caseKey));
  try {
    const { results: received, skipped, problems } = await runTests(cases);
    const next = new Map(results.value);
    for (const { file, name } of cases) next.delete(caseKey({ file, name }));
    for (const result of received) next.set(caseKey(result), { ...result, version });
    results.value = next;
    return skipped === 0 ? problems : [...problems, `${skipped.toLocaleString()} tests did not start within a minute.`];
  } finally {
    running.value = new Set();
  }
}

export interface TestFilter {
  readonly text: string;
  /** Empty for all roles. */
  readonly role: string;
  /** Display name of a table; `null` for all tables. */
  readonly table: string | null;
}

/**
 * Returns the tests that concern a role, or a role that inherits from it, and a table.
 * @param source name of the source of the table
 */
export function concerning(
  cases: readonly ListedCase[],
  { text, role, table }: TestFilter,
  source: string,
  parents: Parents,
): readonly ListedCase[] {
  const wanted = text.trim().toLowerCase();
  const levels = levelsOf(role, parents);
  // The role itself, and the levels below it.
  const roles = new Set(levels.slice(levels.findIndex((level) => level.includes(role))).flat());
  return cases.filter(
    (each) =>
      (role === "" || roles.has(each.role)) &&
      (table === null ||
        each.tables === null ||
        each.tables.some((known) => known.source === source && known.name === table)) &&
      [each.name, each.file, each.session ?? "", each.role].some((part) => part.toLowerCase().includes(wanted)),
  );
}
