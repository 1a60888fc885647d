/**
 * A Generation whose modules are emitted, stripped of their types and evaluated when a request first needs them; what
 * did not change since the last Generation is neither emitted nor compiled again. Roles none of whose modules changed
 * are taken over, with their schemas and the plans of their operations.
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
import type { SavedPlans } from "../model/planner/saved-plans.ts";
import type { RoleDefinitions, SchemaApi, SchemaVariant } from "../model/schema/role-schema.ts";
import type { Interruptible } from "../values/interruptible.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { ModuleLoader } from "./load/module-loader.ts";
import { RoleLoaders } from "./load/role-loaders.ts";

export interface LoadedGenerationParts
  extends Pick<Compiled, "program" | "planned" | "loader">,
    Omit<GenerationParts<SavedQuery>, "savedOperations"> {}

export class LoadedGeneration extends BaseGeneration<SavedQuery> {
  readonly #program: Program;
  readonly #planned: PlannedProgram;
  /** Of saved operations and REST endpoints. */
  readonly #loader: ModuleLoader;
  readonly #roles: RoleLoaders;
  readonly #documents = new Map<string, string>();

  /** @param previous the Generation that this one takes the place of; absent: it is one of a draft, or the first */
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

  /** What requests would do otherwise, a piece at a time: takes over the other roles, plans saved operations. */
  *prepare(): Iterable<unknown> {
    yield* this.#takeOverRoles();
    yield* this.planSavedOperations();
  }

  /** A role that neither a request nor this has taken over by the next change starts anew then. */
  *#takeOverRoles(): Interruptible<void> {
    yield* this.#roles.takeOver();
    for (const [path, loader] of this.#roles.all()) {
      this.schemasOf(definedIn(loader, path));
      yield;
    }
    this.forgetPrevious();
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

  /** Of modules that are loaded for it alone: those of thousands of tables would stay as long as the metadata. */
  protected unkeptDefinitions(role: string, api: SchemaApi): () => RoleDefinitions {
    const loader = this.#loaderOf(role);
    const path = this.#program.roleModule(role);
    const relayPath = api === "relay" ? this.#program.relayModule(role) : undefined;
    return () => {
      const own = loader.forkPassing();
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

  protected subgraph(role: string, variant: SchemaVariant): string {
    return this.#planned.module(this.#planned.subgraphSchema(role, variant)).text;
  }

  *planSavedOperations(): Iterable<unknown> {
    for (const { query } of this.#program.savedOperations()) {
      for (const role of this.#program.roles()) {
        yield this.savedOperation({ role, backendOnly: false }, query);
        if (this.#program.hasBackendSchema(role)) yield this.savedOperation({ role, backendOnly: true }, query);
      }
    }
  }

  openApi(role: string): string | undefined {
    let document = this.#documents.get(role);
    if (document === undefined) {
      document = this.#planned.openApi(role);
      if (document !== undefined) this.#documents.set(role, document);
    }
    return document;
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
