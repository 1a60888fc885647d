/**
 * A state → the Generation that serves it. Modules are emitted, stripped of their types and evaluated when a request
 * first needs them; what did not change since the last Generation is neither emitted nor compiled again.
 */
import { compile, type Program } from "../../compiler/index.ts";
import type { Generation, SchemaUser } from "../execute/generation.ts";
import type { Guard } from "../execute/guard/guard.ts";
import { type AllowListScope, guardOf } from "../execute/guard/guard-rules.ts";
import { IntrospectionCache } from "../execute/introspection.ts";
import { PlanCache } from "../execute/plan-cache.ts";
import { CodeCache } from "../load/code-cache.ts";
import { ModuleLoader } from "../load/module-loader.ts";
import type { DatabaseSource } from "../sources/source.ts";
import * as support from "../support/index.ts";
import type { RouteNode } from "../support/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../support/roots.ts";
import { type RoleSchema, roleSchema, type SchemaApi } from "../support/schema/role-schema.ts";
import type { SourceRegistry } from "./source-registry.ts";
import type { State } from "./state.ts";

export interface GenerationSettings {
  readonly sources: Pick<SourceRegistry, "database">;
  readonly planCacheSize: number;
  /** Which entries of the allow-list count; `null`: it is switched off. */
  readonly allowList: AllowListScope | null;
}

export class GenerationBuilder {
  readonly #settings: GenerationSettings;
  readonly #code = new CodeCache();
  readonly #plans: PlanCache;
  #program: Program | undefined;

  constructor(settings: GenerationSettings) {
    this.#settings = settings;
    this.#plans = new PlanCache(settings.planCacheSize);
  }

  build({ catalog, analysis, resourceVersion }: Omit<State, "introspections" | "remoteIntrospections">): Generation {
    const program = compile({ analysis, previous: this.#program });
    this.#program = program;
    const loader = new ModuleLoader({ program, support, cache: this.#code });
    const sources = new Map<string, DatabaseSource>();
    for (const [name, { source }] of analysis.sources) sources.set(name, this.#settings.sources.database(source));
    this.#plans.clear();
    const { tls_allowlist: tlsAllowlist } = catalog.network;
    const guard = guardOf(catalog, this.#settings.allowList);
    return new LoadedGeneration({ resourceVersion, tlsAllowlist, guard, program, loader, sources, plans: this.#plans });
  }
}

interface GenerationParts extends Pick<Generation, "resourceVersion" | "tlsAllowlist" | "guard" | "sources" | "plans"> {
  readonly program: Program;
  readonly loader: ModuleLoader;
}

class LoadedGeneration implements Generation {
  readonly resourceVersion: number;
  readonly tlsAllowlist: Generation["tlsAllowlist"];
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  readonly guard: Guard;
  readonly plans: PlanCache;
  readonly introspections = new IntrospectionCache();
  readonly #program: Program;
  readonly #loader: ModuleLoader;
  readonly #schemas = new Map<string, RoleSchema>();

  constructor({ resourceVersion, tlsAllowlist, guard, program, loader, sources, plans }: GenerationParts) {
    this.guard = guard;
    this.resourceVersion = resourceVersion;
    this.tlsAllowlist = tlsAllowlist;
    this.sources = sources;
    this.plans = plans;
    this.#program = program;
    this.#loader = loader;
  }

  schemaOf({ role, backendOnly }: SchemaUser, api: SchemaApi = "graphql"): RoleSchema {
    const path = this.#program.roleModule(role);
    // Where no permission is for backends only, both variants are the same.
    const variant = backendOnly && this.#program.hasBackendSchema(role) ? "backend" : "frontend";
    const key = `${path} ${variant} ${api}`;
    let schema = this.#schemas.get(key);
    if (!schema) {
      const { role: definition } = this.#loader.require(path) as { readonly role: RoleDefinition };
      schema = roleSchema(definition, variant, api === "relay" ? this.#relayOf(role) : undefined);
      this.#schemas.set(key, schema);
    }
    return schema;
  }

  #relayOf(role: string): RelayDefinition {
    const { relay } = this.#loader.require(this.#program.relayModule(role)) as { readonly relay: RelayDefinition };
    return relay;
  }

  restRoutes(): RouteNode | undefined {
    const path = this.#program.restRoutes();
    if (path === undefined) return undefined;
    const { routes } = this.#loader.require(path) as { readonly routes: RouteNode };
    return routes;
  }

  subgraphOf({ role, backendOnly }: SchemaUser): string {
    const variant = backendOnly && this.#program.hasBackendSchema(role) ? "backend" : "frontend";
    return this.#program.module(this.#program.subgraphSchema(role, variant)).text;
  }
}
