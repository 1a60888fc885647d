/** `engine check`: checks a project without a server, for CI. */
import { checkProject } from "../check/check-project.ts";
import { writeShapeFile } from "../compile/shape-file.ts";
import { printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

export interface CheckCommandOptions extends Pick<GlobalFlags, "project" | "envfile"> {
  /** Saved Shapes, instead of scratch databases. */
  readonly shape?: string;
  /** If false, no SQL runs. */
  readonly scratch?: boolean;
  readonly shadowUrl?: string;
  /** If true, inconsistent objects are listed as warnings. */
  readonly allowInconsistent?: boolean;
  /** File to which the Shapes are saved if the project is valid. */
  readonly saveShape?: string;
}

/**
 * Resolves to the exit code: 1 if the project has problems.
 * @throws EngineError, ConfigurationError if the project cannot be read, or no scratch database is available
 */
export async function checkCommand(options: CheckCommandOptions): Promise<number> {
  const { shape, shadowUrl, scratch = true, allowInconsistent = false } = options;
  const settings = await readSettings(options, process.env);
  const { problems, warnings, checked, shapes } = await checkProject(settings, {
    shape,
    shadowUrl,
    scratch,
    allowInconsistent,
  });
  printProblems([...warnings, ...problems]);
  if (problems.length > 0) {
    printProblems([problems.length === 1 ? "1 problem" : `${problems.length} problems`]);
    return 1;
  }
  if (options.saveShape !== undefined) await writeShapeFile(options.saveShape, Object.fromEntries(shapes));
  printResult(`valid: ${checked.join(", ")}\n`);
  return 0;
}
