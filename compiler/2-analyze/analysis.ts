/**
 * The Analysis: the Catalog resolved against the Shapes. Every reference is bound to the object it names; what is
 * inconsistent is taken out and listed with its reason. Immutable, made of plain data, and shared with the previous
 * Analysis where nothing changed, so that later phases can compare by identity.
 */

import type { RemoteBatch } from "../../runtime/model/definitions/remote-relationship.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type {
  JsonObject,
  ModelField,
  NativeQuery,
  Source,
  StoredProcedure,
  TrackedFunction,
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
import type { RemoteIntrospection, RemoteRootTypes, RemoteShape, RemoteTypeRef } from "../shape/remote-shape.ts";
import type { FunctionShape, Shape, TypeRef } from "../shape/shape.ts";
import type { AnalyzedColumn, AnalyzedSelect } from "./analyzed-table.ts";
import type { Dependency } from "./dependency.ts";
import type { DependencyIndex } from "./dependency-index.ts";
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
  /** Why inherited roles do not get a remote schema that their parents have, by role and remote schema. */
  readonly inheritedClashes: ReadonlyMap<string, ReadonlyMap<string, string>>;
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
  /** Who needs whom (`metadata-api.md` 4.6). */
  readonly dependencies: DependencyIndex;
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

/** What may decide names and consistency besides metadata and databases. */
export interface AnalysisOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly experimentalFeatures: ReadonlySet<string>;
  readonly defaultNamingConvention: "engine-default" | "graphql-default";
  readonly inferFunctionPermissions: boolean;
  /** Whether comments of the database are descriptions where the metadata has none; absent: they are. */
  readonly inferDescriptions?: boolean;
  /** Roles see of remote schemas what their permission documents say; else every role sees all. */
  readonly remoteSchemaPermissions: boolean;
  /** Another prefix of session variables, in lower case, that counts as ours; absent: there is none. */
  readonly sessionAlias?: string | null;
  /** Event triggers deliver numbers that JavaScript would round as strings; absent: as numbers. */
  readonly stringifyNumbers?: boolean;
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
  /** Fields of scalars and of other models, as columns; in the order of the model. */
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
export interface RemoteRoleShape extends RemoteRootTypes {
  readonly presets: readonly RemotePreset[];
}

/** A value that requests cannot give: of an argument of a field, or of a field of an input object. */
export interface RemotePreset {
  readonly type: string;
  readonly field: string;
  readonly argument?: string;
  readonly value: RemotePresetValue;
}

/** A session variable with the type of its place, a value as GraphQL text, or an input object of such values. */
export type RemotePresetValue =
  | { readonly session: string; readonly type: RemoteTypeRef }
  | { readonly literal: string }
  | { readonly object: Readonly<Record<string, RemotePresetValue>> };

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
      /** One call answers for all keys of a level; absent: there is a call for each. */
      readonly batch?: RemoteBatch;
    }
);

/** The key of a table or function within its source. */
export function qualifiedKey({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${escapePart(schema)}.${escapePart(name)}`;
}

function escapePart(part: string): string {
  return /[\\.]/.test(part) ? part.replace(/[\\.]/g, "\\$&") : part;
}
