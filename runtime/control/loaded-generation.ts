/**
 * A Generation whose modules are emitted, stripped of their types and evaluated when a request first needs them; what
 * did not change since the last Generation is neither emitted nor compiled again.
 */
import type { SavedQuery } from "../../compiler/2-analyze/analysis.ts";
import type { PlannedProgram, Program } from "../../compiler/index.ts";
import type { EventTriggerDefinition } from "../definitions/events/event-trigger.ts";
import type { RouteNode } from "../definitions/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../definitions/roots.ts";
import type { SavedOperation } from "../definitions/saved/operation.ts";
import type { CronTriggerDefinition } from "../definitions/schedules/cron-trigger.ts";
import { BaseGeneration, type GenerationParts, type GenerationSettings } from "../execute/base-generation.ts";
import { type PlannedSavedOperation, plannedSavedOperation } from "../execute/saved.ts";
import type { ModuleLoader } from "../load/module-loader.ts";
import type { SavedPlans } from "../planner/saved-plans.ts";
import type { OpenApiSettings } from "../ports/rest.ts";
import type { SchemaVariant } from "../schema/role-schema.ts";
import type { Compiled } from "./compile-analysis.ts";

export interface LoadedGenerationParts
  extends Pick<Compiled, "program" | "planned" | "loader">,
    Omit<GenerationParts<SavedQuery>, "savedOperations"> {}

export class LoadedGeneration extends BaseGeneration<SavedQuery> {
  readonly #program: Program;
  readonly #planned: PlannedProgram;
  readonly #loader: ModuleLoader;
  readonly #documents = new Map<string, string>();

  constructor({ program, planned, loader, ...parts }: LoadedGenerationParts, settings: GenerationSettings) {
    const saved = [...program.savedOperations()];
    const savedOperations = saved.map((each) => ({ texts: [each.printed, each.query], saved: each }));
    super({ ...parts, savedOperations }, settings);
    this.#program = program;
    this.#planned = planned;
    this.#loader = loader;
  }

  protected hasRole(role: string): boolean {
    return this.#program.hasRole(role);
  }

  protected definitionOf(role: string): RoleDefinition {
    const loaded = this.#loader.require(this.#program.roleModule(role)) as { readonly role: RoleDefinition };
    return loaded.role;
  }

  protected relayOf(role: string): RelayDefinition {
    const { relay } = this.#loader.require(this.#program.relayModule(role)) as { readonly relay: RelayDefinition };
    return relay;
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

  cronTriggers(): readonly CronTriggerDefinition[] {
    return this.#program.cronTriggers().map((path) => {
      const { trigger } = this.#loader.require(path) as { readonly trigger: CronTriggerDefinition };
      return trigger;
    });
  }

  eventTriggers(): readonly EventTriggerDefinition[] {
    return this.#program.eventTriggers().map((path) => {
      const { trigger } = this.#loader.require(path) as { readonly trigger: EventTriggerDefinition };
      return trigger;
    });
  }
}
