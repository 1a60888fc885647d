/** An Analysis → its program with its modules loaded when they are first used; saved operations are planned with them. */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import type { Inconsistency } from "../../compiler/2-analyze/inconsistency.ts";
import { schemaFaultEntry } from "../../compiler/2-analyze/rules/collection-queries.ts";
import type { Catalog } from "../../compiler/catalog/model.ts";
import { compile, type Program, type RoleSchemas } from "../../compiler/index.ts";
import { CodeCache } from "../load/code-cache.ts";
import { ModuleLoader } from "../load/module-loader.ts";
import * as support from "../support/index.ts";
import type { RelayDefinition, RoleDefinition } from "../support/roots.ts";
import { roleSchema } from "../support/schema/role-schema.ts";
import type { PlanOptions } from "../support/select/context.ts";

export interface LoadedProgram {
  readonly program: Program;
  readonly loader: ModuleLoader;
}

export interface LoadSettings {
  readonly analysis: Analysis;
  readonly previous?: Program | undefined;
  /** How saved operations are planned. */
  readonly options: PlanOptions;
  /** Whether there is a file for programs that ask saved operations. */
  readonly client?: boolean | undefined;
  /** Shared by the programs of one process; absent: there will be no other. */
  readonly cache?: CodeCache;
}

/** What is wrong with saved operations, on the schema of admin, as entries. */
export function savedOperationFaults(program: Program, catalog: Catalog): readonly Inconsistency[] {
  return program.savedOperationFaults().map(({ operation, faults }) => schemaFaultEntry(catalog, operation, faults));
}

export function loadProgram({
  analysis,
  previous,
  options,
  client,
  cache = new CodeCache(),
}: LoadSettings): LoadedProgram {
  const schemas = (own: Program): RoleSchemas => ({
    // A schema of its own: what another operation has looked at would not be seen to be used.
    use: ({ role, variant, api }, use) =>
      loader.track(() => {
        const { role: definition } = loader.require(own.roleModule(role)) as { readonly role: RoleDefinition };
        return use(roleSchema(definition, variant, api === "relay" ? relayOf(own, role) : undefined));
      }),
  });
  const relayOf = (own: Program, role: string): RelayDefinition => {
    const { relay } = loader.require(own.relayModule(role)) as { readonly relay: RelayDefinition };
    return relay;
  };
  const program = compile({ analysis, previous, planning: { schemas, options }, client });
  const loader = new ModuleLoader({ program, support, cache });
  return { program, loader };
}
