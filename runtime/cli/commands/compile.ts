/**
 * `engine compile`: metadata and Shapes → generated files in a folder. Without a database, unless it is asked to
 * introspect one.
 */
import { type AnalyzedInput, analyzeInput, leftOut, report } from "../compile/analyze-input.ts";
import { writeOutput } from "../compile/output-folder.ts";

export interface CompileCommandOptions extends AnalyzedInput {
  /** The folder to write. */
  readonly out: string;
}

/**
 * Resolves to the exit code: 1, with a diagnostic for each mistake, when the metadata is invalid or inconsistent;
 * then nothing is written.
 * @throws EngineError when files or the database cannot be read, or the folder cannot be written
 */
export async function compileCommand(options: CompileCommandOptions): Promise<number> {
  const { out } = options;
  const input = await analyzeInput(options);
  if ("problems" in input) return report(input.problems);
  const { planned } = input;
  const files = new Map(planned.paths().map((path) => [path, planned.module(path).text]));
  const { written, changed, removed } = await writeOutput(out, files);
  process.stderr.write(leftOut(input, options.metadata));
  process.stdout.write(`wrote ${written} files to ${out}: ${changed} changed, ${removed} removed\n`);
  return 0;
}
