/** `engine database check`: runs the suites on a database server, and writes a result file for reports. */
import { writeFile } from "node:fs/promises";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { checkReport, junitOf, tableOf, withoutSecretsOf } from "../database-check/report.ts";
import { type CaseResult, runSuites } from "../database-check/run-suites.ts";
import { secretsOf, withoutSecrets } from "../database-check/secrets.ts";
import { readSuites, selectionOf } from "../database-check/suites.ts";
import { openTarget } from "../database-check/target.ts";
import { exitCodes } from "../exit-codes.ts";
import { problem } from "../problem.ts";
import { printProblems, printResult, printSteps } from "../project/output.ts";
import { version } from "../version.ts";

export interface DatabaseCheckOptions {
  readonly url: string;
  readonly out: string;
  readonly junit?: string;
  readonly only?: readonly string[];
}

/**
 * Resolves to the exit code: 1 if a case failed.
 * @throws ConfigurationError, EngineError if the check cannot run
 */
export async function databaseCheckCommand({ url, out, junit, only = [] }: DatabaseCheckOptions): Promise<number> {
  const suites = await readSuites();
  const selects = selectionOf(only, suites);
  const target = await openTarget(url);
  const results: CaseResult[] = [];
  // The results are worth more than the removal of the tables.
  const close = (): Promise<string | undefined> =>
    target.close().then(
      () => undefined,
      (error: unknown) => withoutSecrets(messageOf(error), secretsOf(new URL(url))),
    );
  try {
    await runSuites({ target, suites, selects, onResult: (result) => add(withoutSecretsOf(url, result)) });
  } catch (error) {
    await close();
    throw error;
  }
  const leftover = await close();
  function add(result: CaseResult): void {
    results.push(result);
    printSteps(lineOf(result));
  }
  const report = checkReport(target, results, version);
  await write(out, `${JSON.stringify(report, null, 2)}\n`);
  if (junit !== undefined) await write(junit, junitOf(report));
  printResult(`${tableOf(report)}results: ${out}\n`, report);
  printProblems([
    ...results
      .filter(({ outcome }) => outcome === "failed")
      .map(({ suite, name, reason = "" }) => problem("error", "check-failed", `${suite}/${name}: ${reason}`)),
    ...(leftover === undefined
      ? []
      : [problem("warning", "check-failed", `the tables of the check were not removed: ${leftover}`)]),
  ]);
  return report.failed === 0 ? exitCodes.done : exitCodes.failed;
}

const lineOf = ({ suite, name, outcome, reason, milliseconds }: CaseResult): string =>
  outcome === "skipped"
    ? `skipped  ${suite}/${name}: ${reason}\n`
    : `${outcome === "failed" ? "FAILED " : "passed "}  ${suite}/${name} (${milliseconds} ms)\n`;

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new EngineError("not-supported", "$", `${path} cannot be written: ${messageOf(error)}`);
  }
}
