/** What requests run against: one complete set of loaded modules and the sources they read. Immutable. */

import type { TlsAllow } from "../deliver/tls-allowlist.ts";
import type { DatabaseSource } from "../sources/source.ts";
import type { RouteNode } from "../support/rest/routes.ts";
import type { RoleSchema, SchemaApi } from "../support/schema/role-schema.ts";
import type { Session } from "../support/session.ts";
import type { Guard } from "./guard/guard.ts";
import type { IntrospectionCache } from "./introspection.ts";
import type { PlanCache } from "./plan-cache.ts";

/** Decides which schema a request sees. */
export type SchemaUser = Pick<Session, "role" | "backendOnly">;

export interface Generation {
  readonly resourceVersion: number;
  /** The schema that a session sees; roles that no permission names share an empty one. */
  schemaOf(session: SchemaUser, api?: SchemaApi): RoleSchema;
  /** The schema as SDL for a gateway of Apollo federation. */
  subgraphOf(session: SchemaUser): string;
  /** The REST endpoints; absent: there are none. */
  restRoutes(): RouteNode | undefined;
  /** Hosts whose certificates are not checked. */
  readonly tlsAllowlist: readonly TlsAllow[];
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  /** What may be asked at all. */
  readonly guard: Guard;
  readonly plans: PlanCache;
  readonly introspections: IntrospectionCache;
}
