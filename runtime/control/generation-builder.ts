/**
 * A state → the Generation that serves it. Modules are emitted, stripped of their types and evaluated when a request
 * first needs them; what did not change since the last Generation is neither emitted nor compiled again.
 */
import type { SavedQuery } from "../../compiler/2-analyze/analysis.ts";
import type { PlannedProgram, Program } from "../../compiler/index.ts";
import type { RouteNode } from "../definitions/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../definitions/roots.ts";
import type { SavedOperation } from "../definitions/saved/operation.ts";
import type { Generation, SchemaUser } from "../execute/generation.ts";
import type { Guard } from "../execute/guard/guard.ts";
import { type GuardSettings, guardOf } from "../execute/guard/guard-rules.ts";
import { IntrospectionCache } from "../execute/introspection.ts";
import { PlanCache } from "../execute/plan-cache.ts";
import { type PlannedSavedOperation, plannedSavedOperation } from "../execute/saved.ts";
import { SessionSchemas } from "../execute/session-schemas.ts";
import type { ModuleLoader } from "../load/module-loader.ts";
import type { SavedPlans } from "../planner/saved-plans.ts";
import type { OpenApiSettings } from "../ports/rest.ts";
import type { RelayCipher } from "../relay/cipher.ts";
import { type RoleSchema, roleSchema, type SchemaApi, type SchemaVariant } from "../schema/role-schema.ts";
import type { DatabaseSource } from "../sources/source.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { Surroundings } from "./compile-state.ts";
import type { SourceRegistry } from "./source-registry.ts";
import type { State } from "./state.ts";

export interface GenerationSettings {
  readonly sources: Pick<SourceRegistry, "database">;
  readonly planCacheSize: number;
  readonly guard: GuardSettings;
  /** What encrypts Relay ids; `null`: there is no key. */
  readonly relayCipher: RelayCipher | null;
}

export class GenerationBuilder {
  readonly #settings: GenerationSettings;

  constructor(settings: GenerationSettings) {
    this.#settings = settings;
  }

  build({ catalog, resourceVersion, ...compiled }: Omit<State, keyof Surroundings>): Generation {
    const sources = new Map<string, DatabaseSource>();
    for (const [name, { source }] of compiled.analysis.sources) {
      sources.set(name, this.#settings.sources.database(source));
    }
    const { tls_allowlist: tlsAllowlist } = catalog.network;
    const guard = guardOf(catalog, this.#settings.guard);
    const { relayCipher, planCacheSize } = this.#settings;
    return new LoadedGeneration({
      ...compiled,
      resourceVersion,
      tlsAllowlist,
      guard,
      sources,
      plans: new PlanCache(planCacheSize),
      relayCipher,
    });
  }
}

interface GenerationParts
  extends Pick<Compiled, "program" | "planned" | "loader">,
    Pick<Generation, "resourceVersion" | "tlsAllowlist" | "guard" | "sources" | "plans"> {
  readonly relayCipher: RelayCipher | null;
}

class LoadedGeneration implements Generation {
  readonly resourceVersion: number;
  readonly tlsAllowlist: Generation["tlsAllowlist"];
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  readonly guard: Guard;
  readonly plans: PlanCache;
  readonly introspections = new IntrospectionCache();
  readonly #program: Program;
  readonly #planned: PlannedProgram;
  readonly #loader: ModuleLoader;
  readonly #relayCipher: RelayCipher | null;
  readonly #schemas = new Map<string, RoleSchema>();
  readonly #sessionSchemas = new SessionSchemas((user, api) => this.#findSchema(user, api));
  readonly #documents = new Map<string, string>();
  readonly #savedByText: ReadonlyMap<string, SavedQuery>;
  /** By role, variant and operation; `null`: there are no plans. */
  readonly #savedOperations = new Map<string, PlannedSavedOperation | null>();

  constructor(parts: GenerationParts) {
    const { resourceVersion, tlsAllowlist, guard, program, planned, loader, sources, plans, relayCipher } = parts;
    this.guard = guard;
    this.resourceVersion = resourceVersion;
    this.tlsAllowlist = tlsAllowlist;
    this.sources = sources;
    this.plans = plans;
    this.#program = program;
    this.#planned = planned;
    this.#loader = loader;
    this.#relayCipher = relayCipher;
    this.#savedByText = new Map(
      [...program.savedOperations()].flatMap((saved) => [
        [saved.printed, saved],
        [saved.query, saved],
      ]),
    );
  }

  schemaOf(user: SchemaUser, api: SchemaApi = "graphql"): RoleSchema {
    return this.#sessionSchemas.of(user, api);
  }

  #findSchema({ role, backendOnly }: SchemaUser, api: SchemaApi): RoleSchema {
    const path = this.#program.roleModule(role);
    // Where no permission is for backends only, both variants are the same.
    const variant = backendOnly && this.#program.hasBackendSchema(role) ? "backend" : "frontend";
    const key = `${path} ${variant} ${api}`;
    let schema = this.#schemas.get(key);
    if (!schema) {
      const { role: definition } = this.#loader.require(path) as { readonly role: RoleDefinition };
      const relay = api === "relay" ? this.#relayOf(role) : undefined;
      schema = roleSchema(definition, variant, relay, this.#relayCipher);
      this.#schemas.set(key, schema);
    }
    return schema;
  }

  #relayOf(role: string): RelayDefinition {
    const { relay } = this.#loader.require(this.#program.relayModule(role)) as { readonly relay: RelayDefinition };
    return relay;
  }

  savedOperation(user: SchemaUser, text: string): PlannedSavedOperation | undefined {
    const saved = this.#savedByText.get(text);
    // Sessions may name roles that nothing else does, as many as they like: these have no plans.
    if (!saved || !this.#program.hasRole(user.role)) return undefined;
    const variant = user.backendOnly && this.#program.hasBackendSchema(user.role) ? "backend" : "frontend";
    const key = JSON.stringify([user.role, variant, saved.collection, saved.name]);
    let planned = this.#savedOperations.get(key);
    if (planned === undefined) {
      planned = this.#planSaved(saved, user.role, variant) ?? null;
      this.#savedOperations.set(key, planned);
    }
    return planned ?? undefined;
  }

  #planSaved(saved: SavedQuery, role: string, variant: SchemaVariant): PlannedSavedOperation | undefined {
    const path = this.#planned.savedPlans(saved, role, variant);
    if (path === undefined) return undefined;
    const { plans } = this.#loader.require(path, this.#planned.module(path)) as { readonly plans: SavedPlans };
    const shared = this.#loader.require(this.#program.savedOperation(saved)) as { readonly operation: SavedOperation };
    return plannedSavedOperation(shared.operation, plans);
  }

  *planSavedOperations(): Iterable<unknown> {
    for (const { query } of this.#program.savedOperations()) {
      for (const role of this.#program.roles()) {
        yield this.savedOperation({ role, backendOnly: false }, query);
        if (this.#program.hasBackendSchema(role)) yield this.savedOperation({ role, backendOnly: true }, query);
      }
    }
  }

  openApi(settings: OpenApiSettings): string {
    let document = this.#documents.get(settings.form);
    if (document === undefined) {
      document = this.#planned.openApi(settings);
      this.#documents.set(settings.form, document);
    }
    return document;
  }

  restRoutes(): RouteNode | undefined {
    const path = this.#program.restRoutes();
    if (path === undefined) return undefined;
    const { routes } = this.#loader.require(path) as { readonly routes: RouteNode };
    return routes;
  }

  subgraphOf({ role, backendOnly }: SchemaUser): string {
    const variant = backendOnly && this.#program.hasBackendSchema(role) ? "backend" : "frontend";
    return this.#planned.module(this.#planned.subgraphSchema(role, variant)).text;
  }
}
