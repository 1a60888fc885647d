/** The parts of the catalog outside sources: remote schemas, collections, actions, triggers, endpoints, settings. */
import type { Header, Json, JsonObject, QualifiedName, RemoteRelationship, SecretFromEnv } from "./model.ts";

/** The connection of a remote schema, with either `url` or `url_from_env`. */
export interface RemoteSchemaDefinition {
  readonly url?: string;
  readonly url_from_env?: string;
  readonly timeout_seconds?: number;
  readonly customization?: RemoteSchemaCustomization;
  readonly headers?: readonly Header[];
  readonly forward_client_headers?: boolean;
  /** Sends all root fields of a request in one upstream request; by default each root field is sent separately. */
  readonly batch_root_fields?: boolean;
  /** Also serves the subscriptions of the remote schema. */
  readonly subscriptions?: boolean;
}

interface RemoteNames {
  readonly prefix?: string;
  readonly suffix?: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

export interface RemoteSchemaCustomization {
  readonly root_fields_namespace?: string;
  readonly type_names?: RemoteNames;
  readonly field_names?: readonly (RemoteNames & { readonly parent_type: string })[];
}

export interface RemoteSchema {
  readonly name: string;
  readonly definition: RemoteSchemaDefinition;
  readonly comment?: string | null;
  readonly permissions: readonly {
    readonly role: string;
    readonly definition: { readonly schema: string };
    readonly comment?: string | null;
  }[];
  readonly remote_relationships: readonly {
    readonly type_name: string;
    readonly relationships: readonly RemoteRelationship[];
  }[];
}

export interface QueryCollection {
  readonly name: string;
  readonly definition: { readonly queries: readonly { readonly name: string; readonly query: string }[] };
  readonly comment?: string | null;
}

export interface AllowlistEntry {
  readonly collection: string;
  readonly scope: { readonly global: true } | { readonly global: false; readonly roles: readonly string[] };
}

/** An argument or field with its GraphQL type in SDL notation. */
export interface TypedName {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
}

export interface ActionDefinition {
  readonly type: "mutation" | "query";
  /** Mutations only. */
  readonly kind?: "synchronous" | "asynchronous";
  readonly handler: string;
  readonly output_type: string;
  readonly arguments?: readonly TypedName[];
  readonly headers?: readonly Header[];
  readonly forward_client_headers?: boolean;
  readonly ignored_client_headers: readonly string[];
  readonly request_transform?: JsonObject;
  readonly response_transform?: JsonObject;
  /** In seconds; 30 by default. */
  readonly timeout?: number;
  readonly signing_secret?: SecretFromEnv | readonly SecretFromEnv[];
  /** Asynchronous actions only. */
  readonly retry_conf?: JsonObject;
}

export interface Action {
  readonly name: string;
  readonly definition: ActionDefinition;
  readonly comment?: string | null;
  readonly permissions: readonly { readonly role: string; readonly comment?: string | null }[];
}

export interface InputObjectType {
  readonly name: string;
  readonly fields: readonly TypedName[];
  readonly description?: string;
}

/** A relationship from the output type of an action to a table. */
export interface TypeRelationship {
  readonly name: string;
  readonly type: "object" | "array";
  readonly source: string;
  readonly remote_table: QualifiedName;
  /** Field of the type → column of the table. */
  readonly field_mapping: Readonly<Record<string, string>>;
}

export interface ObjectType {
  readonly name: string;
  /** Fields with arguments are refused; the arguments are kept for the error. */
  readonly fields: readonly (TypedName & { readonly arguments?: Json })[];
  readonly relationships: readonly TypeRelationship[];
  readonly remote_relationships: readonly RemoteRelationship[];
  readonly description?: string;
}

export interface EnumType {
  readonly name: string;
  readonly values: readonly {
    readonly value: string;
    readonly description?: string;
    readonly is_deprecated?: boolean;
  }[];
  readonly description?: string;
}

export interface CustomTypes {
  readonly input_objects: readonly InputObjectType[];
  readonly objects: readonly ObjectType[];
  readonly scalars: readonly { readonly name: string; readonly description?: string }[];
  readonly enums: readonly EnumType[];
}

/** A cron trigger with either `webhook` or `operation`. */
export interface CronTrigger {
  readonly name: string;
  readonly webhook?: string;
  readonly schedule: string;
  readonly include_in_metadata: boolean;
  readonly payload?: Json;
  readonly retry_conf?: JsonObject;
  readonly headers?: readonly Header[];
  readonly comment?: string | null;
  readonly request_transform?: JsonObject;
  readonly response_transform?: JsonObject;
  /** A name in the IANA time zone database; UTC by default. */
  readonly timezone?: string;
  /** Handling of occurrences that passed while no instance was running; decided by `tolerance_seconds` by default. */
  readonly missed?: "run_latest" | "run_all" | "skip";
  /** `skip`: leaves out an occurrence while the previous delivery has not ended. */
  readonly overlap?: "allow" | "skip";
  readonly operation?: ScheduledOperation;
  readonly signing_secret?: SecretFromEnv | readonly SecretFromEnv[];
  readonly cleanup_config?: JsonObject;
}

/** A saved operation that runs on the schedule, with the trigger's payload as its variables. */
export interface ScheduledOperation {
  readonly collection: string;
  readonly query: string;
  readonly role: string;
  readonly session_variables?: Readonly<Record<string, string>>;
}

export interface RestEndpoint {
  readonly name: string;
  readonly url: string;
  readonly methods: readonly ("GET" | "POST" | "PUT" | "DELETE" | "PATCH")[];
  readonly definition: { readonly query: { readonly collection_name: string; readonly query_name: string } };
  readonly comment?: string | null;
}

/** A saved operation that assistants may call. */
export interface AgentTool {
  readonly name: string;
  readonly title?: string;
  /** Description for the model; derived from the operation by default. */
  readonly description?: string;
  readonly definition: { readonly query: { readonly collection_name: string; readonly query_name: string } };
  /** Roles that may call it; absent: every role that can run the operation. */
  readonly roles?: readonly string[];
  /** OAuth scopes that the token of a caller must contain. */
  readonly scopes?: readonly string[];
  readonly limits?: { readonly rows?: number; readonly bytes?: number; readonly seconds?: number };
  readonly comment?: string | null;
}

/** As written; each limit is `{global, per_role?}`. */
export type ApiLimits = JsonObject;

export interface MetricsConfig {
  readonly analyze_query_variables: boolean;
  readonly analyze_response_body: boolean;
}

export interface InheritedRole {
  readonly role_name: string;
  readonly role_set: readonly string[];
  /** True if write permissions of the parents that differ are merged; otherwise the role inherits none of them. */
  readonly merge?: boolean;
}

export interface TlsAllow {
  readonly host: string;
  readonly suffix?: string | null;
  readonly permissions?: readonly "self-signed"[] | null;
}

export type TelemetryType = "traces" | "metrics" | "logs";

export interface OtlpExporter {
  readonly otlp_traces_endpoint?: string;
  readonly otlp_metrics_endpoint?: string;
  readonly otlp_logs_endpoint?: string;
  readonly protocol?: string;
  readonly headers?: readonly Header[];
  readonly resource_attributes?: readonly { readonly name: string; readonly value: string }[];
  readonly traces_propagators?: readonly ("b3" | "tracecontext")[];
}

export interface OpenTelemetry {
  /** `enabled`, `disabled`, or a template with an environment variable. */
  readonly status?: string;
  readonly data_types?: readonly TelemetryType[];
  readonly exporter_otlp?: OtlpExporter;
  readonly batch_span_processor?: { readonly max_export_batch_size?: number };
}
