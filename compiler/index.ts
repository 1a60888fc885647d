/**
 * The compiler's last two phases: Analysis → generated files. Pure and lazy: nothing is lowered or emitted before it
 * is asked for.
 */
import { Program, type ProgramSettings } from "./4-emit/program.ts";

export type { GeneratedFile } from "./4-emit/generated-file.ts";
export type { Planning, Program } from "./4-emit/program.ts";
export type { RoleSchemas, SavedOperationFault } from "./4-emit/saved-planner.ts";

/** The generated files of an Analysis. */
export function compile(settings: ProgramSettings): Program {
  return new Program(settings);
}
