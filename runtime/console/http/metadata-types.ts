/** The parts of exported metadata that the console uses. */

export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export interface Permission {
  readonly role: string;
  readonly comment?: string;
  readonly permission: JsonObject;
}

interface Relationship {
  readonly name: string;
  readonly using: JsonObject;
  readonly comment?: string;
}

export interface EventTrigger {
  readonly name: string;
  readonly definition: JsonObject;
  readonly webhook?: string;
  readonly webhook_from_env?: string;
  readonly retry_conf?: JsonObject;
  readonly headers?: readonly JsonObject[];
}

export interface ComputedField {
  readonly name: string;
  readonly definition: { readonly function: QualifiedName };
}

export interface Table {
  readonly table: QualifiedName;
  readonly is_enum?: boolean;
  readonly configuration?: JsonObject;
  readonly object_relationships?: readonly Relationship[];
  readonly array_relationships?: readonly Relationship[];
  readonly remote_relationships?: readonly JsonObject[];
  readonly computed_fields?: readonly ComputedField[];
  readonly select_permissions?: readonly Permission[];
  readonly insert_permissions?: readonly Permission[];
  readonly update_permissions?: readonly Permission[];
  readonly delete_permissions?: readonly Permission[];
  readonly event_triggers?: readonly EventTrigger[];
}

export interface TrackedFunction {
  readonly function: QualifiedName;
  readonly configuration?: JsonObject;
  readonly permissions?: readonly { readonly role: string }[];
}

export interface Source {
  readonly name: string;
  readonly kind: string;
  readonly tables: readonly Table[];
  readonly functions?: readonly TrackedFunction[];
  readonly configuration: JsonObject;
}

interface RemoteSchema {
  readonly name: string;
  readonly comment?: string;
  readonly definition: JsonObject;
  readonly permissions?: readonly { readonly role: string; readonly definition: JsonObject }[];
}

interface Action {
  readonly name: string;
  readonly comment?: string;
  readonly definition: JsonObject;
  readonly permissions?: readonly { readonly role: string }[];
}

interface QueryCollection {
  readonly name: string;
  readonly definition: { readonly queries: readonly { readonly name: string; readonly query: string }[] };
}

export interface RestEndpoint {
  readonly name: string;
  readonly url: string;
  readonly methods: readonly string[];
  readonly comment?: string | null;
  readonly definition: { readonly query: { readonly collection_name: string; readonly query_name: string } };
}

/** A saved operation as a tool for assistants. */
export interface AgentTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly definition: { readonly query: { readonly collection_name: string; readonly query_name: string } };
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  readonly limits?: { readonly rows?: number; readonly bytes?: number; readonly seconds?: number };
  readonly comment?: string;
}

interface CronTrigger {
  readonly name: string;
  readonly webhook?: string;
  readonly schedule: string;
  readonly include_in_metadata?: boolean;
  readonly comment?: string;
  readonly payload?: Json;
  readonly retry_conf?: JsonObject;
}

/** Entry of the allow-list. Without a scope, all roles may run the operations of the collection. */
export interface AllowedCollection {
  readonly collection: string;
  readonly scope?: { readonly global: boolean; readonly roles?: readonly string[] };
}

export interface InheritedRole {
  readonly role_name: string;
  readonly role_set: readonly string[];
  readonly merge?: boolean;
}

export interface Metadata {
  readonly version: number;
  readonly sources: readonly Source[];
  readonly remote_schemas?: readonly RemoteSchema[];
  readonly actions?: readonly Action[];
  readonly custom_types?: JsonObject;
  readonly query_collections?: readonly QueryCollection[];
  readonly allowlist?: readonly AllowedCollection[];
  readonly rest_endpoints?: readonly RestEndpoint[];
  readonly agent_tools?: readonly AgentTool[];
  readonly cron_triggers?: readonly CronTrigger[];
  readonly inherited_roles?: readonly InheritedRole[];
  readonly api_limits?: JsonObject;
  readonly graphql_schema_introspection?: { readonly disabled_for_roles: readonly string[] };
}

/** Identity of a metadata object. */
export interface MetadataObjectId {
  /** Such as `table`, `permission` or `action`. */
  readonly kind: string;
  readonly source?: string;
  readonly table?: QualifiedName;
  readonly function?: QualifiedName;
  readonly name?: string;
  readonly role?: string;
  /** Operation of a permission, such as `select`. */
  readonly permission?: string;
}

/** One entry of `get_inconsistent_metadata`: an object, or several that are inconsistent together. */
export interface InconsistentObject {
  readonly type?: string;
  readonly name?: string;
  readonly reason: string;
  readonly definition?: Json;
  readonly message?: Json;
  readonly hint?: string;
  /** Name of the inconsistent object that causes this inconsistency. */
  readonly caused_by?: string;
  /** The first one of several. */
  readonly object?: MetadataObjectId;
  /** Missing or inconsistent objects that this one depends on. */
  readonly lacks?: readonly MetadataObjectId[];
  /** Objects with one name. */
  readonly objects?: readonly { readonly name: string }[];
  /** REST endpoints that match the same requests. */
  readonly conflicts?: readonly { readonly name: string }[];
}

/** JSON type of a column's values. */
export type ValueKind = "number" | "boolean" | "json" | "text";

export interface ColumnOperator {
  readonly name: string;
  readonly operand: ValueKind | "column";
  /** True if the operand is a list. */
  readonly list?: true;
}
