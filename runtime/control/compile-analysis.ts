/** The compiler, with the runtime's module loader, for the live server and for commands. */

import type { Result } from "../../compiler/diagnostics/diagnostic.ts";
import * as compiler from "../../compiler/index.ts";
import type { RelayDefinition, RoleDefinition } from "../model/definitions/roots.ts";
import { roleSchema } from "../model/schema/role-schema.ts";
import * as support from "../model/support/index.ts";
import { CodeCache } from "./load/code-cache.ts";
import { ModuleLoader } from "./load/module-loader.ts";

/** Result of compiling one version of the metadata, with the loader of its modules. */
export interface Compiled extends compiler.Compiled {
  readonly loader: ModuleLoader;
}

interface Loading {
  /** Cache shared by the programs of a process; absent if there is only one program. */
  readonly code?: CodeCache;
}

/** Compiles metadata. Fails if it cannot be served even without its inconsistent parts. */
export function compileMetadata(input: Omit<compiler.MetadataToCompile, "load"> & Loading): Result<Compiled> {
  const { load, loaded } = loading(input);
  const result = compiler.compileMetadata({ ...input, load });
  return result.ok ? { ok: true, value: loaded(result.value) } : result;
}

export function compileAnalysis(input: Omit<compiler.AnalysisToCompile, "load"> & Loading): Compiled {
  const { load, loaded } = loading(input);
  return loaded(compiler.compileAnalysis({ ...input, load }));
}

/** Creates the loader of a program when the compiler first needs it. The compiled result contains the same loader. */
function loading({ code = new CodeCache() }: Loading) {
  const loaders = new Map<compiler.Program, ModuleLoader>();
  const loaderOf = (program: compiler.Program): ModuleLoader => {
    const loader = loaders.get(program) ?? new ModuleLoader({ program, support, cache: code });
    loaders.set(program, loader);
    return loader;
  };
  return {
    load: (program: compiler.Program) => loadedSchemas(program, loaderOf(program)),
    loaded: (compiled: compiler.Compiled): Compiled => ({ ...compiled, loader: loaderOf(compiled.program) }),
  };
}

function loadedSchemas(program: compiler.Program, loader: ModuleLoader): compiler.RoleSchemas {
  const relayOf = (role: string): RelayDefinition => {
    const { relay } = loader.require(program.relayModule(role)) as { readonly relay: RelayDefinition };
    return relay;
  };
  return {
    // Each operation gets a new schema, because reads of lazily loaded parts are tracked only the first time.
    use: ({ role, variant, api }, use) =>
      loader.track((modules) => {
        const { role: definition } = loader.require(program.roleModule(role)) as { readonly role: RoleDefinition };
        return use(roleSchema(definition, variant, api === "relay" ? relayOf(role) : undefined), modules);
      }),
  };
}
