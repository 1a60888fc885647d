/**
 * Compiles metadata in five steps. Two steps need files, databases or remote servers, so callers run them and pass in
 * the results, which a server keeps from change to change:
 *
 * 1. Parse: the metadata as a document → Catalog (`readMetadataDocument`, `catalog/upgrade.ts`).
 * 2. Introspect: each database and remote schema → its Shape (`introspect`, `1-introspect/introspect.ts`).
 *
 * The other steps are below, and are pure. From step 4 on they are also lazy: a file is lowered and emitted, and a
 * saved operation planned, on first use.
 */
import type { PlanOptions } from "../runtime/model/planner/select/context.ts";
import type { Analysis } from "./2-analyze/analysis.ts";
import { type AnalysisInput, analyze } from "./2-analyze/analyze.ts";
import { PlannedProgram } from "./5-plan/planned-program.ts";
import { reportFaults } from "./5-plan/report.ts";
import type { RoleSchemas } from "./5-plan/saved-planner.ts";
import { ok, type Result } from "./diagnostics/diagnostic.ts";
import { Program, type ProgramSettings } from "./program/program.ts";

export type { PlannedProgram } from "./5-plan/planned-program.ts";
export type { RoleSchemas, SavedOperationFault } from "./5-plan/saved-planner.ts";
export type { Program } from "./program/program.ts";

/** The result of compiling one version of the metadata. Immutable; files are emitted on first use. */
export interface Compiled {
  /** The Analysis; its inconsistencies include the saved operations that admin cannot run. */
  readonly analysis: Analysis;
  readonly program: Program;
  readonly planned: PlannedProgram;
}

interface CompileSettings {
  /** The result of an earlier compile, whose unchanged parts are reused. */
  readonly previous?: Pick<Compiled, "program" | "planned"> | undefined;
  /** Options for planning saved operations. */
  readonly planning: PlanOptions;
  /** If true, the output has typed documents of the saved operations for client programs. */
  readonly client?: boolean | undefined;
  /** Loads the modules of a program on first use, and returns the schemas that they declare. */
  readonly load: (program: Program) => RoleSchemas;
}

export type MetadataToCompile = Omit<AnalysisInput, "previous"> & CompileSettings;

/** Compiles metadata. Returns the errors of `analyze`: metadata that cannot be served even without inconsistent objects. */
export function compileMetadata(input: MetadataToCompile): Result<Compiled> {
  // 3. Analyse: Catalog and Shapes → Analysis, every reference bound.
  const analysis = analyze({ ...input, previous: input.previous?.program.analysis });
  return analysis.ok ? ok(compileAnalysis({ ...input, analysis: analysis.value })) : analysis;
}

export type AnalysisToCompile = Pick<ProgramSettings, "analysis"> & CompileSettings;

export function compileAnalysis({ analysis, previous, planning, client, load }: AnalysisToCompile): Compiled {
  // 4. Lower and emit: Analysis → Program, whose files follow from the Analysis alone.
  const program = compile({ analysis, previous: previous?.program });
  // 5. Load the program's modules and plan on the schemas that they declare: saved operations, SDL, OpenAPI.
  const schemas = load(program);
  const planned = new PlannedProgram({ program, schemas, options: planning, client, previous: previous?.planned });
  // Saved operations are checked last, on the schema that is served.
  return { analysis: reportFaults(analysis, planned.faults()), program, planned };
}

/** Returns the files that are generated from an Analysis alone. */
export function compile(settings: ProgramSettings): Program {
  return new Program(settings);
}
