/** What `engine build` puts into an artifact for the server to serve. */

import type { Routing } from "../../databases/sources/routes.ts";
import type { ConnectionDefaults } from "../../databases/sources/source-settings.ts";
import type { GuardRules } from "../../execute/guard/guard-rules.ts";
import type { RemoteFacts } from "../../execute/remote/remote-facts.ts";
import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { QueryTagsDefinition } from "../../model/definitions/query-tags.ts";
import type { RemoteServer } from "../../model/definitions/remote/remote-server.ts";
import type { RouteNode } from "../../model/definitions/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../../model/definitions/roots.ts";
import type { SavedOperation } from "../../model/definitions/saved/operation.ts";
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { MetricsDefinition, TelemetryDefinition } from "../../model/definitions/telemetry.ts";
import type { SavedPlans } from "../../model/planner/saved-plans.ts";
import type { PlanOptions } from "../../model/planner/select/context.ts";
import type { SchemaVariant } from "../../model/schema/role-schema.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import type { ExpectedFacts } from "./drift.ts";

/** The generated modules of a role. */
export interface SealedRole {
  readonly role: RoleDefinition;
  readonly relay: RelayDefinition;
  /** Some of its permissions are for backends only. */
  readonly hasBackendSchema: boolean;
  /** Its schema as SDL for a gateway of Apollo federation, where the artifact is a subgraph. */
  readonly subgraph: Readonly<Partial<Record<SchemaVariant, string>>>;
}

/** A saved operation with the plans of the roles that can run it. */
export interface SealedOperation {
  readonly operation: SavedOperation;
  /** Its document as clients print it. */
  readonly printed: string;
  /** By role, then by variant of its schema. */
  readonly plans: ReadonlyMap<string, Readonly<Partial<Record<SchemaVariant, SavedPlans>>>>;
}

export interface SealedSource {
  readonly name: string;
  readonly kind: string;
  /** As in the metadata. */
  readonly connectionInfo: ConnectionDefaults;
  /** As in the metadata; absent: there are none. */
  readonly replicas?: readonly object[];
  /** Absent: there is no connection template. */
  readonly routing?: Routing;
  /** As in the metadata; absent: its statements have none. */
  readonly queryTags?: QueryTagsDefinition;
  /** What its database was when the artifact was built. */
  readonly expected: ExpectedFacts;
}

export interface SealedRemoteSchema {
  readonly server: RemoteServer;
  /** What its server offered when the artifact was built. */
  readonly facts: RemoteFacts;
}

/** What the server takes from the metadata besides its generated modules: plain JSON. */
export interface SealedSettings {
  /** Version of the product that built the artifact. */
  readonly version: string;
  /** Version of the contract that the generated modules were made for. */
  readonly contract: number;
  readonly sources: readonly SealedSource[];
  /** Absent: there are none. */
  readonly remoteSchemas?: readonly SealedRemoteSchema[];
  readonly guard: GuardRules;
  readonly tlsAllowlist: readonly TlsAllow[];
  /** Absent: nothing is exported. */
  readonly opentelemetry?: TelemetryDefinition;
  /** Absent: no request and no answer is looked into for metrics. */
  readonly metrics?: MetricsDefinition;
  /** How saved operations were planned. */
  readonly planning: PlanOptions;
  /** Only saved operations run. */
  readonly closed: boolean;
}

/** A configuration in code that was built in. */
interface SealedConfig {
  /** As messages name it: `engine.config.ts`. */
  readonly file: string;
  /** Lines of its members and options, from 1. */
  readonly lines: Readonly<Record<string, number>>;
  /** Runs its code. */
  readonly load: () => Promise<{ readonly default?: unknown }>;
}

export interface Artifact {
  /** Absent: there is none. */
  readonly config?: SealedConfig;
  /** Path of the file that runs. */
  readonly file: string;
  readonly settings: SealedSettings;
  /** By name. */
  readonly roles: ReadonlyMap<string, SealedRole>;
  /** What all roles have that nothing names. */
  readonly otherRoles: SealedRole;
  readonly savedOperations: readonly SealedOperation[];
  /** The OpenAPI documents of the REST endpoints, by role. */
  readonly openApi: ReadonlyMap<string, string>;
  /** The REST endpoints; absent: there are none. */
  readonly restRoutes?: RouteNode;
  readonly eventTriggers: readonly EventTriggerDefinition[];
  readonly cronTriggers: readonly CronTriggerDefinition[];
  readonly asynchronousActions: readonly ActionDefinition[];
}
