/** The state that requests run on: a complete set of loaded modules with their sources. Immutable. */

import type { DatabaseSource } from "../databases/sources/source.ts";
import type { ActionDefinition } from "../model/definitions/actions/action.ts";
import type { EventTriggerDefinition } from "../model/definitions/events/event-trigger.ts";
import type { RouteNode } from "../model/definitions/rest/routes.ts";
import type { CronTriggerDefinition } from "../model/definitions/schedules/cron-trigger.ts";
import type { RoleTool } from "../model/definitions/tools/agent-tool.ts";
import type { OpenApiForm } from "../model/openapi/document.ts";
import type { RoleSchema, SchemaApi } from "../model/schema/role-schema.ts";
import type { TlsAllow } from "../outbound/tls-allowlist.ts";
import { invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import type { Guard } from "./guard/guard.ts";
import type { IntrospectionCache } from "./introspection.ts";
import type { PlanCache } from "./plan-cache.ts";
import type { PlannedSavedOperation } from "./saved.ts";
import type { QueryTags } from "./tag-statements.ts";

/** Selects the schema of a request. */
export type SchemaUser = Pick<Session, "role" | "backendOnly">;

export interface Generation {
  readonly resourceVersion: number;
  /** Returns the schema of a session; roles without permissions share an empty schema. */
  schemaOf(session: SchemaUser, api?: SchemaApi): RoleSchema;
  /** Returns the schema as SDL for an Apollo Federation gateway. */
  subgraphOf(session: SchemaUser): string;
  /** Returns the saved operation with this text, if it has plans for the session's role. */
  savedOperation(session: SchemaUser, text: string): PlannedSavedOperation | undefined;
  /** Returns the text of a saved operation by the lower-case hexadecimal SHA-256 of its text. */
  savedText(hash: string): string | undefined;
  /** Plans the saved operations for all roles in small steps; a request may plan one before its step. */
  planSavedOperations(): Iterable<unknown>;
  /**
   * Returns the OpenAPI document of the REST endpoints that a role may call (for admin, all endpoints) as JSON text;
   * `undefined` for a role that the metadata does not name.
   */
  openApi(role: string, form: OpenApiForm): string | undefined;
  openApiRoles(): Iterable<string>;
  /** Returns the route tree of the REST endpoints, or `undefined` without endpoints. */
  restRoutes(): RouteNode | undefined;
  /** Returns the tools for assistants that a session may call, sorted by name; none for unknown roles. */
  agentTools(session: SchemaUser): readonly RoleTool[];
  agentTool(session: SchemaUser, name: string): RoleTool | undefined;
  /** Returns the event triggers of all sources, grouped by source. Loads their modules. */
  eventTriggers(): readonly EventTriggerDefinition[];
  /** Returns the asynchronous actions, sorted by name. Loads their modules. */
  asynchronousActions(): readonly ActionDefinition[];
  /** Returns the cron triggers, sorted by name. */
  cronTriggers(): readonly CronTriggerDefinition[];
  /** Hosts whose certificates are not verified. */
  readonly tlsAllowlist: readonly TlsAllow[];
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  /** True if any source has a connection template. */
  readonly isRouted?: boolean;
  /** Settings by source. Sources without query tags are absent. */
  readonly queryTags: ReadonlyMap<string, QueryTags>;
  /** Enforces allow-list, limits and introspection settings. */
  readonly guard: Guard;
  readonly plans: PlanCache;
  readonly introspections: IntrospectionCache;
}

/** Returns the source that a plan names, without applying a connection template. See `routedSource`. */
export function sourceOf({ sources }: Pick<Generation, "sources">, name: string): DatabaseSource {
  const source = sources.get(name);
  invariant(source, `the generation has no source ${name}, which a plan names`);
  return source;
}

/** Returns the generation with other sources under the same names. It shares schemas and plans. */
export function onSources(generation: Generation, sources: ReadonlyMap<string, DatabaseSource>): Generation {
  return {
    resourceVersion: generation.resourceVersion,
    schemaOf: (session, api) => generation.schemaOf(session, api),
    subgraphOf: (session) => generation.subgraphOf(session),
    savedOperation: (session, text) => generation.savedOperation(session, text),
    savedText: (hash) => generation.savedText(hash),
    planSavedOperations: () => generation.planSavedOperations(),
    openApi: (role, form) => generation.openApi(role, form),
    openApiRoles: () => generation.openApiRoles(),
    restRoutes: () => generation.restRoutes(),
    agentTools: (session) => generation.agentTools(session),
    agentTool: (session, name) => generation.agentTool(session, name),
    eventTriggers: () => generation.eventTriggers(),
    asynchronousActions: () => generation.asynchronousActions(),
    cronTriggers: () => generation.cronTriggers(),
    tlsAllowlist: generation.tlsAllowlist,
    sources,
    isRouted: false,
    queryTags: generation.queryTags,
    guard: generation.guard,
    plans: generation.plans,
    introspections: generation.introspections,
  };
}
