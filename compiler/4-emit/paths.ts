/** Where each generated file stands below the output folder. */

import type { SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import type { FunctionRef, PartedOperation, RowsName, SavedOperationRef, TableRef } from "../3-lower/ir.ts";
import { fileName } from "./file-names.ts";

export const manifestPath = "manifest.json";
export const openApiPath = "openapi.json";
export const clientPath = "client.ts";

/** The modules that all roles share stand in `sources/<source>/`. */
export const sourcePath = (source: string): string => `sources/${fileName([source])}/source.ts`;

export const tablePath = (table: TableRef): string => `sources/${tableFilePath(table)}`;

/** Of a table's module below `sources/`, and of those below the folder of each role. */
export const tableFilePath = ({ source, ...table }: TableRef): string => `${fileName([source])}/${tableFile(table)}`;

/** Names of tables have two parts, these have three: they are never the same. */
export const functionPath = ({ source, schema, name }: FunctionRef): string =>
  `sources/${fileName([source])}/${fileName([schema, name, "function"], ".ts")}`;

export const enumPath = ({ source, schema, name }: TableRef): string =>
  `sources/${fileName([source])}/${fileName([schema, name, "enum"], ".ts")}`;

/** What a role may do stands in `roles/<role>/`; `null`: all roles that nothing names. */
export const rolePath = (role: string | null): string => `${roleFolder(role)}/resolvers.ts`;

/** The tables of a role; the name of no source's folder has an extension. */
export const roleTablesPath = (role: string): string => `${roleFolder(role)}/tables.ts`;

/** Fields of a role from one up to the next part. Names of sources are no part of it. */
export const rolePartPath = (role: string, operation: PartedOperation, first: string): string =>
  `${roleFolder(role)}/(${operation})/${fileName([first], ".ts")}`;

export const schemaPath = (role: string | null): string => `${roleFolder(role)}/schema.graphql`;

/** The schema with what only backends may ask. */
export const backendSchemaPath = (role: string): string => `${roleFolder(role)}/schema.backend.graphql`;

/** The schema as a gateway of Apollo federation gets it. */
export const subgraphSchemaPath = (role: string | null): string => `${roleFolder(role)}/schema.subgraph.graphql`;

export const backendSubgraphSchemaPath = (role: string): string =>
  `${roleFolder(role)}/schema.subgraph.backend.graphql`;

/** What a role may ask of the Relay API, and its schema there. */
export const relayPath = (role: string | null): string => `${roleFolder(role)}/relay.ts`;

export const relaySchemaPath = (role: string | null): string => `${roleFolder(role)}/schema.relay.graphql`;

export const backendRelaySchemaPath = (role: string): string => `${roleFolder(role)}/schema.relay.backend.graphql`;

export const viewPath = (role: string, table: TableRef): string => `${roleFolder(role)}/${tableFilePath(table)}`;

/** What all roles share of a remote schema stands in `remotes/<name>/`. */
export const remoteServerPath = (remote: string): string => `remotes/${fileName([remote])}/server.ts`;

/** The remote schema as its server offers it. */
export const remoteSchemaPath = (remote: string): string => `remotes/${fileName([remote])}/schema.ts`;

/** The part of a remote schema that a role uses. Names of sources are no part of it. */
export const remotePartPath = (role: string, remote: string): string =>
  `${roleFolder(role)}/(remotes)/${fileName([remote], ".ts")}`;

/** No action's name is encoded with a parenthesis. */
export const actionTypesPath = "actions/(types).ts";

export const actionPath = (action: string): string => `actions/${fileName([action], ".ts")}`;

/** What a role reads beside the objects of an output type. Names of sources are no part of it. */
export const outputRowsPath = (role: string, type: string): string =>
  `${roleFolder(role)}/(actions)/${fileName([type], ".ts")}`;

/** What is joined to the objects of an output type; names of types have one part, this has two. */
export const outputJoinsPath = (role: string, type: string): string =>
  `${roleFolder(role)}/(actions)/${fileName([type, "relationships"], ".ts")}`;

export const operationPath = ({ collection, name }: SavedOperationRef): string =>
  `operations/${fileName([collection, name], ".ts")}`;

/** Names of sources are no part of it: no source's folder has a name in parentheses. */
export const savedPlansPath = (role: string, { collection, name }: SavedOperationRef, variant: SchemaVariant): string =>
  `${roleFolder(role)}/(operations)/${fileName([collection, name], variant === "backend" ? ".backend.ts" : ".ts")}`;

/** Names of triggers are unique in a source. */
export const eventTriggerPath = (source: string, trigger: string): string =>
  `events/${fileName([source])}/${fileName([trigger], ".ts")}`;

export const cronTriggerPath = (trigger: string): string => `schedules/${fileName([trigger], ".ts")}`;

export const restEndpointPath = (endpoint: string): string => `rest/${fileName([endpoint], ".ts")}`;

/** No endpoint's name is encoded with a parenthesis. */
export const restRoutesPath = "rest/(routes).ts";

/** No role's name is encoded with a parenthesis. */
const roleFolder = (role: string | null): string => `roles/${role === null ? "(none)" : fileName([role])}`;

/** The name of what takes a table's place has three parts, too, and the last of them is another. */
const tableFile = ({ schema, name, native }: RowsName): string =>
  native ? fileName(["native", name, native], ".ts") : fileName([schema, name], ".ts");
