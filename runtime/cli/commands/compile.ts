/** `engine compile`: writes generated files from metadata and Shapes. Connects to a database only with `--database`. */
import { type AnalyzedInput, analyzeInput, leftOutProblems, report } from "../compile/analyze-input.ts";
import { writeOutput } from "../compile/output-folder.ts";
import { printProblems, printResult } from "../project/output.ts";

export interface CompileCommandOptions extends AnalyzedInput {
  /** The folder to write. */
  readonly out: string;
}

/**
 * Resolves to the exit code. Prints diagnostics, writes nothing and resolves to 1 if the metadata is invalid or
 * inconsistent.
 * @throws EngineError if files or the database cannot be read, or the folder cannot be written
 */
export async function compileCommand(options: CompileCommandOptions): Promise<number> {
  const { out } = options;
  const input = await analyzeInput(options);
  if ("problems" in input) return report(input.problems);
  const { planned } = input;
  const files = new Map(planned.paths().map((path) => [path, planned.file(path).text]));
  const { written, changed, removed } = await writeOutput(out, files);
  printProblems(leftOutProblems(input, options.metadata));
  printResult(`wrote ${written} files to ${out}: ${changed} changed, ${removed} removed\n`, {
    out,
    written,
    changed,
    removed,
  });
  return 0;
}
