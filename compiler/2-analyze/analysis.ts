/**
 * The analysis: the catalog resolved against the introspected shapes. Every reference is bound to the object it names;
 * inconsistent objects are left out and listed with the reason. Immutable plain data, in which unchanged parts are
 * shared with the previous analysis, so that later phases can compare by identity.
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
  AgentTool,
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
import type { DependencyIndex } from "./dependency-index.ts";
import type { Inconsistency } from "./inconsistency.ts";
import type { Dependency, ObjectId } from "./object-id.ts";
import type { RemoteNames } from "./rules/remote-names.ts";
import type { TableMap } from "./table-map.ts";

export interface Analysis {
  readonly catalog: Catalog;
  readonly options: AnalysisOptions;
  /** Consistent sources by name, sorted. */
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  /** The sources before `_permitted` was resolved; absent if no permission uses it. */
  readonly unresolvedSources?: ReadonlyMap<string, AnalyzedSource>;
  readonly inconsistencies: readonly Inconsistency[];
  /** Roles named by consistent objects, without `admin`, sorted. */
  readonly roles: readonly string[];
  /** Consistent inherited roles by name, parents first. */
  readonly inheritedRoles: ReadonlyMap<string, InheritedRole>;
  /** Reasons why an inherited role does not get a remote schema from its parents, by role and remote schema. */
  readonly inheritedClashes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Routed endpoints by name: consistent endpoints, and endpoints with overlapping URLs. */
  readonly restEndpoints: ReadonlyMap<string, RestEndpoint>;
  /** Consistent tools for assistants by name, sorted. */
  readonly agentTools: ReadonlyMap<string, AgentTool>;
  /** Collection queries with exactly one operation, by `savedQueryKey`, sorted. */
  readonly savedOperations: ReadonlyMap<string, SavedQuery>;
  /** Consistent remote schemas by name, sorted. */
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
  /** The introspection results from which `remoteSchemas` were built. */
  readonly remoteIntrospections: ReadonlyMap<string, RemoteIntrospection>;
  /** Consistent remote relationships of tables and of types of remote schemas, by `objectKey`. */
  readonly remoteRelationships: ReadonlyMap<string, AnalyzedRemoteRelationship>;
  /** Custom types of the catalog; none if any of them is inconsistent. */
  readonly customTypes: CustomTypes;
  /** Consistent actions by name, sorted. */
  readonly actions: ReadonlyMap<string, Action>;
  /** Group fields whose names other root fields have (`rules/group-fields.ts`). */
  readonly leftOutGroups: ReadonlySet<string>;
  /** Consistent cron triggers by name, sorted. */
  readonly cronTriggers: ReadonlyMap<string, CronTrigger>;
  readonly dependencies: DependencyIndex;
}

export interface SavedQuery {
  readonly collection: string;
  readonly name: string;
  /** The stored text. */
  readonly query: string;
  /** The document as printed by graphql-js. Clients that parse documents before sending them send this text. */
  readonly printed: string;
}

export interface AnalysisOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly experimentalFeatures: ReadonlySet<string>;
  readonly defaultNamingConvention: "engine-default" | "graphql-default";
  readonly inferFunctionPermissions: boolean;
  /** Uses database comments as descriptions where the metadata has none; default true. */
  readonly inferDescriptions?: boolean;
  /** Restricts remote schemas by their permission documents; if `false`, every role has access to the whole schema. */
  readonly remoteSchemaPermissions: boolean;
  /** Alternative prefix of session variables, in lower case; absent: none. */
  readonly sessionAlias?: string | null;
  /** Delivers numbers that JavaScript would round as strings in events; default false. */
  readonly stringifyNumbers?: boolean;
}

/** Result of a source's introspection: its shape, or the error. */
export type SourceIntrospection =
  | {
      readonly shape: Shape;
      /**
       * Results of validating native queries in the database, by root field. A query without an entry is assumed valid.
       */
      readonly nativeQueries?: ReadonlyMap<string, NativeQueryCheck>;
    }
  | { readonly error: { readonly message: string; readonly internal?: unknown }; readonly staleShape?: Shape };

export interface AnalyzedSource {
  readonly name: string;
  readonly source: Source;
  /** The introspection result that contains `shape`. */
  readonly introspection: SourceIntrospection;
  readonly shape: Shape;
  readonly namingConvention: "engine-default" | "graphql-default";
  /** Consistent tables by `qualifiedKey`, sorted by schema and name. */
  readonly tables: TableMap;
  /** Consistent functions by `qualifiedKey`, sorted by schema and name. */
  readonly functions: ReadonlyMap<string, AnalyzedFunction>;
  /** Consistent logical models by name, sorted. */
  readonly logicalModels: ReadonlyMap<string, AnalyzedModel>;
  /** Consistent native queries by root field, sorted. */
  readonly nativeQueries: ReadonlyMap<string, AnalyzedNativeQuery>;
  /** Consistent stored procedures by root field, sorted. */
  readonly storedProcedures: ReadonlyMap<string, AnalyzedStoredProcedure>;
  /** Dependencies of logical models, native queries, stored procedures and their parts, by `objectKey`. */
  readonly nativeDependencies: ReadonlyMap<string, readonly Dependency[]>;
  /** Inconsistencies of the source itself, its tables and their fields. */
  readonly tableInconsistencies: readonly Inconsistency[];
  /** Inconsistencies of functions, logical models, native queries and stored procedures. */
  readonly otherInconsistencies: readonly Inconsistency[];
}

export interface AnalyzedFunction {
  readonly key: string;
  readonly function: TrackedFunction;
  readonly shape: FunctionShape;
  /** Key of the table whose rows the function returns. */
  readonly target: string;
  readonly exposedAs: "query" | "mutation";
  /** Base of the function's type names, like a table's `graphqlName`. */
  readonly graphqlName: string;
  /** Final names of the function's root fields; a mutation has no aggregate field. */
  readonly rootFields: { readonly function: string; readonly aggregate: string; readonly connection: string };
  /** Position of the argument that receives the session variables. */
  readonly sessionArgument: number | undefined;
}

/** Row type of native queries: a logical model, or the inline model of one native query. */
export interface AnalyzedModel {
  /** Name of the logical model, or root field of the native query. */
  readonly name: string;
  readonly fields: readonly ModelField[];
  /** Columns for the model's scalar and nested fields, in declaration order. */
  readonly columns: readonly AnalyzedColumn[];
  /** By role, sorted. */
  readonly select: ReadonlyMap<string, AnalyzedSelect>;
}

export interface AnalyzedNativeQuery {
  readonly query: NativeQuery;
  readonly model: AnalyzedModel;
  /** Sorted by name. */
  readonly arguments: readonly AnalyzedNativeArgument[];
}

export interface AnalyzedStoredProcedure {
  readonly procedure: StoredProcedure;
  /** Name of the root field. */
  readonly field: string;
  readonly model: AnalyzedModel;
  /** Sorted by name. */
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
  /**
   * `undefined` if the server was not introspected, as in a compilation without network access; the remote schema is
   * then assumed valid.
   */
  readonly shape: RemoteShape | undefined;
  readonly names: RemoteNames;
  /** By role, sorted; empty unless remote schema permissions are enabled. */
  readonly permissions: ReadonlyMap<string, RemoteRoleShape>;
}

/** The part of a remote schema that a role may use, with upstream names. */
export interface RemoteRoleShape extends RemoteRootTypes {
  readonly presets: readonly RemotePreset[];
}

/** Preset value of an argument or of an input object's field, which requests cannot set. */
export interface RemotePreset {
  readonly type: string;
  readonly field: string;
  readonly argument?: string;
  readonly value: RemotePresetValue;
}

/** A session variable with the type of its position, a literal in GraphQL syntax, or an input object of such values. */
export type RemotePresetValue =
  | { readonly session: string; readonly type: RemoteTypeRef }
  | { readonly literal: string }
  | { readonly object: Readonly<Record<string, RemotePresetValue>> };

/** A relationship to another source or a remote schema; `id` is its identity in the metadata. */
export type AnalyzedRemoteRelationship = { readonly id: ObjectId } & (
  | {
      readonly kind: "source";
      readonly relationship: "object" | "array";
      readonly source: string;
      /** Key of the target table within that source. */
      readonly table: string;
      readonly mapping: readonly { readonly field: string; readonly column: string }[];
    }
  | {
      readonly kind: "remote_schema";
      readonly remoteSchema: string;
      /** Fields of the owner that arguments may use. */
      readonly fields: readonly string[];
      /** `{"field": {"arguments": {…}, "field"?: …}}`, as in the metadata. */
      readonly remoteField: JsonObject;
      /** Set if one call returns the results for many keys; absent: one call for each key. */
      readonly batch?: RemoteBatch;
    }
);

/** Returns the key of a table or function within its source. */
export function qualifiedKey({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${escapePart(schema)}.${escapePart(name)}`;
}

/** Escapes a part of a key, so that dots separate parts. */
export function escapePart(part: string): string {
  return /[\\.]/.test(part) ? part.replace(/[\\.]/g, "\\$&") : part;
}

/**
 * Returns the comment of a database object as a description; `undefined` if it has none or if inference is disabled.
 */
export function inferredDescription(
  comment: string | null,
  { inferDescriptions = true }: Pick<AnalysisOptions, "inferDescriptions">,
): string | undefined {
  return inferDescriptions ? (comment ?? undefined) : undefined;
}
