/** `engine check`: checks a project without a server, for CI. */
import { checkProject, type RanFiles } from "../check/check-project.ts";
import { writeShapeFile } from "../compile/shape-file.ts";
import { printDone, printProblems, printResult, recordResult } from "../project/output.ts";
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
  const { problems, warnings, ran, shapes } = await checkProject(settings, {
    shape,
    shadowUrl,
    scratch,
    allowInconsistent,
  });
  printProblems([...warnings, ...problems]);
  const result = { valid: problems.length === 0, errors: problems.length, databases: ran };
  if (problems.length > 0) {
    recordResult(result);
    printDone(problems.length === 1 ? "1 problem" : `${problems.length} problems`);
    return 1;
  }
  if (options.saveShape !== undefined) await writeShapeFile(options.saveShape, Object.fromEntries(shapes));
  printResult(`valid: ${["metadata", ...ran.map(ranText)].join(", ")}\n`, result);
  return 0;
}

function ranText({ source, migrations, seeds }: RanFiles): string {
  return `${counted(migrations, "migration")} and ${counted(seeds, "seed")} of ${source}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
