/** Objects of the metadata that many operations and files contain, and the pages that describe them once. */

import { sourceConfiguration } from "../../compiler/catalog/schema/configuration.ts";
import { cleanupConfig } from "../../compiler/catalog/schema/cron.ts";
import { signingSecret } from "../../compiler/catalog/schema/event-options.ts";
import {
  deletePermission,
  insertPermission,
  selectPermission,
  updatePermission,
} from "../../compiler/catalog/schema/permissions.ts";
import { arrayUsing, objectUsing, strictRemoteRelationship } from "../../compiler/catalog/schema/relationships.ts";
import { remoteSchemaDefinition } from "../../compiler/catalog/schema/remote-schemas.ts";
import { headers } from "../../compiler/catalog/schema/scalars.ts";
import { healthCheck, sourceCustomization } from "../../compiler/catalog/schema/sources.ts";
import { tableConfiguration } from "../../compiler/catalog/schema/tables.ts";
import { requestTransform, responseTransform } from "../../compiler/catalog/schema/transforms.ts";
import type { SharedObject } from "./describe.ts";
import type { SchemaReader } from "./schema.ts";

const files = "metadata-files.md";

/** Schemas by name, with the page and heading of their description. */
const sharedSchemas = [
  ["insert permission", insertPermission, "permissions.md#insert-permission"],
  ["select permission", selectPermission, "permissions.md#select-permission"],
  ["update permission", updatePermission, "permissions.md#update-permission"],
  ["delete permission", deletePermission, "permissions.md#delete-permission"],
  ["object relationship", objectUsing("public"), "permissions.md#object-relationship"],
  ["array relationship", arrayUsing("public"), "permissions.md#array-relationship"],
  ["remote relationship", strictRemoteRelationship, "permissions.md#remote-relationship"],
  ["table configuration", tableConfiguration, `${files}#table-configuration`],
  ["customization", sourceCustomization, `${files}#customization`],
  ["health check", healthCheck, `${files}#health-check`],
  ["PostgreSQL connection", sourceConfiguration.postgres, `${files}#postgresql-connection`],
  ["SQL Server connection", sourceConfiguration.mssql, `${files}#sql-server-connection`],
  ["request transform", requestTransform, `${files}#request-transform`],
  ["response transform", responseTransform, `${files}#response-transform`],
  ["remote schema definition", remoteSchemaDefinition, `${files}#remote-schema-definition`],
  ["header", headers, `${files}#header`],
  ["cleanup", cleanupConfig, `${files}#cleanup`],
  ["secret", signingSecret, `${files}#secret`],
] as const;

export function sharedObjects(reader: SchemaReader): readonly SharedObject[] {
  return sharedSchemas.map(([name, schema, link]) => {
    const value = reader.read(schema);
    return { name, link, value: value.kind === "list" ? value.element : value };
  });
}
