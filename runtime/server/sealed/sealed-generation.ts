/** The only generation of a sealed server: an artifact with its open sources. */

import type { DatabaseSource } from "../../databases/sources/source.ts";
import { BaseGeneration, type GenerationSettings } from "../../execute/base-generation.ts";
import { type PlannedSavedOperation, plannedSavedOperation } from "../../execute/saved.ts";
import { queryTagsOfSources } from "../../execute/tag-statements.ts";
import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { RouteNode } from "../../model/definitions/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../../model/definitions/roots.ts";
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { RoleTool } from "../../model/definitions/tools/agent-tool.ts";
import type { RoleDefinitions, SchemaApi, SchemaVariant } from "../../model/schema/role-schema.ts";
import { invariant } from "../../values/errors.ts";
import type { Artifact, SealedOperation, SealedRole } from "./artifact.ts";

export interface SealedGenerationSettings extends GenerationSettings {
  readonly sources: ReadonlyMap<string, DatabaseSource>;
}

export class SealedGeneration extends BaseGeneration<SealedOperation> {
  readonly #artifact: Artifact;

  constructor(artifact: Artifact, { sources, ...settings }: SealedGenerationSettings) {
    const { tlsAllowlist, guard: guardRules } = artifact.settings;
    const queryTags = queryTagsOfSources(artifact.settings.sources.map(({ name, queryTags: tags }) => [name, tags]));
    const savedOperations = artifact.savedOperations.map((saved) => {
      return { texts: [saved.printed, saved.operation.text], saved };
    });
    super({ resourceVersion: 1, tlsAllowlist, sources, queryTags, guardRules, savedOperations }, settings);
    this.#artifact = artifact;
  }

  protected hasRole(role: string): boolean {
    return this.#artifact.roles.has(role);
  }

  protected definitionOf(role: string): RoleDefinition {
    return this.#roleOf(role).role;
  }

  protected relayOf(role: string): RelayDefinition {
    return this.#roleOf(role).relay;
  }

  /** Returns the definitions of the artifact, which are always in memory. */
  protected transientDefinitions(role: string, api: SchemaApi): () => RoleDefinitions {
    const { role: definition, relay } = this.#roleOf(role);
    return () => ({ definition, relay: api === "relay" ? relay : undefined });
  }

  protected hasBackendSchema(role: string): boolean {
    return this.#roleOf(role).hasBackendSchema;
  }

  protected planSaved(saved: SealedOperation, role: string, variant: SchemaVariant): PlannedSavedOperation | undefined {
    const plans = saved.plans.get(role)?.[variant];
    return plans && plannedSavedOperation(saved.operation, plans);
  }

  protected toolsOf(role: string, variant: SchemaVariant): readonly RoleTool[] {
    return this.#artifact.agentTools?.get(role)?.[variant] ?? [];
  }

  protected subgraph(role: string, variant: SchemaVariant): string {
    const text = this.#roleOf(role).subgraph[variant];
    invariant(text !== undefined, "only subgraphs have a federation schema");
    return text;
  }

  /** Returns nothing: saved operations were planned when the artifact was built. */
  planSavedOperations(): Iterable<never> {
    return [];
  }

  openApiRoles(): Iterable<string> {
    return this.#artifact.roles.keys();
  }

  restRoutes(): RouteNode | undefined {
    return this.#artifact.restRoutes;
  }

  cronTriggers(): readonly CronTriggerDefinition[] {
    return this.#artifact.cronTriggers;
  }

  asynchronousActions(): readonly ActionDefinition[] {
    return this.#artifact.asynchronousActions;
  }

  eventTriggers(): readonly EventTriggerDefinition[] {
    return this.#artifact.eventTriggers;
  }

  #roleOf(role: string): SealedRole {
    return this.#artifact.roles.get(role) ?? this.#artifact.otherRoles;
  }
}
