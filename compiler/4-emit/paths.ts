/** Paths of generated files below the output folder. */

import type { SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import type { FunctionRef, PartedOperation, RowsName, SavedOperationRef, TableRef } from "../3-lower/ir.ts";
import { fileName } from "./file-names.ts";

export const manifestPath = "manifest.json";
export const openApiPath = "openapi.json";
export const clientPath = "client.ts";

const module = { extension: ".ts" } as const;

/** The folder that all roles without an entry in the metadata share. */
const unnamedRole = "unnamed";

/** Names of a role's subfolders that sources cannot use. */
const roleFolders = ["actions", "mutation", "operations", "query", "remotes"];

/** Returns the folder of a source below `sources/` and below the folder of each role. */
const sourceFolder = (source: string): string => fileName([source], { taken: roleFolders });

export const sourcePath = (source: string): string => `sources/${sourceFolder(source)}/source.ts`;

export const tablePath = (table: TableRef): string => `sources/${tableFilePath(table)}`;

/** Returns the path of a table's module below `sources/` and below the folder of each role. */
export const tableFilePath = ({ source, ...table }: TableRef): string => `${sourceFolder(source)}/${tableFile(table)}`;

/** Returns the path of a function's module. Its name has three parts, unlike names of tables, which have two. */
export const functionPath = ({ source, schema, name }: FunctionRef): string =>
  `sources/${sourceFolder(source)}/${fileName([schema, name, "function"], module)}`;

export const enumPath = ({ source, schema, name }: TableRef): string =>
  `sources/${sourceFolder(source)}/${fileName([schema, name, "enum"], module)}`;

/** @param role `null` for all roles that the metadata does not name */
export const rolePath = (role: string | null): string => `${roleFolder(role)}/root-fields.ts`;

/** Returns a path that differs from the folders of sources, since folders have no extension. */
export const roleTablesPath = (role: string): string => `${roleFolder(role)}/tables.ts`;

export const rolePartPath = (role: string, operation: PartedOperation, first: string): string =>
  `${roleFolder(role)}/${operation}/${fileName([first], module)}`;

export const schemaPath = (role: string | null): string => `${roleFolder(role)}/schema.graphql`;

/** Returns the path of the schema that includes backend-only fields. */
export const backendSchemaPath = (role: string): string => `${roleFolder(role)}/schema.backend.graphql`;

/** Returns the path of the schema for gateways of Apollo federation. */
export const subgraphSchemaPath = (role: string | null): string => `${roleFolder(role)}/schema.subgraph.graphql`;

export const backendSubgraphSchemaPath = (role: string): string =>
  `${roleFolder(role)}/schema.subgraph.backend.graphql`;

export const relayPath = (role: string | null): string => `${roleFolder(role)}/relay.ts`;

export const relaySchemaPath = (role: string | null): string => `${roleFolder(role)}/schema.relay.graphql`;

export const backendRelaySchemaPath = (role: string): string => `${roleFolder(role)}/schema.relay.backend.graphql`;

export const viewPath = (role: string, table: TableRef): string => `${roleFolder(role)}/${tableFilePath(table)}`;

export const remoteServerPath = (remote: string): string => `remotes/${fileName([remote])}/server.ts`;

/** Returns the path of the module with the complete remote schema. */
export const remoteSchemaPath = (remote: string): string => `remotes/${fileName([remote])}/schema.ts`;

/** Returns the path of a role's own module for a remote schema. */
export const remotePartPath = (role: string, remote: string): string =>
  `${roleFolder(role)}/remotes/${fileName([remote], module)}`;

export const actionTypesPath = "actions/types.ts";

export const actionPath = (action: string): string => `actions/${fileName([action], { ...module, taken: ["types"] })}`;

/** Returns the path of the module with the relationships of an output type to tables. */
export const outputRowsPath = (role: string, type: string): string =>
  `${roleFolder(role)}/actions/${fileName([type], module)}`;

/** Returns the path of the module with remote relationships. Its name has two parts, unlike names of type modules. */
export const outputJoinsPath = (role: string, type: string): string =>
  `${roleFolder(role)}/actions/${fileName([type, "relationships"], module)}`;

export const operationPath = ({ collection, name }: SavedOperationRef): string =>
  `operations/${fileName([collection, name], module)}`;

export const savedPlansPath = (role: string, { collection, name }: SavedOperationRef, variant: SchemaVariant): string =>
  `${roleFolder(role)}/operations/${fileName([collection, name], { extension: variant === "backend" ? ".backend.ts" : ".ts" })}`;

export const agentToolPath = (tool: string): string => `tools/${fileName([tool], module)}`;

/** Returns a path that differs from paths of tables of a source `tools`, whose names have two parts. */
export const roleToolPath = (role: string, tool: string, variant: SchemaVariant): string =>
  `${roleFolder(role)}/tools/${variant === "backend" ? "backend/" : ""}${fileName([tool], module)}`;

/** Returns the path of a trigger's module. Trigger names are unique within a source. */
export const eventTriggerPath = (source: string, trigger: string): string =>
  `events/${sourceFolder(source)}/${fileName([trigger], module)}`;

export const cronTriggerPath = (trigger: string): string => `schedules/${fileName([trigger], module)}`;

export const restEndpointPath = (endpoint: string): string =>
  `rest/${fileName([endpoint], { ...module, taken: ["routes"] })}`;

export const restRoutesPath = "rest/routes.ts";

const roleFolder = (role: string | null): string =>
  `roles/${role === null ? unnamedRole : fileName([role], { taken: [unnamedRole] })}`;

/** Returns a file name. Names of native rows have three parts like names of functions, but a different last part. */
const tableFile = ({ schema, name, native }: RowsName): string =>
  native ? fileName(["native", name, native], module) : fileName([schema, name], module);
