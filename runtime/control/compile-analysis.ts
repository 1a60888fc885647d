/**
 * From an Analysis on, for the live server and for every command: its Program, loaded; its saved operations planned;
 * those that cannot be run reported.
 */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import {
  compile,
  type PlannedProgram,
  type Program,
  plan,
  type RoleSchemas,
  reportFaults,
} from "../../compiler/index.ts";
import type { RelayDefinition, RoleDefinition } from "../model/definitions/roots.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";
import { roleSchema } from "../model/schema/role-schema.ts";
import * as support from "../model/support/index.ts";
import { CodeCache } from "./load/code-cache.ts";
import { ModuleLoader } from "./load/module-loader.ts";

/** All that one version of the metadata was compiled to. Immutable; files are made and loaded when first asked for. */
export interface Compiled {
  /** The Analysis, with the saved operations that admin cannot run among what is inconsistent. */
  readonly analysis: Analysis;
  readonly program: Program;
  readonly loader: ModuleLoader;
  readonly planned: PlannedProgram;
}

export interface CompileSettings {
  readonly analysis: Analysis;
  /** What is the same as there is neither emitted nor planned again. */
  readonly previous?: Pick<Compiled, "program" | "planned"> | undefined;
  /** How saved operations are planned. */
  readonly planning: PlanOptions;
  /** Whether there is a file for programs that ask saved operations. */
  readonly client?: boolean | undefined;
  /** Shared by the programs of one process; absent: there will be no other. */
  readonly code?: CodeCache;
}

export function compileAnalysis(settings: CompileSettings): Compiled {
  const { analysis, previous, planning, client, code = new CodeCache() } = settings;
  const program = compile({ analysis, previous: previous?.program });
  const loader = new ModuleLoader({ program, support, cache: code });
  const schemas = loadedSchemas(program, loader);
  const planned = plan({ program, schemas, options: planning, client, previous: previous?.planned });
  return { analysis: reportFaults(analysis, planned.faults()), program, loader, planned };
}

function loadedSchemas(program: Program, loader: ModuleLoader): RoleSchemas {
  const relayOf = (role: string): RelayDefinition => {
    const { relay } = loader.require(program.relayModule(role)) as { readonly relay: RelayDefinition };
    return relay;
  };
  return {
    // A schema of its own: what another operation has looked at would not be seen to be used.
    use: ({ role, variant, api }, use) =>
      loader.track((modules) => {
        const { role: definition } = loader.require(program.roleModule(role)) as { readonly role: RoleDefinition };
        return use(roleSchema(definition, variant, api === "relay" ? relayOf(role) : undefined), modules);
      }),
  };
}
