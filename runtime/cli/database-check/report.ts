/** Results of `engine database check`: a table for people, the file for reports, and JUnit XML. */
import { seconds, xml, xmlText } from "../junit.ts";
import type { Target } from "./check-database.ts";
import type { CaseResult } from "./run-suites.ts";
import { secretsOf, withoutSecrets } from "./secrets.ts";

export interface CheckReport {
  /** Version of this form. */
  readonly format: 1;
  readonly engine: string;
  readonly node: string;
  readonly kind: Target["kind"];
  readonly server: Target["facts"];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly milliseconds: number;
  readonly suites: readonly SuiteReport[];
}

interface SuiteReport {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly milliseconds: number;
  readonly cases: readonly Omit<CaseResult, "suite">[];
}

const count = (results: readonly Pick<CaseResult, "outcome">[], outcome: CaseResult["outcome"]): number =>
  results.filter((each) => each.outcome === outcome).length;

const counts = (results: readonly Pick<CaseResult, "outcome" | "milliseconds">[]) => ({
  passed: count(results, "passed"),
  failed: count(results, "failed"),
  skipped: count(results, "skipped"),
  milliseconds: results.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
});

/** Returns a result whose texts lack user, password, host and database. @param url the one of the command line */
export function withoutSecretsOf(url: string, result: CaseResult): CaseResult {
  const secrets = secretsOf(new URL(url));
  const { reason, statement } = result;
  return {
    ...result,
    ...(reason !== undefined && { reason: withoutSecrets(reason, secrets) }),
    ...(statement !== undefined && { statement: withoutSecrets(statement, secrets) }),
  };
}

export function checkReport(
  { kind, facts }: Pick<Target, "kind" | "facts">,
  results: readonly CaseResult[],
  version: string,
): CheckReport {
  const suites = [...new Set(results.map(({ suite }) => suite))].map((name): SuiteReport => {
    const own = results.filter(({ suite }) => suite === name);
    return { name, ...counts(own), cases: own.map(({ suite: _, ...result }) => result) };
  });
  return { format: 1, engine: version, node: process.version, kind, server: facts, ...counts(results), suites };
}

/** Returns a Markdown table with a line for each suite and the first failure of each, and the sums. */
export function tableOf({ suites, ...all }: CheckReport): string {
  const rows = [
    ["suite", "passed", "failed", "skipped", "seconds", "first failure"],
    ...[...suites, { ...all, name: "all", cases: [] }].map((row) => [
      row.name,
      String(row.passed),
      String(row.failed),
      String(row.skipped),
      (row.milliseconds / 1000).toFixed(1),
      firstFailure(row.cases),
    ]),
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  const isText = (i: number): boolean => i === 0 || i === widths.length - 1;
  const cell = (text: string, i: number): string =>
    isText(i) ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0);
  const lines = rows.map((row) => row.map(cell));
  lines.splice(
    1,
    0,
    widths.map((width) => "-".repeat(width)),
  );
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** Longest text of a failure in the table; the result file has the whole text. */
const maxLength = 80;

function firstFailure(cases: SuiteReport["cases"]): string {
  const failed = cases.find(({ outcome }) => outcome === "failed");
  if (failed === undefined) return "";
  const text = `${failed.name}: ${failed.reason}`.replace(/\s+/g, " ").replaceAll("|", "\\|");
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

export function junitOf({ suites, ...all }: CheckReport): string {
  const attributes = (row: Omit<SuiteReport, "cases" | "name">): string =>
    `tests="${row.passed + row.failed + row.skipped}" failures="${row.failed}" skipped="${row.skipped}" time="${seconds(row.milliseconds)}"`;
  const shown = suites.map(({ name, cases, ...row }) => {
    const lines = cases.map((each) => junitCase(name, each)).join("");
    return `  <testsuite name=${xml(name)} ${attributes(row)}>\n${lines}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="engine database check" ${attributes(all)}>\n${shown.join("")}</testsuites>\n`;
}

function junitCase(
  suite: string,
  { name, outcome, milliseconds, reason = "", statement }: Omit<CaseResult, "suite">,
): string {
  const head = `    <testcase name=${xml(name)} classname=${xml(suite)} time="${seconds(milliseconds)}"`;
  if (outcome === "passed") return `${head}/>\n`;
  if (outcome === "skipped") return `${head}>\n      <skipped message=${xml(reason)}/>\n    </testcase>\n`;
  return `${head}>\n      <failure message=${xml(reason)}>${xmlText(statement ?? "")}</failure>\n    </testcase>\n`;
}
