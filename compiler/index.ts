/**
 * The compiler's last two phases: Analysis → generated files. Pure and lazy: nothing is lowered or emitted before it
 * is asked for.
 */
import { Program, type ProgramSettings } from "./4-emit/program.ts";

export type { GeneratedFile, Planning, Program, RoleSchemas, SavedOperationFault } from "./4-emit/program.ts";

/** The generated files of an Analysis. */
export function compile(settings: ProgramSettings): Program {
  return new Program(settings);
}
