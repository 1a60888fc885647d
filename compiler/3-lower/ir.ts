/**
 * Generated modules before they are text: plain data in which everything is decided. A module's text depends on its
 * IR and on nothing else, so the hash of the IR is the slice that its header names.
 */

import type { ActionHandler } from "../../runtime/model/definitions/actions/action.ts";
import type { EventCleanup, WebhookDefinition } from "../../runtime/model/definitions/events/event-trigger.ts";
import type { InputValidation, WebhookHeader } from "../../runtime/model/definitions/input-validation.ts";
import type { TypeNameCustomization } from "../../runtime/model/definitions/naming.ts";
import type { RemoteSchemaParts } from "../../runtime/model/definitions/remote/remote-schema.ts";
import type { RemoteBatch } from "../../runtime/model/definitions/remote-relationship.ts";
import type { WriteKind } from "../../runtime/model/definitions/roots.ts";
import type {
  CronTriggerDefinition,
  ScheduledOperation,
} from "../../runtime/model/definitions/schedules/cron-trigger.ts";
import type { JsonObject, QualifiedName, SelectRootField, SourceKind } from "../catalog/model.ts";
import type { JoinedColumns, ScalarCall } from "../dialects/dialect.ts";
import type { RecorderPlan } from "../dialects/recorder.ts";
import type { TypeRef } from "../shape/shape.ts";

/** A table, or what takes its place, without a schema and called like its root field. */
export interface RowsName extends QualifiedName {
  readonly native?: "query" | "procedure" | "model";
}

/** A table of a source; what modules of other tables call it by. */
export interface TableRef extends RowsName {
  readonly source: string;
}

/** A function of a source; what modules of tables and roles call it by. */
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
  /** What stands around the names of types. */
  readonly typeNames: TypeNameCustomization;
}

/** `sources/<source>/<schema>.<table>.ts`: what all roles share. */
export interface TableIr {
  readonly table: TableRef;
  /** Quoted name with its schema. */
  readonly sql: string;
  readonly type: string;
  readonly displayName: string;
  /** Replaces the automatic one; empty: none. */
  readonly description?: string;
  readonly columns: readonly ColumnIr[];
  /** Fields of the key's columns. */
  readonly primaryKey: readonly string[];
  /** The primary key, unique constraints and unique indexes. */
  readonly constraints: readonly ConstraintIr[];
  readonly partitioned: boolean;
  /** Statements that write name every column. */
  readonly namesColumns?: true;
  /** Triggers may run before a statement looks at rows. */
  readonly earlyTriggers: boolean;
  /** Triggers or rules may leave out rows of an insert. */
  readonly mayLeaveOutRows: boolean;
  readonly joins: readonly JoinIr[];
  readonly computedFields: readonly ComputedFieldIr[];
  /** What gives its rows, in place of a table. */
  readonly query?: NativeQueryIr | StoredProcedureIr | NestedModelIr;
}

/** A logical model of values inside of rows. */
interface NestedModelIr {
  readonly nestedModel: string;
}

export interface NativeQueryIr {
  /** Of its root field. */
  readonly name: string;
  /** GraphQL base name of the object type. */
  readonly objectType: string;
  /** SQL; numbers stand for arguments. */
  readonly code: readonly (string | number)[];
  readonly arguments: readonly NativeArgumentIr[];
}

export interface StoredProcedureIr {
  /** Of its root field. */
  readonly name: string;
  /** GraphQL base name of the object type. */
  readonly objectType: string;
  /** Quoted name of the procedure. */
  readonly procedure: string;
  /** What it answers: quoted names and types, in its order. */
  readonly columns: readonly { readonly sql: string; readonly type: string }[];
  readonly arguments: readonly (NativeArgumentIr & {
    /** Of the variable that holds it. */
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
  /** The enum table whose values it holds. */
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
  /** SQL of the elements and the condition; absent for an index on plain columns without a condition. */
  readonly partial?: { readonly elements: readonly string[]; readonly condition?: string };
}

export interface JoinIr {
  /** Name of the relationship. */
  readonly name: string;
  readonly comment: string;
  readonly target: QualifiedName;
  /** Quoted column names of this table and of the other. */
  readonly columns: readonly JoinedColumns[];
  readonly unique: boolean;
  /** How rows are inserted along; absent: one of the tables takes none. */
  readonly insert?: JoinInsertIr;
  /** The other rows are in a column of this one, as JSON. */
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
    /** It holds JSON itself. */
    readonly nested?: true;
  }[];
}

/** Which row of a nested insert comes first, and what of it the other row takes over. */
interface JoinInsertIr {
  /** The other table's row is inserted before or after the row of this one. */
  readonly order: "before" | "after";
  /** Quoted column names of the first row and of the second, and the type of the latter. */
  readonly copies: readonly { readonly from: string; readonly to: string; readonly type: ScalarCall }[];
}

/** A function of a row of the table. */
export interface ComputedFieldIr {
  readonly name: string;
  readonly function: FunctionRef;
  /** Of its value; absent: it gives rows of a table. */
  readonly type?: ScalarCall;
  /** Positions of the arguments that get the row and the session variables. */
  readonly row?: number;
  readonly session?: number;
  /** Quoted columns of the row, by the positions of the arguments that get them. */
  readonly columns?: Readonly<Record<number, string>>;
  /** Replaces the automatic one; empty: none. */
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
  /** Quoted name with its schema. */
  readonly sql: string;
  readonly displayName: string;
  readonly arguments: readonly ArgumentIr[];
  readonly returnsSet: boolean;
  /** How root fields call it. */
  readonly tracked?: { readonly type: string; readonly session?: number };
}

export interface ArgumentIr {
  /** Name in requests; absent: they count it. */
  readonly field?: string;
  /** Quoted name; absent: it has none. */
  readonly sql?: string;
  readonly type: ScalarCall;
  readonly hasDefault: boolean;
}

/** `roles/<role>/<source>/<schema>.<table>.ts`: a table as one role sees it. */
export interface ViewIr {
  readonly role: string;
  readonly table: TableRef;
  /** Of the permission. */
  readonly comment?: string;
  /** Whether there is a select permission. */
  readonly readable: boolean;
  /** Fields of the columns. */
  readonly columns: readonly string[];
  readonly relationships: readonly RelationshipIr[];
  /** Those that leave the source; absent: none. */
  readonly remoteRelationships?: readonly RemoteRelationshipIr[];
  /** `target`: the table whose rows it gives; absent: it gives a value. */
  readonly computedFields: readonly { readonly name: string; readonly target?: TableRef }[];
  readonly visible?: RowFilterIr;
  /** Of an inherited role, in place of `visible`: the rows of each parent. */
  readonly parents?: readonly ParentRowsIr[];
  /**
   * Columns by their fields, and computed fields, that only some parents of an inherited role give: the roles of
   * these. Elsewhere they are null.
   */
  readonly cells?: Readonly<Record<string, readonly string[]>>;
  readonly rowLimit?: number;
  readonly aggregations: boolean;
  /** The query root fields that the permission leaves; absent: all. */
  readonly queryRoots?: readonly SelectRootField[];
  readonly writes: WritesIr;
}

/** The write permissions of a role on a table; absent: the role may not. */
export interface WritesIr {
  readonly insert?: InsertIr;
  readonly update?: UpdateIr;
  readonly delete?: DeleteIr;
}

export interface InsertIr {
  /** Fields of the columns that a request may set. */
  readonly columns: readonly string[];
  /** Relationships whose rows can be inserted along. */
  readonly nested: readonly { readonly name: string; readonly kind: "object" | "array"; readonly target: TableRef }[];
  readonly backendOnly: boolean;
  readonly comment?: string;
  /** The parent whose permission it is; absent: the role's own. */
  readonly parent?: string;
  readonly presets: readonly PresetIr[];
  readonly check?: RowFilterIr;
  readonly validation?: InputValidation;
}

export interface UpdateIr {
  readonly columns: readonly string[];
  readonly backendOnly: boolean;
  readonly comment?: string;
  readonly parent?: string;
  readonly presets: readonly PresetIr[];
  readonly filter?: RowFilterIr;
  readonly check?: RowFilterIr;
  /** The metadata has a check, which always holds. */
  readonly hasEmptyCheck?: true;
  readonly validation?: InputValidation;
}

export interface DeleteIr {
  readonly backendOnly: boolean;
  readonly comment?: string;
  readonly parent?: string;
  readonly filter?: RowFilterIr;
  readonly validation?: InputValidation;
}

export interface PresetIr {
  /** Quoted name. */
  readonly column: string;
  readonly value: readonly SqlPart[];
}

export interface RelationshipIr {
  readonly name: string;
  readonly target: TableRef;
  readonly kind: "object" | "array";
  /** In place of the usual one. */
  readonly description?: string;
  /** Of an object relationship: there is always a row. */
  readonly required: boolean;
  /** Of an array relationship: aggregates are allowed. */
  readonly aggregations: boolean;
  /**
   * The role may read all that it leads to from a row that it may read: what the permission on the target asks for, as
   * JSON, follows from what the permission on this table does. `null`: permissions that an inherited role merges.
   */
  readonly visibleWithRow?: { readonly expression: string | null };
}

export interface RowFilterIr {
  /** The expression as the metadata has it, as JSON text. */
  readonly expression: string;
  readonly condition: Condition;
}

/** A relationship that leaves its source. */
export interface RemoteRelationshipIr {
  readonly name: string;
  /** What is compared with what. */
  readonly comment: string;
  readonly to: ToSourceIr | ToRemoteSchemaIr;
}

export interface ToSourceIr {
  readonly kind: "source";
  readonly relationship: "object" | "array";
  readonly target: TableRef;
  /** Quoted names and types of the target's columns, with what they are compared with. */
  readonly columns: readonly { readonly key: JoinKeyIr; readonly sql: string; readonly type: ScalarCall }[];
  readonly unique: boolean;
  readonly aggregations: boolean;
}

export interface ToRemoteSchemaIr {
  readonly kind: "remote_schema";
  readonly remote: string;
  /** The role has a module of its own for the remote schema. */
  readonly isOwn: boolean;
  readonly keys: readonly JoinKeyIr[];
  readonly path: readonly { readonly field: string; readonly arguments: JsonObject }[];
  readonly batch?: RemoteBatch;
}

/** A value of the left side; of a table: what holds it. */
export interface JoinKeyIr {
  readonly name: string;
  readonly value?: /** A column or computed field that the table's module declares under this name. */
    | { readonly kind: "column" | "computed"; readonly name: string }
    /** A column that it does not declare. */
    | { readonly kind: "unnamed"; readonly sql: string; readonly type: ScalarCall };
}

/** The rows that a parent of an inherited role may read. */
export interface ParentRowsIr extends RowFilterIr {
  readonly role: string;
  /** The condition holds for every row. */
  readonly everyRow?: true;
}

/** A boolean expression of SQL over one row. */
export type Condition =
  /** Of at least one. */
  | { readonly kind: "all" | "any"; readonly items: readonly Condition[] }
  | { readonly kind: "not"; readonly item: Condition }
  /** Some row of `from` meets `where`, which calls it `alias`. */
  | { readonly kind: "exists"; readonly from: readonly SqlPart[]; readonly alias: string; readonly where: Condition }
  /** One comparison. */
  | { readonly kind: "test"; readonly sql: readonly SqlPart[] };

export type SqlPart =
  | string
  /** The row that the condition is about. */
  | { readonly kind: "row" }
  | { readonly kind: "session"; readonly variable: string }
  /** All session variables as one JSON object. */
  | { readonly kind: "whole_session" }
  /** A constant that the database reads anew for each request. */
  | { readonly kind: "constant"; readonly text: string }
  | ElsewhereIr;

/** Values that rows of another source have, as one list; they are read before the statement. */
export interface ElsewhereIr {
  readonly kind: "elsewhere";
  /** The dialect of the statement that compares with them, as support names it. */
  readonly own: string;
  readonly table: TableRef;
  /** Of the other source, as support names it. */
  readonly dialect: string;
  /** Quoted, with its schema. */
  readonly from: string;
  /** Quoted. */
  readonly column: string;
  readonly type: ScalarCall;
  /** They go to the database as JSON. */
  readonly json?: true;
  /** Of the other source's row; absent: all rows. */
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
  /** In the order INSERT, UPDATE, DELETE. */
  readonly recorders: readonly RecorderIr[];
}

export interface RecorderIr extends Omit<RecorderPlan, "condition"> {
  /** `types`: of the columns that it compares. */
  readonly condition?: { readonly test: ChangeCondition; readonly types: readonly TypeRef[] };
}

/** What has to hold of the row before a change and of the row after it. */
export type ChangeCondition =
  /** Of at least two. */
  | { readonly kind: "all" | "any"; readonly items: readonly ChangeCondition[] }
  | { readonly kind: "not"; readonly item: ChangeCondition }
  | { readonly kind: "row"; readonly row: "old" | "new"; readonly where: Condition };

/** `schedules/<trigger>.ts` */
export interface CronTriggerIr extends Omit<CronTriggerDefinition, "operation"> {
  readonly operation?: Omit<ScheduledOperation, "operation"> & { readonly operation: SavedOperationRef };
}

/** `roles/<role>/resolvers.ts` */
export interface RoleIr {
  /** `null`: every role that nothing names. */
  readonly role: string | null;
  readonly query: readonly (InNamespace<RootIr> | OutsideRootIr)[];
  readonly subscription: readonly (InNamespace<SubscriptionRootIr> | OutsideRootIr)[];
  readonly mutation: readonly (InNamespace<MutationRootIr> | OutsideRootIr)[];
  /** Whether it has some permission on a table. */
  readonly hasTables: boolean;
  /** Entities of Apollo federation; absent: it is off. */
  readonly entities?: readonly TableRef[];
  /** The parts in which the fields of its tables stand. Absent: all is here. */
  readonly parts?: RoleParts;
}

/** The operations whose fields stand in parts; those of subscriptions stand with the queries. */
export type PartedOperation = "query" | "mutation";

/** The first fields of the parts, in order. */
export type RoleParts = Readonly<Record<PartedOperation, readonly string[]>>;

/** `roles/<role>/(query)/<first>.ts` or `roles/<role>/(mutation)/<first>.ts`: the fields from one up to the next part. */
export type RolePartIr = { readonly role: string; readonly first: string } & (
  | {
      readonly operation: "query";
      readonly query: readonly RootIr[];
      readonly subscription: readonly SubscriptionRootIr[];
    }
  | { readonly operation: "mutation"; readonly mutation: readonly WriteRootIr[] }
);

/** `roles/<role>/tables.ts`: the tables that a role has some permission on. */
export interface RoleTablesIr {
  readonly role: string;
  readonly tables: readonly TableRef[];
}

/** A root field, or a namespace of a source that holds some. */
export type InNamespace<Root> = Root | NamespaceIr<Root>;

export interface NamespaceIr<Root> {
  readonly field: string;
  readonly kind: "namespace";
  readonly source: string;
  readonly fields: readonly Root[];
}

export type RootIr = TableRootIr | FunctionRootIr;

/** A field that a remote server answers, or one that holds all of its fields. */
export interface RemoteRootIr {
  readonly field: string;
  readonly kind: "remote" | "remote_namespace";
  /** Name of the remote schema. */
  readonly remote: string;
  /** The role has a module of its own for it. */
  readonly isOwn: boolean;
}

/** A field that the handler of an action answers; of an asynchronous one, what asks for a call and what tells its result. */
export interface ActionRootIr {
  readonly field: string;
  readonly kind: "action" | "start_action" | "action_result";
  /** Arguments and result, the handler, and the headers that it gets of clients. */
  readonly comment: string;
  /** Types beside whose objects the role may read something. */
  readonly outputs: readonly string[];
  /** Types to whose objects the role may join something; absent: none. */
  readonly joined?: readonly string[];
}

/** A field that no database answers. */
export type OutsideRootIr = RemoteRootIr | ActionRootIr;

/** `actions/(types).ts` */
export interface ActionTypesIr {
  /** SDL. */
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

/** `roles/<role>/(actions)/<type>.ts` */
export interface OutputRowsIr {
  readonly role: string;
  readonly type: string;
  readonly source: string;
  readonly columns: readonly OutputColumnIr[];
  readonly relationships: readonly OutputRelationshipIr[];
}

/** `roles/<role>/(actions)/<type>.relationships.ts` */
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
  /** May name environment variables. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders?: true;
  readonly timeoutSeconds?: number;
  readonly batchRootFields?: true;
}

/** `remotes/<name>/schema.ts`, or `roles/<role>/(remotes)/<name>.ts` where a role uses a part of it. */
export interface RemoteSchemaIr extends Omit<RemoteSchemaParts, "relationships"> {
  /** `null`: it is that of all who use the whole. */
  readonly role: string | null;
  readonly name: string;
  /** Absent: none. */
  readonly relationships?: TypeRelationshipsIr;
}

/** What is joined to objects, by the names that the role uses for their types. */
export type TypeRelationshipsIr = readonly {
  readonly type: string;
  readonly relationships: readonly RemoteRelationshipIr[];
}[];

/** `roles/<role>/(remotes)/<name>.ts` where a role uses a remote schema as a whole, and joins something to it. */
export interface RemoteJoinsIr {
  readonly role: string;
  readonly name: string;
  readonly relationships: TypeRelationshipsIr;
}

interface TableRootIr {
  readonly field: string;
  readonly kind: "select_many" | "select_by_pk" | "select_aggregate" | "native_query" | "stored_procedure";
  readonly table: TableRef;
  /** Replaces the default; empty: none. */
  readonly description?: string;
}

export type SubscriptionRootIr = RootIr | StreamRootIr;

interface StreamRootIr {
  readonly field: string;
  readonly kind: "select_stream";
  readonly table: TableRef;
  /** Replaces the default; empty: none. */
  readonly description?: string;
}

/** `roles/<role>/relay.ts` */
export interface RelayIr {
  /** `null`: every role that nothing names. */
  readonly role: string | null;
  readonly query: readonly RelayRootIr[];
  readonly subscription: readonly RelayRootIr[];
}

export type RelayRootIr = InNamespace<ConnectionRootIr> | NodeRootIr;

/** A page of rows of a table, or of those that a function gives. */
export type ConnectionRootIr =
  | { readonly field: string; readonly kind: "select_connection"; readonly table: TableRef }
  | {
      readonly field: string;
      readonly kind: "function_connection";
      readonly function: FunctionRef;
      readonly table: TableRef;
    };

/** A row by its global id. */
export interface NodeRootIr {
  readonly field: string;
  readonly kind: "node";
  /** The role's tables whose rows cannot be asked for so. */
  readonly except: readonly TableRef[];
}

export type MutationRootIr = WriteRootIr | FunctionRootIr;

export interface WriteRootIr {
  readonly field: string;
  readonly kind: WriteKind;
  readonly table: TableRef;
  /** Replaces the default; empty: none. */
  readonly description?: string;
  readonly backendOnly: boolean;
}

export interface FunctionRootIr {
  readonly field: string;
  readonly kind: "function" | "function_aggregate";
  readonly function: FunctionRef;
  /** Whose rows it gives. */
  readonly table: TableRef;
  /** Replaces the default; empty: none. */
  readonly description?: string;
}

/** `operations/<collection>.<query>.ts` */
export interface SavedOperationIr extends SavedOperationRef {
  readonly kind: "query" | "mutation" | "subscription";
  /** As it is stored. */
  readonly text: string;
  /** What its document calls it. */
  readonly operationName?: string;
  readonly variables: readonly SavedVariableIr[];
}

interface SavedVariableIr {
  readonly name: string;
  /** As it is declared. */
  readonly type: string;
  /** As JSON. */
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
  readonly methods: readonly string[];
  readonly comment?: string;
  readonly operation: SavedOperationRef;
}

/** `rest/routes.ts` */
export interface RestRoutesIr {
  readonly root: RouteNodeIr;
}

export interface RouteNodeIr {
  readonly literals: readonly { readonly segment: string; readonly node: RouteNodeIr }[];
  readonly variable?: RouteNodeIr;
  /** Names of the endpoints whose path ends here. */
  readonly endpoints: readonly string[];
}
