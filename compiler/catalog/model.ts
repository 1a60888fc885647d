/**
 * The parts of the catalog inside sources, and types shared by all of its parts.
 *
 * Property names are those of the metadata document, so that import and export are the identity on well-formed input.
 * Optional properties that are absent in the document stay absent: consumers apply defaults, and `canonical.ts` decides
 * which values an export contains. Values are immutable: operations build new objects and share unchanged ones, so
 * later phases can compare by identity.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A table, view or function name. `schema` is always present: `public` or the dialect's default schema. */
export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** A header of an outgoing request, with its value or the environment variable that contains the value. */
export type Header =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly value_from_env: string };

// ---------------------------------------------------------------- sources

/** A kind of database. `compiler/dialects/index.ts` lists the implemented kinds. */
export type SourceKind = "postgres" | "mssql";

export interface Source {
  readonly name: string;
  readonly kind: SourceKind;
  readonly tables: readonly Table[];
  readonly functions: readonly TrackedFunction[];
  readonly native_queries: readonly NativeQuery[];
  readonly stored_procedures: readonly StoredProcedure[];
  readonly logical_models: readonly LogicalModel[];
  readonly configuration: SourceConfiguration;
  readonly query_tags?: QueryTags;
  readonly customization?: SourceCustomization;
  readonly health_check?: JsonObject;
}

/** Comments in SQL statements that identify the request. */
export interface QueryTags {
  readonly disabled?: boolean;
  readonly format?: "standard" | "sqlcommenter" | "standard_prepended";
  readonly omit_request_id?: boolean;
}

export interface SourceCustomization {
  readonly root_fields?: { readonly namespace?: string; readonly prefix?: string; readonly suffix?: string };
  readonly type_names?: { readonly prefix?: string; readonly suffix?: string };
  readonly naming_convention?: "engine-default" | "graphql-default";
}

/** A value or the name of the environment variable that contains it. */
export type EnvValue = string | { readonly from_env: string };

interface ConnectionParameters {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password?: string;
}

export type DatabaseUrl =
  | EnvValue
  | { readonly connection_parameters: ConnectionParameters }
  | { readonly dynamic_from_file: string };

export interface PoolSettings {
  readonly max_connections?: number;
  readonly total_max_connections?: number;
  readonly idle_timeout?: number;
  readonly retries?: number;
  readonly pool_timeout?: number;
  readonly connection_lifetime?: number;
  readonly enable?: boolean;
}

export interface ConnectionInfo {
  /** PostgreSQL only. */
  readonly database_url?: DatabaseUrl;
  /** SQL Server only. */
  readonly connection_string?: EnvValue;
  readonly pool_settings?: PoolSettings;
  readonly use_prepared_statements?: boolean;
  readonly isolation_level?: string;
  readonly jit?: boolean;
  readonly disabled_features?: readonly string[];
  readonly ssl_configuration?: JsonObject;
}

export interface SourceConfiguration {
  readonly connection_info: ConnectionInfo;
  readonly read_replicas?: readonly ConnectionInfo[];
  readonly extensions_schema?: string;
  readonly connection_template?: JsonObject;
  readonly connection_set?: readonly JsonObject[];
}

// ---------------------------------------------------------------- tables

export interface Table {
  readonly table: QualifiedName;
  readonly is_enum?: boolean;
  readonly configuration?: TableConfig;
  readonly object_relationships: readonly Relationship<ObjectUsing>[];
  readonly array_relationships: readonly Relationship<ArrayUsing>[];
  readonly computed_fields: readonly ComputedField[];
  readonly remote_relationships: readonly RemoteRelationship[];
  readonly insert_permissions: readonly Permission<InsertPermission>[];
  readonly select_permissions: readonly Permission<SelectPermission>[];
  readonly update_permissions: readonly Permission<UpdatePermission>[];
  readonly delete_permissions: readonly Permission<DeletePermission>[];
  readonly event_triggers: readonly EventTrigger[];
  readonly apollo_federation_config?: { readonly enable: "v1" };
  readonly logical_model?: string;
}

export const rootFieldKeys = [
  "select",
  "select_by_pk",
  "select_aggregate",
  "select_group",
  "select_stream",
  "insert",
  "insert_one",
  "update",
  "update_by_pk",
  "update_many",
  "delete",
  "delete_by_pk",
] as const;
export type RootFieldKey = (typeof rootFieldKeys)[number];

/** A custom root field: its name, or name and comment. `null` is preserved in exports. */
export type CustomRootField = string | { readonly name?: string | null; readonly comment?: string | null } | null;

export interface ColumnConfig {
  readonly custom_name?: string | null;
  readonly comment?: string | null;
  /** SQL Server: the values of the text column are JSON documents. */
  readonly json?: boolean;
}

export interface TableConfig {
  readonly custom_root_fields?: Readonly<Partial<Record<RootFieldKey, CustomRootField>>>;
  readonly custom_column_names?: Readonly<Record<string, string>>;
  readonly column_config?: Readonly<Record<string, ColumnConfig>>;
  readonly custom_name?: string | null;
  /** Absent or `null`: a generated description. `""`: no description. */
  readonly comment?: string | null;
}

export interface Relationship<Using> {
  readonly name: string;
  readonly using: Using;
  readonly comment?: string | null;
}

export interface ManualConfiguration {
  readonly remote_table?: QualifiedName;
  readonly remote_native_query?: string;
  /** Column of this table → column of the other table. */
  readonly column_mapping: Readonly<Record<string, string>>;
  readonly insertion_order?: "before_parent" | "after_parent" | null;
}

/** A foreign key of another table that references this table: exactly one of `column` and `columns`. */
export interface ForeignKeyOnOther {
  readonly table: QualifiedName;
  readonly column?: string;
  readonly columns?: readonly string[];
}

export type ObjectUsing =
  | { readonly foreign_key_constraint_on: string | readonly string[] | ForeignKeyOnOther }
  | { readonly manual_configuration: ManualConfiguration };

export type ArrayUsing =
  | { readonly foreign_key_constraint_on: ForeignKeyOnOther }
  | { readonly manual_configuration: ManualConfiguration };

export interface ComputedField {
  readonly name: string;
  readonly definition: {
    readonly function: QualifiedName;
    readonly table_argument?: string | null;
    readonly session_argument?: string | null;
    /** SQL Server: argument → column of the row. */
    readonly argument_mapping?: Readonly<Record<string, string>>;
    /** SQL Server: the table whose rows the function returns; absent for a scalar function. */
    readonly return_table?: QualifiedName;
  };
  readonly comment?: string | null;
}

/** Kept as written, in one of the three accepted forms. */
export interface RemoteRelationship {
  readonly name: string;
  readonly definition: JsonObject;
}

export interface Permission<P> {
  readonly role: string;
  readonly permission: P;
  readonly comment?: string | null;
}

/** Column names, or `*` for all columns. */
export type ColumnList = readonly string[] | "*";

/** A boolean expression of the metadata; `2-analyze` resolves it against its table. */
export type BoolExp = JsonObject;

export type SelectRootField = "select" | "select_by_pk" | "select_aggregate";
export type SubscriptionRootField = SelectRootField | "select_stream";

export interface SelectPermission {
  readonly columns: ColumnList;
  readonly computed_fields?: readonly string[];
  readonly filter: BoolExp;
  readonly limit?: number | null;
  readonly allow_aggregations?: boolean;
  readonly query_root_fields?: readonly SelectRootField[] | null;
  readonly subscription_root_fields?: readonly SubscriptionRootField[] | null;
}

interface WritePermission {
  readonly backend_only?: boolean;
  readonly validate_input?: ValidateInput;
}

/** A webhook that validates the input of a write before the write runs. */
export interface ValidateInput {
  readonly type: "http";
  readonly definition: {
    /** A template that may contain environment variables. */
    readonly url: string;
    readonly headers?: readonly Header[];
    /** In seconds; 10 by default. */
    readonly timeout?: number;
    readonly forward_client_headers?: boolean;
  };
}

export interface InsertPermission extends WritePermission {
  readonly check: BoolExp;
  readonly set?: JsonObject;
  readonly columns?: ColumnList;
}

export interface UpdatePermission extends WritePermission {
  readonly columns: ColumnList;
  readonly filter: BoolExp;
  readonly check?: BoolExp | null;
  readonly set?: JsonObject;
}

export interface DeletePermission extends WritePermission {
  readonly filter: BoolExp;
}

export type PermissionKind = "insert" | "select" | "update" | "delete";

export interface EventTrigger {
  readonly name: string;
  readonly definition: JsonObject;
  readonly retry_conf: JsonObject;
  readonly webhook?: string;
  readonly webhook_from_env?: string;
  readonly headers?: readonly Header[];
  readonly request_transform?: JsonObject;
  readonly response_transform?: JsonObject;
  readonly cleanup_config?: JsonObject;
  readonly trigger_on_replication?: boolean;
  /** Condition on the changed row: changes that do not meet it record no event. */
  readonly condition?: EventCondition;
  readonly ordering?: EventOrdering;
  /** One secret, or several during a rotation; the first one signs. */
  readonly signing_secret?: SecretFromEnv | readonly SecretFromEnv[];
}

/** A condition whose members must all hold. `new` and `old` are false for an operation without that row. */
export interface EventCondition {
  readonly new?: BoolExp;
  readonly old?: BoolExp;
  readonly _and?: readonly EventCondition[];
  readonly _or?: readonly EventCondition[];
  readonly _not?: EventCondition;
}

/** Delivers events with the same key values one after the other. */
export interface EventOrdering {
  readonly key: readonly string[];
  /** Effect of a finally failed event on later events with the same key; `continue` by default. */
  readonly on_error?: "continue" | "hold";
}

export interface SecretFromEnv {
  readonly value_from_env: string;
}

export interface TrackedFunction {
  readonly function: QualifiedName;
  readonly configuration?: FunctionConfig;
  readonly permissions: readonly { readonly role: string }[];
  readonly comment?: string | null;
}

export interface FunctionConfig {
  readonly session_argument?: string | null;
  readonly exposed_as?: "query" | "mutation" | null;
  readonly custom_name?: string | null;
  readonly custom_root_fields?: {
    readonly function?: string | null;
    readonly function_aggregate?: string | null;
  };
  readonly response?: JsonObject;
}

// ---------------------------------------------------------------- native objects

/** A scalar by its database name, a list, or another logical model. */
export type ModelFieldType = { readonly nullable?: boolean } & (
  | { readonly scalar: string }
  | { readonly array: ModelFieldType }
  | { readonly logical_model: string }
);

export interface ModelField {
  readonly name: string;
  readonly type: ModelFieldType;
  readonly description?: string;
}

/** Row type of a native query with its select permissions. */
export interface InlineModel {
  readonly fields: readonly ModelField[];
  readonly select_permissions: readonly Permission<SelectPermission>[];
}

export interface LogicalModel extends InlineModel {
  readonly name: string;
  readonly description?: string;
}

interface NativeArgument {
  readonly type: string;
  readonly nullable?: boolean;
  readonly description?: string;
}

export interface NativeQuery {
  readonly root_field_name: string;
  /** SQL with `{{name}}` placeholders for arguments. */
  readonly code: string;
  /** The name of a logical model, or an inline model. */
  readonly returns: string | InlineModel;
  readonly array_relationships: readonly Relationship<ManualConfiguration>[];
  readonly object_relationships: readonly Relationship<ManualConfiguration>[];
  readonly arguments?: Readonly<Record<string, NativeArgument>>;
  readonly description?: string;
}

export interface StoredProcedure {
  readonly stored_procedure: QualifiedName;
  readonly configuration: { readonly exposed_as: "query"; readonly custom_name?: string };
  readonly returns: string;
  readonly arguments?: Readonly<Record<string, NativeArgument>>;
  readonly description?: string;
}

/** Initial lists of a newly tracked table. */
export const emptyTable: Omit<Table, "table"> = {
  object_relationships: [],
  array_relationships: [],
  computed_fields: [],
  remote_relationships: [],
  insert_permissions: [],
  select_permissions: [],
  update_permissions: [],
  delete_permissions: [],
  event_triggers: [],
};

/** Initial lists of a newly added source. */
export const emptySource: Omit<Source, "name" | "kind" | "configuration"> = {
  tables: [],
  functions: [],
  native_queries: [],
  stored_procedures: [],
  logical_models: [],
};
