/** What requests run against: one complete set of loaded modules and the sources they read. Immutable. */

import type { DatabaseSource } from "../databases/sources/source.ts";
import type { ActionDefinition } from "../model/definitions/actions/action.ts";
import type { EventTriggerDefinition } from "../model/definitions/events/event-trigger.ts";
import type { RouteNode } from "../model/definitions/rest/routes.ts";
import type { CronTriggerDefinition } from "../model/definitions/schedules/cron-trigger.ts";
import type { RoleSchema, SchemaApi } from "../model/schema/role-schema.ts";
import type { TlsAllow } from "../outbound/tls-allowlist.ts";
import { invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import type { Guard } from "./guard/guard.ts";
import type { IntrospectionCache } from "./introspection.ts";
import type { PlanCache } from "./plan-cache.ts";
import type { QueryTags } from "./query-tags.ts";
import type { PlannedSavedOperation } from "./saved.ts";

/** Decides which schema a request sees. */
export type SchemaUser = Pick<Session, "role" | "backendOnly">;

export interface Generation {
  readonly resourceVersion: number;
  /** The schema that a session sees; roles that no permission names share an empty one. */
  schemaOf(session: SchemaUser, api?: SchemaApi): RoleSchema;
  /** The schema as SDL for a gateway of Apollo federation. */
  subgraphOf(session: SchemaUser): string;
  /** The saved operation with this text, if there are plans for the session's role. */
  savedOperation(session: SchemaUser, text: string): PlannedSavedOperation | undefined;
  /** Plans the saved operations for all roles, a piece at a time; requests plan those that they meet before. */
  planSavedOperations(): Iterable<unknown>;
  /** The OpenAPI document of the REST endpoints, as JSON text. */
  openApi(role: string): string | undefined;
  openApiRoles(): Iterable<string>;
  /** The REST endpoints; absent: there are none. */
  restRoutes(): RouteNode | undefined;
  /** The event triggers of all sources, those of a source together. Loads their modules. */
  eventTriggers(): readonly EventTriggerDefinition[];
  /** In the order of their names. Loads their modules. */
  asynchronousActions(): readonly ActionDefinition[];
  /** In the order of their names. */
  cronTriggers(): readonly CronTriggerDefinition[];
  /** Hosts whose certificates are not checked. */
  readonly tlsAllowlist: readonly TlsAllow[];
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  /** Some source has a connection template; absent: none has. */
  readonly isRouted?: boolean;
  /** By source; of those that have none nothing is said. */
  readonly queryTags: ReadonlyMap<string, QueryTags>;
  /** What may be asked at all. */
  readonly guard: Guard;
  readonly plans: PlanCache;
  readonly introspections: IntrospectionCache;
}

/** The source that a plan of the generation names; `routedSource` is where a request goes. */
export function sourceOf({ sources }: Pick<Generation, "sources">, name: string): DatabaseSource {
  const source = sources.get(name);
  invariant(source, `a plan names source ${name}, which its generation does not have`);
  return source;
}
