/**
 * The compiler's last two phases: Analysis → generated files. Pure and lazy: nothing is lowered or emitted before it
 * is asked for.
 */
import type { Analysis } from "./2-analyze/analysis.ts";
import { Program } from "./4-emit/program.ts";

export type { GeneratedFile, Program } from "./4-emit/program.ts";

/**
 * The generated files of an Analysis.
 * @param previous the program of an earlier Analysis: its files are kept where they depend on nothing that changed
 */
export function compile({ analysis, previous }: { analysis: Analysis; previous?: Program | undefined }): Program {
  return new Program(analysis, previous);
}
