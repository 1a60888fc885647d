/** Types of the contents of an artifact built by `engine build`. */

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
import type { RoleTool } from "../../model/definitions/tools/agent-tool.ts";
import type { SavedPlans } from "../../model/planner/saved-plans.ts";
import type { PlanOptions } from "../../model/planner/select/context.ts";
import type { SchemaVariant } from "../../model/schema/role-schema.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import type { ExpectedFacts } from "./drift.ts";

/** The generated modules of a role. */
export interface SealedRole {
  readonly role: RoleDefinition;
  readonly relay: RelayDefinition;
  /** True if some of its permissions are backend-only. */
  readonly hasBackendSchema: boolean;
  /** Its schema as SDL for an Apollo Federation gateway, if the artifact is a subgraph. */
  readonly subgraph: Readonly<Partial<Record<SchemaVariant, string>>>;
}

/** A saved operation with the plans of the roles that can run it. */
export interface SealedOperation {
  readonly operation: SavedOperation;
  /** The printed document, as clients send it. */
  readonly printed: string;
  /** Plans by role and variant of its schema. */
  readonly plans: ReadonlyMap<string, Readonly<Partial<Record<SchemaVariant, SavedPlans>>>>;
}

export interface SealedSource {
  readonly name: string;
  readonly kind: string;
  /** Connection defaults, as in the metadata. */
  readonly connectionInfo: ConnectionDefaults;
  /** Read replicas, as in the metadata. */
  readonly replicas?: readonly object[];
  /** Absent without a connection template. */
  readonly routing?: Routing;
  /** Query tags, as in the metadata. */
  readonly queryTags?: QueryTagsDefinition;
  /** The state of its database when the artifact was built. */
  readonly expected: ExpectedFacts;
}

export interface SealedRemoteSchema {
  readonly server: RemoteServer;
  /** The schema of its server when the artifact was built. */
  readonly facts: RemoteFacts;
}

/** The parts of the metadata other than generated modules, as plain JSON. */
export interface SealedSettings {
  /** The product version that built the artifact. */
  readonly version: string;
  /** The contract version of the generated modules. */
  readonly contract: number;
  readonly sources: readonly SealedSource[];
  readonly remoteSchemas?: readonly SealedRemoteSchema[];
  readonly guard: GuardRules;
  readonly tlsAllowlist: readonly TlsAllow[];
  /** Absent if no telemetry is exported. */
  readonly opentelemetry?: TelemetryDefinition;
  /** Absent if requests and responses are not analysed for metrics. */
  readonly metrics?: MetricsDefinition;
  /** The options with which saved operations were planned. */
  readonly planning: PlanOptions;
  /** True if only saved operations may run. */
  readonly closed: boolean;
}

/** The configuration module of an artifact. */
interface SealedConfig {
  /** The file name in messages: `engine.config.ts`. */
  readonly file: string;
  /** The lines of its members and options, from 1. */
  readonly lines: Readonly<Record<string, number>>;
  /** Evaluates the module. */
  readonly load: () => Promise<{ readonly default?: unknown }>;
}

export interface Artifact {
  readonly config?: SealedConfig;
  /** The path of the running file. */
  readonly file: string;
  readonly settings: SealedSettings;
  /** Roles by name. */
  readonly roles: ReadonlyMap<string, SealedRole>;
  /** The modules of all roles without permissions. */
  readonly otherRoles: SealedRole;
  readonly savedOperations: readonly SealedOperation[];
  /** Tools for assistants by role and variant of its schema, sorted by name; absent without tools. */
  readonly agentTools?: ReadonlyMap<string, Readonly<Partial<Record<SchemaVariant, readonly RoleTool[]>>>>;
  /** The REST endpoints, if any. */
  readonly restRoutes?: RouteNode;
  readonly eventTriggers: readonly EventTriggerDefinition[];
  readonly cronTriggers: readonly CronTriggerDefinition[];
  readonly asynchronousActions: readonly ActionDefinition[];
}
