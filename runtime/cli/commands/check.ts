/** `engine check`: everything about a project that can be checked without a server, for CI. */
import { checkProject } from "../check/check-project.ts";
import { printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

export interface CheckCommandOptions extends Pick<GlobalFlags, "project" | "envfile"> {
  /** Saved Shapes, in place of databases made of the migrations. */
  readonly shape?: string;
  /** `false`: SQL is not run. */
  readonly scratch?: boolean;
  readonly shadowUrl?: string;
  /** Inconsistent objects are listed, and are no failure. */
  readonly allowInconsistent?: boolean;
}

/**
 * Resolves to the exit code: 1 when something is wrong.
 * @throws EngineError, ConfigurationError when the project cannot be read, or there is no scratch database to be had
 */
export async function checkCommand(options: CheckCommandOptions): Promise<number> {
  const { shape, shadowUrl, scratch = true, allowInconsistent = false } = options;
  const settings = await readSettings(options, process.env);
  const { problems, warnings, looked } = await checkProject(settings, { shape, shadowUrl, scratch, allowInconsistent });
  printProblems([...warnings, ...problems]);
  if (problems.length > 0) {
    printProblems([problems.length === 1 ? "1 problem" : `${problems.length} problems`]);
    return 1;
  }
  printResult(`good: ${looked.join(", ")}\n`);
  return 0;
}
