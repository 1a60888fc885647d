/**
 * A generation whose modules are emitted, stripped of their types and evaluated when a request first needs them. Modules
 * that are unchanged since the last generation are neither emitted nor compiled again. Roles without changed modules are
 * carried over, with their schemas and the plans of their operations.
 */
import type { SavedQuery } from "../../compiler/2-analyze/analysis.ts";
import type { PlannedProgram, Program } from "../../compiler/index.ts";
import { BaseGeneration, type GenerationParts, type GenerationSettings } from "../execute/base-generation.ts";
import { type PlannedSavedOperation, plannedSavedOperation } from "../execute/saved.ts";
import type { ActionDefinition } from "../model/definitions/actions/action.ts";
import type { EventTriggerDefinition } from "../model/definitions/events/event-trigger.ts";
import type { RouteNode } from "../model/definitions/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../model/definitions/roots.ts";
import type { SavedOperation } from "../model/definitions/saved/operation.ts";
import type { CronTriggerDefinition } from "../model/definitions/schedules/cron-trigger.ts";
import type { RoleTool } from "../model/definitions/tools/agent-tool.ts";
import type { SavedPlans } from "../model/planner/saved-plans.ts";
import type { RoleDefinitions, SchemaApi, SchemaVariant } from "../model/schema/role-schema.ts";
import { type Interruptible, runToCompletion } from "../values/interruptible.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { ModuleLoader } from "./load/module-loader.ts";

export interface LoadedGenerationParts
  extends Pick<Compiled, "program" | "planned" | "loader">,
    Omit<GenerationParts<SavedQuery>, "savedOperations"> {}

export class LoadedGeneration extends BaseGeneration<SavedQuery> {
  readonly #program: Program;
  readonly #planned: PlannedProgram;
  /** Loads modules that belong to no role, such as saved operations and REST routes. */
  readonly #loader: ModuleLoader;
  readonly #roles: RoleLoaders;

  /** @param previous the generation that this one replaces; absent for the first and for drafts */
  constructor(
    { program, planned, loader, ...parts }: LoadedGenerationParts,
    settings: GenerationSettings,
    previous?: LoadedGeneration,
  ) {
    const saved = [...program.savedOperations()];
    const savedOperations = saved.map((each) => ({ texts: [each.printed, each.query], saved: each }));
    super({ ...parts, savedOperations }, settings, previous);
    this.#program = program;
    this.#planned = planned;
    this.#loader = loader;
    this.#roles = new RoleLoaders(loader, previous ? previous.#roles : undefined);
  }

  /** Carries over the remaining roles and plans saved operations, in steps, before requests need them. */
  *prepare(): Iterable<unknown> {
    yield* this.#carryOverRoles();
    yield* this.planSavedOperations();
  }

  /** Carries over unchanged roles. A role not carried over before the next change is loaded from scratch. */
  *#carryOverRoles(): Interruptible<void> {
    yield* this.#roles.carryOver();
    for (const [path, loader] of this.#roles.all()) {
      this.schemasOf(definedIn(loader, path));
      yield;
    }
    this.releasePrevious();
  }

  protected hasRole(role: string): boolean {
    return this.#program.hasRole(role);
  }

  protected definitionOf(role: string): RoleDefinition {
    return definedIn(this.#loaderOf(role), this.#program.roleModule(role));
  }

  protected relayOf(role: string): RelayDefinition {
    return relayIn(this.#loaderOf(role), this.#program.relayModule(role));
  }

  /** Loads modules for one traversal of the schema. Otherwise, modules of thousands of tables would stay in memory. */
  protected transientDefinitions(role: string, api: SchemaApi): () => RoleDefinitions {
    const loader = this.#loaderOf(role);
    const path = this.#program.roleModule(role);
    const relayPath = api === "relay" ? this.#program.relayModule(role) : undefined;
    return () => {
      const own = loader.forkTransient();
      return { definition: definedIn(own, path), relay: relayPath === undefined ? undefined : relayIn(own, relayPath) };
    };
  }

  protected hasBackendSchema(role: string): boolean {
    return this.#program.hasBackendSchema(role);
  }

  protected planSaved(saved: SavedQuery, role: string, variant: SchemaVariant): PlannedSavedOperation | undefined {
    const path = this.#planned.savedPlans(saved, role, variant);
    if (path === undefined) return undefined;
    const { plans } = this.#loader.require(path, this.#planned.module(path)) as { readonly plans: SavedPlans };
    const shared = this.#loader.require(this.#program.savedOperation(saved)) as { readonly operation: SavedOperation };
    return plannedSavedOperation(shared.operation, plans);
  }

  protected toolsOf(role: string, variant: SchemaVariant): readonly RoleTool[] {
    return this.#planned.deriveTools(role, this.schemaOf({ role, backendOnly: variant === "backend" }));
  }

  protected subgraph(role: string, variant: SchemaVariant): string {
    return this.#planned.file(this.#planned.subgraphSchema(role, variant)).text;
  }

  *planSavedOperations(): Iterable<unknown> {
    for (const { query } of this.#program.savedOperations()) {
      for (const role of this.#program.roles()) {
        yield this.savedOperation({ role, backendOnly: false }, query);
        if (this.#program.hasBackendSchema(role)) yield this.savedOperation({ role, backendOnly: true }, query);
      }
    }
  }

  openApiRoles(): Iterable<string> {
    return this.#program.roles();
  }

  restRoutes(): RouteNode | undefined {
    const path = this.#program.restRoutes();
    if (path === undefined) return undefined;
    const { routes } = this.#loader.require(path) as { readonly routes: RouteNode };
    return routes;
  }

  cronTriggers(): readonly CronTriggerDefinition[] {
    return this.#program.cronTriggers().map((path) => {
      const { trigger } = this.#loader.require(path) as { readonly trigger: CronTriggerDefinition };
      return trigger;
    });
  }

  asynchronousActions(): readonly ActionDefinition[] {
    return this.#program.asynchronousActions().map((path) => {
      const { action } = this.#loader.require(path) as { readonly action: ActionDefinition };
      return action;
    });
  }

  eventTriggers(): readonly EventTriggerDefinition[] {
    return this.#program.eventTriggers().map((path) => {
      const { trigger } = this.#loader.require(path) as { readonly trigger: EventTriggerDefinition };
      return trigger;
    });
  }

  #loaderOf(role: string): ModuleLoader {
    return this.#roles.of(this.#program.roleModule(role));
  }
}

function definedIn(loader: ModuleLoader, path: string): RoleDefinition {
  return (loader.require(path) as { readonly role: RoleDefinition }).role;
}

function relayIn(loader: ModuleLoader, path: string): RelayDefinition {
  return (loader.require(path) as { readonly relay: RelayDefinition }).relay;
}

/**
 * Maximum number of modules that a request compares. A comparison of more modules would delay the request by more than
 * 10 ms, and runs only in the background.
 */
const maxModulesPerRequest = 500;

/**
 * The loaders of the roles of one generation, each with separate modules. The next generation reuses the loaders of
 * unchanged roles, with everything derived from their modules.
 *
 * A loader is carried over only if every module that it has loaded has the same text in the new program: definitions of a
 * role are derived from loaded modules only, and later modules are loaded from the new program.
 */
export class RoleLoaders {
  readonly #base: ModuleLoader;
  /** Loaders by the path of the role's module. */
  readonly #loaders = new Map<string, ModuleLoader>();
  /** Loaders that the previous generation has used or carried over. */
  #earlier: ReadonlyMap<string, ModuleLoader> | undefined;

  /** @param base a loader of the program, whose loaded modules are not used */
  constructor(base: ModuleLoader, previous?: RoleLoaders) {
    this.#base = base;
    this.#earlier = previous ? previous.#loaders : undefined;
  }

  /** Returns the loader of a role, carried over from the previous generation if its loaded modules are unchanged. */
  of(path: string): ModuleLoader {
    let loader = this.#loaders.get(path);
    if (loader === undefined) {
      loader = this.#carriedOver(path) ?? this.#base.fork();
      this.#loaders.set(path, loader);
    }
    return loader;
  }

  /** Returns the loaders in use so far, by the path of the role's module. */
  all(): ReadonlyMap<string, ModuleLoader> {
    return this.#loaders;
  }

  /** Carries over the unchanged loaders that no request has used yet. */
  *carryOver(): Interruptible<void> {
    for (const [path, loader] of this.#earlier ?? []) {
      if (this.#loaders.has(path) || !(yield* loader.isCurrentIn(this.#base))) continue;
      // A request may have used the loader during the comparison.
      if (this.#loaders.has(path)) continue;
      loader.follow(this.#base);
      this.#loaders.set(path, loader);
    }
    this.#earlier = undefined;
  }

  #carriedOver(path: string): ModuleLoader | undefined {
    const loader = this.#earlier?.get(path);
    if (loader === undefined || loader.size > maxModulesPerRequest) return undefined;
    if (!runToCompletion(loader.isCurrentIn(this.#base))) return undefined;
    loader.follow(this.#base);
    return loader;
  }
}
