/**
 * The intermediate representation of generated modules: plain data that contains every decision. A module's text
 * depends on its IR alone, so the hash of the IR is the slice in the module's header.
 */

import type { ActionHandler } from "../../runtime/model/definitions/actions/action.ts";
import type { Distribution } from "../../runtime/model/definitions/distribution.ts";
import type { EventCleanup, WebhookDefinition } from "../../runtime/model/definitions/events/event-trigger.ts";
import type { InputValidation, WebhookHeader } from "../../runtime/model/definitions/input-validation.ts";
import type { TypeNameCustomization } from "../../runtime/model/definitions/naming.ts";
import type { RemoteSchemaParts } from "../../runtime/model/definitions/remote/remote-schema.ts";
import type { RemoteBatch } from "../../runtime/model/definitions/remote-relationship.ts";
import type { RestMethod } from "../../runtime/model/definitions/rest/endpoint.ts";
import type { WriteKind } from "../../runtime/model/definitions/roots.ts";
import type {
  CronTriggerDefinition,
  ScheduledOperation,
} from "../../runtime/model/definitions/schedules/cron-trigger.ts";
import type { AgentToolLimits } from "../../runtime/model/definitions/tools/agent-tool.ts";
import type { JsonObject, QualifiedName, SelectRootField, SourceKind } from "../catalog/model.ts";
import type { JoinedColumns, ScalarCall } from "../dialects/dialect.ts";
import type { RecorderPlan } from "../dialects/recorder.ts";
import type { TypeRef } from "../shape/shape.ts";

/** A table; or a native query, stored procedure or logical model, without a schema and named like its root field. */
export interface RowsName extends QualifiedName {
  readonly native?: "query" | "procedure" | "model";
}

/** A reference to a table from other modules. */
export interface TableRef extends RowsName {
  readonly source: string;
}

/** A reference to a function from modules of tables and roles. */
export interface FunctionRef extends QualifiedName {
  readonly source: string;
}

/** `sources/<source>/source.ts` */
export interface SourceIr {
  readonly name: string;
  readonly kind: SourceKind;
  /** Name of the dialect in `engine/support`. */
  readonly dialect: string;
  /** Name of the naming convention in `engine/support`. */
  readonly naming: "engineDefault" | "graphqlDefault";
  readonly hidesAggregatePredicates: boolean;
  /** Types with the names of generated types that are left out. */
  readonly takenTypes: readonly string[];
  /** Prefix and suffix of type names. */
  readonly typeNames: TypeNameCustomization;
}

/** `sources/<source>/<schema>.<table>.ts`: the definition of a table, shared by all roles. */
export interface TableIr {
  readonly table: TableRef;
  /** Quoted and schema-qualified name. */
  readonly sql: string;
  readonly type: string;
  readonly displayName: string;
  /** Replaces the automatic description; empty suppresses it. */
  readonly description?: string;
  readonly columns: readonly ColumnIr[];
  /** Field names of the key columns. */
  readonly primaryKey: readonly string[];
  /** The primary key, unique constraints and unique indexes. */
  readonly constraints: readonly ConstraintIr[];
  readonly partitioned: boolean;
  /** True if write statements must list every column. */
  readonly namesColumns?: true;
  /** The place of the rows in a distributed database, with a quoted column. */
  readonly distribution?: Distribution;
  /** True if statement triggers may run before a statement reads rows. */
  readonly earlyTriggers: boolean;
  /** True if triggers or rules may skip rows of an insert. */
  readonly mayLeaveOutRows: boolean;
  readonly joins: readonly JoinIr[];
  readonly computedFields: readonly ComputedFieldIr[];
  /** The source of its rows if it is not a table. */
  readonly query?: NativeQueryIr | StoredProcedureIr | NestedModelIr;
}

/** A logical model of JSON values nested in rows. */
interface NestedModelIr {
  readonly nestedModel: string;
}

export interface NativeQueryIr {
  /** Name of the root field. */
  readonly name: string;
  /** GraphQL base name of the object type. */
  readonly objectType: string;
  /** SQL text, and argument positions as numbers. */
  readonly code: readonly (string | number)[];
  readonly arguments: readonly NativeArgumentIr[];
}

export interface StoredProcedureIr {
  /** Name of the root field. */
  readonly name: string;
  /** GraphQL base name of the object type. */
  readonly objectType: string;
  /** Quoted name of the procedure. */
  readonly procedure: string;
  /** Quoted names and types of the result columns, in the procedure's order. */
  readonly columns: readonly { readonly sql: string; readonly type: string }[];
  readonly arguments: readonly (NativeArgumentIr & {
    /** Type of the variable that holds the argument. */
    readonly variable: string;
  })[];
}

export interface NativeArgumentIr {
  readonly name: string;
  readonly type: ScalarCall;
  readonly nullable: boolean;
  readonly description?: string;
}

export interface ColumnIr {
  readonly field: string;
  /** Quoted name. */
  readonly sql: string;
  readonly type: ScalarCall;
  /** The enum table that it references. */
  readonly enumTable?: TableRef;
  readonly nullable: boolean;
  readonly readsData?: true;
  readonly description?: string;
}

interface ConstraintIr {
  readonly name: string;
  /** Quoted name. */
  readonly sql: string;
  readonly columns: readonly string[];
  readonly isIndex?: true;
  /** SQL of the elements and condition of an index on expressions or with a condition. */
  readonly partial?: { readonly elements: readonly string[]; readonly condition?: string };
}

export interface JoinIr {
  /** Name of the relationship. */
  readonly name: string;
  readonly comment: string;
  readonly target: QualifiedName;
  /** Quoted column names of this table and of the target. */
  readonly columns: readonly JoinedColumns[];
  readonly unique: boolean;
  /** The plan of nested inserts; absent if one of the tables is not insertable. */
  readonly insert?: JoinInsertIr;
  /** Set if the target rows are stored as JSON in a column of this table. */
  readonly document?: DocumentIr;
}

export interface DocumentIr {
  /** Quoted name of the column. */
  readonly column: string;
  readonly list: boolean;
  readonly members: readonly {
    readonly key: string;
    /** Quoted name. */
    readonly sql: string;
    readonly type: string;
    /** True if the member holds JSON. */
    readonly nested?: true;
  }[];
}

/** Order of a nested insert, and the columns copied from the first row to the second. */
interface JoinInsertIr {
  /** Position of the target's row relative to the row of this table. */
  readonly order: "before" | "after";
  /** Quoted column names of the first and second row, with the type of the second. */
  readonly copies: readonly { readonly from: string; readonly to: string; readonly type: ScalarCall }[];
}

export interface ComputedFieldIr {
  readonly name: string;
  readonly function: FunctionRef;
  /** Type of its value; absent if it returns rows of a table. */
  readonly type?: ScalarCall;
  /** Positions of the arguments for the row and the session variables. */
  readonly row?: number;
  readonly session?: number;
  /** Type of the row, and all of its quoted columns, in a distributed database. */
  readonly rowType?: { readonly type: string; readonly columns: readonly string[] };
  /** Quoted columns of the row, by argument position. */
  readonly columns?: Readonly<Record<number, string>>;
  /** Replaces the automatic description; empty suppresses it. */
  readonly description?: string;
}

/** `sources/<source>/<schema>.<table>.enum.ts`: the values of an enum table. */
export interface EnumIr {
  readonly table: TableRef;
  /** GraphQL base name of the table. */
  readonly type: string;
  readonly values: readonly { readonly value: string; readonly comment: string | null }[];
}

/** `sources/<source>/<schema>.<function>.function.ts` */
export interface FunctionIr {
  readonly function: FunctionRef;
  /** Quoted and schema-qualified name. */
  readonly sql: string;
  readonly displayName: string;
  readonly arguments: readonly ArgumentIr[];
  readonly returnsSet: boolean;
  /** Set if root fields call the function. */
  readonly tracked?: { readonly type: string; readonly session?: number };
}

export interface ArgumentIr {
  /** GraphQL name; absent if the argument is positional. */
  readonly field?: string;
  /** Quoted name, if any. */
  readonly sql?: string;
  readonly type: ScalarCall;
  readonly hasDefault: boolean;
}

/** `roles/<role>/<source>/<schema>.<table>.ts`: the permissions of one role on a table. */
export interface ViewIr {
  readonly role: string;
  readonly table: TableRef;
  /** Comment of the permission. */
  readonly comment?: string;
  /** True if the role may select. */
  readonly readable: boolean;
  /** Field names of the readable columns. */
  readonly columns: readonly string[];
  readonly relationships: readonly RelationshipIr[];
  /** Relationships to other sources and remote schemas. */
  readonly remoteRelationships?: readonly RemoteRelationshipIr[];
  /** `target` is the table of the returned rows; absent if the field returns a value. */
  readonly computedFields: readonly { readonly name: string; readonly target?: TableRef }[];
  readonly visible?: RowFilterIr;
  /** For an inherited role, the rows of each parent; replaces `visible`. */
  readonly parents?: readonly ParentRowsIr[];
  /**
   * Columns and computed fields that only some parents of an inherited role grant, with these parents' roles. They are
   * null in rows of the other parents.
   */
  readonly cells?: Readonly<Record<string, readonly string[]>>;
  readonly rowLimit?: number;
  readonly aggregations: boolean;
  /** The query root fields that the permission allows; absent if all. */
  readonly queryRoots?: readonly SelectRootField[];
  readonly writes: WritesIr;
}

/** The write permissions of a role on a table. */
export interface WritesIr {
  readonly insert?: InsertIr;
  readonly update?: UpdateIr;
  readonly delete?: DeleteIr;
}

export interface InsertIr {
  /** Field names of the columns that a request may set. */
  readonly columns: readonly string[];
  /** Relationships that nested inserts may follow. */
  readonly nested: readonly { readonly name: string; readonly kind: "object" | "array"; readonly target: TableRef }[];
  readonly backendOnly: boolean;
  readonly comment?: string;
  /** The parent role that the permission is inherited from. */
  readonly parent?: string;
  readonly presets: readonly PresetIr[];
  readonly check?: RowFilterIr;
  readonly validation?: InputValidation;
  readonly merged?: MergedIr<InsertIr>;
}

export interface UpdateIr {
  readonly columns: readonly string[];
  readonly backendOnly: boolean;
  readonly comment?: string;
  readonly parent?: string;
  readonly presets: readonly PresetIr[];
  readonly filter?: RowFilterIr;
  readonly check?: RowFilterIr;
  /** True if the metadata has a check that is true for every row. */
  readonly hasEmptyCheck?: true;
  readonly validation?: InputValidation;
  readonly merged?: MergedIr<UpdateIr>;
}

export interface DeleteIr {
  readonly backendOnly: boolean;
  readonly comment?: string;
  readonly parent?: string;
  readonly filter?: RowFilterIr;
  readonly validation?: InputValidation;
  readonly merged?: MergedIr<DeleteIr>;
}

/** The parents' permissions that an inherited role merges; their filters and checks replace the role's own. */
type MergedIr<T> = readonly (T & { readonly role: string })[];

export interface PresetIr {
  /** Quoted name. */
  readonly column: string;
  readonly value: readonly SqlPart[];
}

export interface RelationshipIr {
  readonly name: string;
  readonly target: TableRef;
  readonly kind: "object" | "array";
  /** Replaces the default description. */
  readonly description?: string;
  /** True for an object relationship that always has a row. */
  readonly required: boolean;
  /** True for an array relationship whose rows the role may aggregate. */
  readonly aggregations: boolean;
  /**
   * Set if the target's row filter, here as JSON, is implied by the filter of this table: the role may read every row
   * that the relationship leads to. `null` for the merged permissions of an inherited role.
   */
  readonly visibleWithRow?: { readonly expression: string | null };
}

export interface RowFilterIr {
  /** The expression in the metadata, as JSON text. */
  readonly expression: string;
  readonly condition: Condition;
}

/** A relationship to another source or a remote schema. */
export interface RemoteRelationshipIr {
  readonly name: string;
  /** Describes the join keys, for readers of the module. */
  readonly comment: string;
  readonly to: ToSourceIr | ToRemoteSchemaIr;
}

export interface ToSourceIr {
  readonly kind: "source";
  readonly relationship: "object" | "array";
  readonly target: TableRef;
  /** Quoted names and types of the target's columns, with the join keys compared with them. */
  readonly columns: readonly { readonly key: JoinKeyIr; readonly sql: string; readonly type: ScalarCall }[];
  readonly unique: boolean;
  readonly aggregations: boolean;
}

export interface ToRemoteSchemaIr {
  readonly kind: "remote_schema";
  readonly remote: string;
  /** True if the role has its own module for the remote schema. */
  readonly isOwn: boolean;
  readonly keys: readonly JoinKeyIr[];
  readonly path: readonly { readonly field: string; readonly arguments: JsonObject }[];
  readonly batch?: RemoteBatch;
}

/** A join key of the left side; `value` is set for tables. */
export interface JoinKeyIr {
  readonly name: string;
  readonly value?: /** A column or computed field declared in the table's module under this name. */
    | { readonly kind: "column" | "computed"; readonly name: string }
    /** A column that the table's module does not declare. */
    | { readonly kind: "unnamed"; readonly sql: string; readonly type: ScalarCall };
}

/** Row filter of a parent of an inherited role. */
export interface ParentRowsIr extends RowFilterIr {
  readonly role: string;
  /** True if the parent may read every row. */
  readonly everyRow?: true;
}

/** A boolean expression of SQL over one row. */
export type Condition =
  /** `items` has at least one item. */
  | { readonly kind: "all" | "any"; readonly items: readonly Condition[] }
  | { readonly kind: "not"; readonly item: Condition }
  /** True if a row of `from`, named `alias` in `where`, meets `where`. */
  | {
      readonly kind: "exists";
      readonly from: readonly SqlPart[];
      readonly alias: string;
      readonly where: Condition;
      /** Set if `where` contains the row filter of the role's select permission on this table: `_permitted`. */
      readonly permission?: QualifiedName;
    }
  /** True if the role may read a row that the relationship leads to, by the view of the target. */
  | ReadableIr
  /** One comparison. */
  | { readonly kind: "test"; readonly sql: readonly SqlPart[] };

export interface ReadableIr {
  readonly kind: "readable";
  /** The table that has the relationship, and the related one. */
  readonly owner: QualifiedName;
  readonly relationship: string;
  readonly target: QualifiedName;
  /** Alias of the row that is related. */
  readonly row: readonly SqlPart[];
}

export type SqlPart =
  | string
  /** The filtered row. */
  | { readonly kind: "row" }
  | { readonly kind: "session"; readonly variable: string }
  /** All session variables as one JSON object. */
  | { readonly kind: "whole_session" }
  /** A constant sent as a parameter because its value may depend on session settings, as `now` does. */
  | { readonly kind: "constant"; readonly text: string }
  | CrossSourceIr;

/** The values of a column in another source, as one list, read before the statement that compares with them. */
export interface CrossSourceIr {
  readonly kind: "crossSource";
  /** Name in `engine/support` of the dialect of the statement that compares with them. */
  readonly own: string;
  readonly table: TableRef;
  /** Name in `engine/support` of the other source's dialect. */
  readonly dialect: string;
  /** Quoted and schema-qualified name of the table. */
  readonly from: string;
  /** Quoted name. */
  readonly column: string;
  readonly type: ScalarCall;
  /** True if the values are sent to the database as JSON. */
  readonly json?: true;
  /** Condition on rows of the other source; absent for all rows. */
  readonly where?: Condition;
}

/** `events/<source>/<trigger>.ts` */
export interface EventTriggerIr {
  readonly source: string;
  readonly kind: SourceKind;
  readonly name: string;
  readonly table: QualifiedName;
  readonly manual: boolean;
  readonly webhook: WebhookDefinition;
  readonly ordering?: { readonly onError: "continue" | "hold" };
  readonly cleanup?: EventCleanup;
  /** Sorted by operation: INSERT, UPDATE, DELETE. */
  readonly recorders: readonly RecorderIr[];
}

export interface RecorderIr extends Omit<RecorderPlan, "condition"> {
  /** `types` are the types of the compared columns. */
  readonly condition?: { readonly test: ChangeCondition; readonly types: readonly TypeRef[] };
}

/** A condition on the rows before and after a change. */
export type ChangeCondition =
  /** `items` has at least two items. */
  | { readonly kind: "all" | "any"; readonly items: readonly ChangeCondition[] }
  | { readonly kind: "not"; readonly item: ChangeCondition }
  | { readonly kind: "row"; readonly row: "old" | "new"; readonly where: Condition };

/** `schedules/<trigger>.ts` */
export interface CronTriggerIr extends Omit<CronTriggerDefinition, "operation"> {
  readonly operation?: Omit<ScheduledOperation, "operation"> & { readonly operation: SavedOperationRef };
}

/** `roles/<role>/root-fields.ts` */
export interface RoleIr {
  /** `null` for all roles that the metadata does not name. */
  readonly role: string | null;
  readonly query: readonly (InNamespace<RootIr> | ExternalRootIr)[];
  readonly subscription: readonly (InNamespace<SubscriptionRootIr> | ExternalRootIr)[];
  readonly mutation: readonly (InNamespace<MutationRootIr> | ExternalRootIr)[];
  /** True if the role has a permission on some table. */
  readonly hasTables: boolean;
  /** Entities of Apollo federation; absent if it is disabled. */
  readonly entities?: readonly TableRef[];
  /** Set if the root fields of tables are divided among part modules. */
  readonly parts?: RoleParts;
}

/** The operations whose root fields are divided into parts; the query parts also hold subscription fields. */
export type PartedOperation = "query" | "mutation";

/** The first field of each part, in order. */
export type RoleParts = Readonly<Record<PartedOperation, readonly string[]>>;

/** `roles/<role>/query/<first>.ts` or `roles/<role>/mutation/<first>.ts`: the fields from `first` up to the next part. */
export type RolePartIr = { readonly role: string; readonly first: string } & (
  | {
      readonly operation: "query";
      readonly query: readonly RootIr[];
      readonly subscription: readonly SubscriptionRootIr[];
    }
  | { readonly operation: "mutation"; readonly mutation: readonly WriteRootIr[] }
);

/** `roles/<role>/tables.ts`: the tables on which a role has a permission. */
export interface RoleTablesIr {
  readonly role: string;
  readonly tables: readonly TableRef[];
}

/** A root field, or the namespace of a source with its root fields. */
export type InNamespace<Root> = Root | NamespaceIr<Root>;

export interface NamespaceIr<Root> {
  readonly field: string;
  readonly kind: "namespace";
  readonly source: string;
  readonly fields: readonly Root[];
}

export type RootIr = TableRootIr | FunctionRootIr;

/** A root field of a remote schema, or the namespace of all its root fields. */
export interface RemoteRootIr {
  readonly field: string;
  readonly kind: "remote" | "remote_namespace";
  /** Name of the remote schema. */
  readonly remote: string;
  /** True if the role has its own module for the remote schema. */
  readonly isOwn: boolean;
}

/** A root field of an action. An asynchronous action has two: the first starts a call, the second returns its result. */
export interface ActionRootIr {
  readonly field: string;
  readonly kind: "action" | "start_action" | "action_result";
  /** Describes arguments, result, handler and forwarded client headers. */
  readonly comment: string;
  /** Output types with relationships to tables that the role may read. */
  readonly outputs: readonly string[];
  /** Output types with remote relationships that the role may follow. */
  readonly joined?: readonly string[];
}

/** A root field served by a remote schema or an action handler. */
export type ExternalRootIr = RemoteRootIr | ActionRootIr;

/** `actions/types.ts` */
export interface ActionTypesIr {
  /** SDL of the custom types. */
  readonly types: string;
}

/** `actions/<action>.ts` */
export interface ActionIr {
  readonly name: string;
  readonly type: "query" | "mutation";
  readonly asynchronous?: true;
  /** SDL of the field. */
  readonly field: string;
  readonly handler: Pick<ActionHandler, "url"> & Partial<ActionHandler>;
}

/** `roles/<role>/actions/<type>.ts` */
export interface OutputRowsIr {
  readonly role: string;
  readonly type: string;
  readonly source: string;
  readonly columns: readonly OutputColumnIr[];
  readonly relationships: readonly OutputRelationshipIr[];
}

/** `roles/<role>/actions/<type>.relationships.ts` */
export interface OutputJoinsIr {
  readonly role: string;
  readonly type: string;
  readonly relationships: readonly RemoteRelationshipIr[];
}

export interface OutputColumnIr {
  readonly field: string;
  /** Quoted name. */
  readonly sql: string;
  readonly type: ScalarCall;
}

export interface OutputRelationshipIr {
  readonly name: string;
  readonly kind: "object" | "array";
  readonly target: TableRef;
  /** Quoted names. */
  readonly columns: readonly JoinedColumns[];
  readonly unique: boolean;
  readonly aggregations: boolean;
}

/** `remotes/<name>/server.ts` */
export interface RemoteServerIr {
  readonly name: string;
  /** May contain `{{VARIABLE}}` references to environment variables. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders?: true;
  readonly timeoutSeconds?: number;
  readonly batchRootFields?: true;
}

/** `remotes/<name>/schema.ts`, or `roles/<role>/remotes/<name>.ts` for a role that sees a part of it. */
export interface RemoteSchemaIr extends Omit<RemoteSchemaParts, "relationships"> {
  /** `null` for the module shared by all roles that see the complete schema. */
  readonly role: string | null;
  readonly name: string;
  readonly relationships?: TypeRelationshipsIr;
}

/** Remote relationships by type, under the type names that the role sees. */
export type TypeRelationshipsIr = readonly {
  readonly type: string;
  readonly relationships: readonly RemoteRelationshipIr[];
}[];

/** `roles/<role>/remotes/<name>.ts` for a role that sees the complete schema and has relationships from its types. */
export interface RemoteJoinsIr {
  readonly role: string;
  readonly name: string;
  readonly relationships: TypeRelationshipsIr;
}

interface TableRootIr {
  readonly field: string;
  readonly kind:
    | "select_many"
    | "select_by_pk"
    | "select_aggregate"
    | "select_group"
    | "native_query"
    | "stored_procedure";
  readonly table: TableRef;
  /** Replaces the default description; empty suppresses it. */
  readonly description?: string;
}

export type SubscriptionRootIr = RootIr | StreamRootIr;

interface StreamRootIr {
  readonly field: string;
  readonly kind: "select_stream";
  readonly table: TableRef;
  /** Replaces the default description; empty suppresses it. */
  readonly description?: string;
}

/** `roles/<role>/relay.ts` */
export interface RelayIr {
  /** `null` for all roles that the metadata does not name. */
  readonly role: string | null;
  readonly query: readonly RelayRootIr[];
  readonly subscription: readonly RelayRootIr[];
}

export type RelayRootIr = InNamespace<ConnectionRootIr> | NodeRootIr;

/** A connection over the rows of a table or function. */
export type ConnectionRootIr =
  | { readonly field: string; readonly kind: "select_connection"; readonly table: TableRef }
  | {
      readonly field: string;
      readonly kind: "function_connection";
      readonly function: FunctionRef;
      readonly table: TableRef;
    };

/** The `node` field, which selects a row by its global id. */
export interface NodeRootIr {
  readonly field: string;
  readonly kind: "node";
  /** Tables of the role whose rows the field cannot select. */
  readonly except: readonly TableRef[];
}

export type MutationRootIr = WriteRootIr | FunctionRootIr;

export interface WriteRootIr {
  readonly field: string;
  readonly kind: WriteKind;
  readonly table: TableRef;
  /** Replaces the default description; empty suppresses it. */
  readonly description?: string;
  readonly backendOnly: boolean;
}

export interface FunctionRootIr {
  readonly field: string;
  readonly kind: "function" | "function_aggregate";
  readonly function: FunctionRef;
  /** The table of the returned rows. */
  readonly table: TableRef;
  /** Replaces the default description; empty suppresses it. */
  readonly description?: string;
}

/** `operations/<collection>.<query>.ts` */
export interface SavedOperationIr extends SavedOperationRef {
  readonly kind: "query" | "mutation" | "subscription";
  /** The stored query text. */
  readonly text: string;
  /** The operation name in the document. */
  readonly operationName?: string;
  readonly variables: readonly SavedVariableIr[];
}

interface SavedVariableIr {
  readonly name: string;
  /** The declared GraphQL type. */
  readonly type: string;
  /** The default value as JSON. */
  readonly default?: unknown;
  readonly unused: boolean;
}

export interface SavedOperationRef {
  readonly collection: string;
  readonly name: string;
}

/** `rest/<endpoint>.ts` */
export interface RestEndpointIr {
  readonly name: string;
  readonly path: string;
  readonly methods: readonly RestMethod[];
  readonly comment?: string;
  readonly operation: SavedOperationRef;
}

/** `tools/<name>.ts` */
export interface AgentToolIr {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly operation: SavedOperationRef;
  readonly limits: AgentToolLimits;
  readonly scopes?: readonly string[];
}

/** `rest/routes.ts` */
export interface RestRoutesIr {
  readonly root: RouteNodeIr;
}

export interface RouteNodeIr {
  readonly literals: readonly { readonly segment: string; readonly node: RouteNodeIr }[];
  readonly variable?: RouteNodeIr;
  /** Names of the endpoints whose path ends at this node. */
  readonly endpoints: readonly string[];
}
