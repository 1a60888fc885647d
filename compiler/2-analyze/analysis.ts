/**
 * The Analysis: the Catalog resolved against the Shapes. Every reference is bound to the object it names; what is
 * inconsistent is taken out and listed with its reason. Immutable, made of plain data, and shared with the previous
 * Analysis where nothing changed, so that later phases can compare by identity.
 */

import type {
  Catalog,
  ComputedField,
  DeletePermission,
  EventTrigger,
  InsertPermission,
  Json,
  JsonObject,
  ModelField,
  NativeQuery,
  Permission,
  RemoteRelationship,
  RootFieldKey,
  SelectPermission,
  SelectRootField,
  Source,
  StoredProcedure,
  SubscriptionRootField,
  Table,
  TrackedFunction,
  UpdatePermission,
} from "../catalog/model.ts";
import type {
  Action,
  CronTrigger,
  CustomTypes,
  InheritedRole,
  RemoteSchema,
  RestEndpoint,
} from "../catalog/outside-sources.ts";
import type { NativeQueryCheck } from "../shape/native-query.ts";
import type { RemoteIntrospection, RemoteShape } from "../shape/remote-shape.ts";
import type { ColumnShape, FunctionShape, Shape, TableShape, TypeRef } from "../shape/shape.ts";
import type { Inconsistency } from "./inconsistency.ts";
import type { ObjectId } from "./object-id.ts";
import type { RemoteNames } from "./remote-names.ts";
import type { TableMap } from "./table-map.ts";

export interface Analysis {
  readonly catalog: Catalog;
  readonly options: AnalysisOptions;
  /** Consistent sources by name, in the order of the names. */
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly inconsistencies: readonly Inconsistency[];
  /** Roles that some consistent object names, without `admin`, in order. */
  readonly roles: readonly string[];
  /** Consistent inherited roles by name, parents first. */
  readonly inheritedRoles: ReadonlyMap<string, InheritedRole>;
  /** Endpoints that are routed, by name: consistent ones, and those that overlap (ruling 24). */
  readonly restEndpoints: ReadonlyMap<string, RestEndpoint>;
  /** Queries of collections that are one operation each, by `savedQueryKey`, in order. */
  readonly savedOperations: ReadonlyMap<string, SavedQuery>;
  /** Consistent remote schemas by name, in order. */
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
  /** What `remoteSchemas` were made of. */
  readonly remoteIntrospections: ReadonlyMap<string, RemoteIntrospection>;
  /** Consistent remote relationships, of tables and of types of remote schemas, by `objectKey`. */
  readonly remoteRelationships: ReadonlyMap<string, AnalyzedRemoteRelationship>;
  /** Those of the catalog if all of them are consistent, else none. */
  readonly customTypes: CustomTypes;
  /** Consistent actions by name, in order. */
  readonly actions: ReadonlyMap<string, Action>;
  /** Consistent cron triggers by name, in order. */
  readonly cronTriggers: ReadonlyMap<string, CronTrigger>;
  /** Who needs whom, by the `objectKey` of the one that needs (`metadata-api.md` 4.6). */
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
}

/** A query of a collection. */
export interface SavedQuery {
  readonly collection: string;
  readonly name: string;
  /** The text that is stored. */
  readonly query: string;
  /** The same document as printers of GraphQL write it: what clients send that hold it parsed. */
  readonly printed: string;
}

/** `object` cannot be without `on`. */
export interface Dependency {
  readonly object: ObjectId;
  readonly on: ObjectId;
  /** A static value depends on the type of a column: it cannot change (`metadata-api.md` 2.5). */
  readonly onType?: true;
}

/** What may decide names and consistency besides metadata and databases. */
export interface AnalysisOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly experimentalFeatures: ReadonlySet<string>;
  readonly defaultNamingConvention: "engine-default" | "graphql-default";
  readonly inferFunctionPermissions: boolean;
  /** Roles see of remote schemas what their permission documents say; else every role sees all. */
  readonly remoteSchemaPermissions: boolean;
}

/** What introspection of a source gave: its Shape, or why there is none. */
export type SourceIntrospection =
  | {
      readonly shape: Shape;
      /** What the database says of native queries, by root field; one that was not asked about is believed. */
      readonly nativeQueries?: ReadonlyMap<string, NativeQueryCheck>;
    }
  | { readonly error: { readonly message: string; readonly internal?: unknown }; readonly staleShape?: Shape };

export interface AnalyzedSource {
  readonly name: string;
  readonly source: Source;
  /** What `shape` was made of. */
  readonly introspection: SourceIntrospection;
  readonly shape: Shape;
  readonly namingConvention: "engine-default" | "graphql-default";
  /** Consistent tables by `qualifiedKey`, in order of schema and name. */
  readonly tables: TableMap;
  /** Consistent functions by `qualifiedKey`, in order of schema and name. */
  readonly functions: ReadonlyMap<string, AnalyzedFunction>;
  /** Consistent logical models by name, in order. */
  readonly logicalModels: ReadonlyMap<string, AnalyzedModel>;
  /** Consistent native queries by the name of their root field, in order. */
  readonly nativeQueries: ReadonlyMap<string, AnalyzedNativeQuery>;
  /** Consistent stored procedures by the name of their root field, in order. */
  readonly storedProcedures: ReadonlyMap<string, AnalyzedStoredProcedure>;
  /** Of logical models, native queries, stored procedures and what they own, by `objectKey`. */
  readonly nativeDependencies: ReadonlyMap<string, readonly Dependency[]>;
  /** Of the source, its tables and their fields. */
  readonly tableInconsistencies: readonly Inconsistency[];
  /** Of its functions, logical models, native queries and stored procedures. */
  readonly otherInconsistencies: readonly Inconsistency[];
}

export interface AnalyzedTable {
  readonly source: string;
  /** `schema.name`, with dots and backslashes of either part escaped: unique within a source. */
  readonly key: string;
  readonly table: Table;
  readonly shape: TableShape;
  /** Name in messages and descriptions: with its schema unless that is the default one. */
  readonly displayName: string;
  /**
   * Name of the object type, in the source's naming convention but without its prefix and suffix; the base of other
   * type names. `null` leaves the table out of the schema (`graphql-api.md` 2.1).
   */
  readonly graphqlName: string | null;
  /** Final names of the root fields that admin could have; `null` where `graphqlName` is. */
  readonly rootFields: Readonly<Record<RootFieldKey, RootFieldName>> | null;
  /** Name of the Relay field for pages of its rows; `null` where `graphqlName` is. */
  readonly connectionField: string | null;
  readonly description: string | undefined;
  /** In the order of the table. */
  readonly columns: readonly AnalyzedColumn[];
  readonly primaryKey: readonly AnalyzedColumn[];
  /** By name, in order. */
  readonly relationships: ReadonlyMap<string, AnalyzedRelationship>;
  /** By name, in order. */
  readonly computedFields: ReadonlyMap<string, AnalyzedComputedField>;
  /** Those whose names are free, by name, in order; `Analysis.remoteRelationships` has the consistent ones. */
  readonly remoteRelationships: ReadonlyMap<string, RemoteRelationship>;
  /** By name, in order. */
  readonly eventTriggers: ReadonlyMap<string, EventTrigger>;
  /** By role, in order. */
  readonly select: ReadonlyMap<string, AnalyzedSelect>;
  readonly insert: ReadonlyMap<string, AnalyzedInsert>;
  readonly update: ReadonlyMap<string, AnalyzedUpdate>;
  readonly delete: ReadonlyMap<string, AnalyzedDelete>;
  /** Names of relationships that were given up because of what they depend on. */
  readonly dangling: readonly string[];
  /** Of what the table owns, by `objectKey`. */
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  /** Of its permissions and event triggers. */
  readonly inconsistencies: readonly Inconsistency[];
}

export interface RootFieldName {
  /** With the source's prefix and suffix, without its namespace. */
  readonly name: string;
  /** Replaces the default description; `""`: none. */
  readonly comment: string | undefined;
}

export interface AnalyzedColumn {
  readonly name: string;
  /** Name in the GraphQL schema; `null` where no valid one exists. */
  readonly field: string | null;
  readonly shape: ColumnShape;
  readonly description: string | undefined;
  /** Key of the enum table whose values it holds. */
  readonly enumTable: string | undefined;
}

export interface AnalyzedRelationship {
  readonly name: string;
  readonly kind: "object" | "array";
  readonly comment: string | undefined;
  /** Key of the other table, in the same source. */
  readonly target: string;
  /** Own column and column of the other table, in the order of the key or mapping. */
  readonly mapping: readonly { readonly local: string; readonly remote: string }[];
  /** The other table's joined columns include a key of it: at most one row matches. */
  readonly unique: boolean;
  /** A foreign key of this table whose columns are all NOT NULL (`graphql-api.md` 2.4). */
  readonly required: boolean;
  readonly origin: "foreign_key" | "foreign_key_of_other" | "manual";
  /** When a nested insert writes the other row. */
  readonly insertionOrder: "before_parent" | "after_parent";
}

export interface AnalyzedComputedField {
  readonly name: string;
  readonly field: ComputedField;
  readonly function: FunctionShape;
  readonly description: string | undefined;
  /** Positions among the function's arguments; all others are the request's. */
  readonly tableArgument: number;
  readonly sessionArgument: number | undefined;
  readonly returns:
    | { readonly kind: "scalar"; readonly type: TypeRef }
    /** Rows of the table with this key. */
    | { readonly kind: "table"; readonly target: string };
}

/** A boolean expression bound to its tables. The null-safety of `metadata-api.md` is already decided. */
export type Predicate =
  /** All hold; no items: true. */
  | { readonly kind: "and"; readonly items: readonly Predicate[] }
  /** Any holds; no items: false. */
  | { readonly kind: "or"; readonly items: readonly Predicate[] }
  | { readonly kind: "not"; readonly item: Predicate }
  | { readonly kind: "is_null"; readonly column: ColumnOperand; readonly negated: boolean }
  /**
   * `column operator operand`; the operator's name is one of the dialect's operator table. A literal null makes the
   * comparison NULL, as in SQL: neither true nor, under `not`, false.
   */
  | {
      readonly kind: "compare";
      readonly column: ColumnOperand;
      readonly operator: string;
      readonly operand: Operand;
    }
  /** An operator with several operands, such as `_st_d_within`: one for each of its fields, in their order. */
  | {
      readonly kind: "compare_structured";
      readonly column: ColumnOperand;
      readonly operator: string;
      readonly operands: readonly (Operand | undefined)[];
    }
  /** Column against column, operators `=`, `<>`, `>`, `<`, `>=`, `<=`. */
  | {
      readonly kind: "compare_columns";
      readonly left: ColumnOperand;
      readonly operator: "=" | "<>" | ">" | "<" | ">=" | "<=";
      readonly right: { readonly column: string; readonly of: "row" | "root" };
    }
  /** A related row meets `where`. */
  | { readonly kind: "related"; readonly relationship: AnalyzedRelationship; readonly where: Predicate }
  /** Some row that a computed field gives meets `where`; `target`: key of the table whose rows it gives. */
  | {
      readonly kind: "computed_rows";
      readonly computed: AnalyzedComputedField;
      readonly target: string;
      readonly where: Predicate;
    }
  /** Some row of another table of the source meets `where`; uncorrelated. */
  | { readonly kind: "exists"; readonly table: string; readonly where: Predicate };

export interface ColumnOperand {
  readonly name: string;
  readonly type: TypeRef;
  /** The computed field of that name, whose value is compared in place of a column's. */
  readonly computed?: AnalyzedComputedField;
  /** Compared after a cast to this type: `_cast`. */
  readonly cast?: string;
}

/** What a column is compared with. */
export type Operand =
  | { readonly kind: "session"; readonly variable: string }
  | { readonly kind: "literal"; readonly value: Json };

export interface AnalyzedSelect {
  readonly role: string;
  readonly permission: Permission<SelectPermission>;
  /** In the order of the table. */
  readonly columns: readonly AnalyzedColumn[];
  /** Scalar computed fields, in the order of their names. */
  readonly computedFields: readonly AnalyzedComputedField[];
  readonly filter: Predicate;
  readonly limit: number | undefined;
  readonly aggregations: boolean;
  /** `null`: all. */
  readonly queryRootFields: readonly SelectRootField[] | null;
  readonly subscriptionRootFields: readonly SubscriptionRootField[] | null;
  /**
   * Of an inherited role: the permissions that it is merged of, in the order of their roles. A column that only some
   * of them give shows on the rows of those.
   */
  readonly parents?: readonly AnalyzedSelect[];
}

/** Presets: column → value, in the order of the table. */
export type Presets = readonly { readonly column: AnalyzedColumn; readonly value: Operand }[];

export interface AnalyzedInsert {
  readonly role: string;
  readonly permission: Permission<InsertPermission>;
  /** What requests may set: neither presets nor generated columns. */
  readonly columns: readonly AnalyzedColumn[];
  readonly check: Predicate;
  readonly presets: Presets;
}

export interface AnalyzedUpdate {
  readonly role: string;
  readonly permission: Permission<UpdatePermission>;
  /** What requests may set: neither presets nor generated columns. */
  readonly columns: readonly AnalyzedColumn[];
  readonly filter: Predicate;
  readonly check: Predicate;
  readonly presets: Presets;
}

export interface AnalyzedDelete {
  readonly role: string;
  readonly permission: Permission<DeletePermission>;
  readonly filter: Predicate;
}

export interface AnalyzedFunction {
  readonly key: string;
  readonly function: TrackedFunction;
  readonly shape: FunctionShape;
  /** Key of the table whose rows it gives. */
  readonly target: string;
  readonly exposedAs: "query" | "mutation";
  /** Base of its type names, like a table's `graphqlName`. */
  readonly graphqlName: string;
  /** Final names of its root fields; a mutation has no aggregate. */
  readonly rootFields: { readonly function: string; readonly aggregate: string; readonly connection: string };
  /** Position of the argument that receives the session variables. */
  readonly sessionArgument: number | undefined;
}

/** What rows of native queries look like: a logical model, or the model of one native query. */
export interface AnalyzedModel {
  /** Of the logical model, or of the native query's root field. */
  readonly name: string;
  readonly fields: readonly ModelField[];
  /** Scalar fields, as columns; in the order of the model. */
  readonly columns: readonly AnalyzedColumn[];
  /** By role, in order. */
  readonly select: ReadonlyMap<string, AnalyzedSelect>;
}

export interface AnalyzedNativeQuery {
  readonly query: NativeQuery;
  readonly model: AnalyzedModel;
  /** In the order of their names. */
  readonly arguments: readonly AnalyzedNativeArgument[];
}

export interface AnalyzedStoredProcedure {
  readonly procedure: StoredProcedure;
  /** Its root field. */
  readonly field: string;
  readonly model: AnalyzedModel;
  /** In the order of their names. */
  readonly arguments: readonly AnalyzedNativeArgument[];
}

export interface AnalyzedNativeArgument {
  readonly name: string;
  readonly type: TypeRef;
  readonly nullable: boolean;
  readonly description: string | undefined;
}

export interface AnalyzedRemoteSchema {
  readonly schema: RemoteSchema;
  /** `undefined` where nobody asked the server, as in a compilation without a network: then it is believed. */
  readonly shape: RemoteShape | undefined;
  readonly names: RemoteNames;
  /** By role, in order; none while permissions are not enabled. */
  readonly permissions: ReadonlyMap<string, RemoteRoleShape>;
}

/** The part of a remote schema that a role may use, in upstream names. */
export interface RemoteRoleShape extends Pick<RemoteShape, "query" | "mutation" | "types"> {
  readonly presets: readonly RemotePreset[];
}

/** A value that requests cannot give: of an argument of a field, or of a field of an input object. */
export interface RemotePreset {
  readonly type: string;
  readonly field: string;
  readonly argument?: string;
  /** A session variable, or a value as GraphQL text. */
  readonly value: { readonly session: string } | { readonly literal: string };
}

/** A relationship that leaves its source; what it starts from is named by its identity. */
export type AnalyzedRemoteRelationship = { readonly id: ObjectId } & (
  | {
      readonly kind: "source";
      readonly relationship: "object" | "array";
      readonly source: string;
      /** Key of the table within that source. */
      readonly table: string;
      readonly mapping: readonly { readonly field: string; readonly column: string }[];
    }
  | {
      readonly kind: "remote_schema";
      readonly remoteSchema: string;
      /** Fields of the owner that arguments may name. */
      readonly fields: readonly string[];
      /** `{"field": {"arguments": {…}, "field"?: …}}`, as in the metadata. */
      readonly remoteField: JsonObject;
    }
);

/** The key of a table or function within its source. */
export function qualifiedKey({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${escapePart(schema)}.${escapePart(name)}`;
}

function escapePart(part: string): string {
  return /[\\.]/.test(part) ? part.replace(/[\\.]/g, "\\$&") : part;
}
