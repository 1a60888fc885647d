/**
 * The compiler after the Analysis: Analysis → Program; its modules loaded, which is the runtime's; Program → all files
 * and what is wrong with saved operations. Pure and lazy: nothing is lowered, emitted or planned before it is asked for.
 */

import { PlannedProgram, type PlannedProgramSettings } from "./5-plan/planned-program.ts";
import { Program, type ProgramSettings } from "./program/program.ts";

export type { PlannedProgram } from "./5-plan/planned-program.ts";
export { reportFaults } from "./5-plan/report.ts";
export type { RoleSchemas, SavedOperationFault } from "./5-plan/saved-planner.ts";

export type { Program } from "./program/program.ts";

/** The generated files that follow from an Analysis alone. */
export function compile(settings: ProgramSettings): Program {
  return new Program(settings);
}

/** The rest of the files, on the schemas that the modules of a program declare. */
export function plan(settings: PlannedProgramSettings): PlannedProgram {
  return new PlannedProgram(settings);
}
