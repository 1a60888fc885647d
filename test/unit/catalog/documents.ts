/** Metadata documents with a single feature, and their errors. */
import { expect, it } from "vitest";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";

export const configuration = { connection_info: { database_url: "postgres://db" } };
export const withSource = (source: object) => ({
  version: 3,
  sources: [{ name: "default", tables: [], configuration, ...source }],
});
export const withTable = (table: object) => withSource({ tables: [{ table: "t", ...table }] });
export const withSections = (sections: object) => ({ version: 3, sources: [], ...sections });

export function parsed(document: unknown): Catalog {
  const result = parseMetadata(document);
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
}

/** Returns the path and the message with which a document is refused. */
export function refusal(document: unknown): readonly [path: string, message: string] {
  const result = parseMetadata(document);
  if (result.ok) throw new Error("the document was accepted");
  expect(result.error.code).toBe("parse-failed");
  return [result.error.path, result.error.message];
}

export type Case = readonly [name: string, document: unknown, path: string, message: string];

export function refuses(cases: readonly Case[]): void {
  it.each(cases)("A metadata document is refused: %s", (_, document, path, message) => {
    expect(refusal(document)).toEqual([path, message]);
  });
}

export const table = "$.sources[0].tables[0]";
export const select = (permission: object) => withTable({ select_permissions: [{ role: "u", permission }] });
export const selectPath = `${table}.select_permissions[0].permission`;
export const objectRelationship = (using: unknown) => withTable({ object_relationships: [{ name: "r", using }] });
export const objectPath = `${table}.object_relationships[0].using`;
export const remote = (definition: unknown) => withTable({ remote_relationships: [{ name: "r", definition }] });
export const remotePath = `${table}.remote_relationships[0].definition`;
export const remoteField = (field: unknown) =>
  remote({ to_remote_schema: { remote_schema: "rs", lhs_fields: [], remote_field: field } });
export const remoteFieldPath = `${remotePath}.to_remote_schema.remote_field`;
export const trigger = (changes: object) =>
  withTable({
    event_triggers: [
      {
        name: "e",
        definition: { enable_manual: true },
        retry_conf: { num_retries: 0, interval_sec: 1 },
        webhook: "http://w",
        ...changes,
      },
    ],
  });
export const triggerPath = `${table}.event_triggers[0]`;
export const cron = (changes: object) =>
  withSections({
    cron_triggers: [{ name: "c", webhook: "w", schedule: "* * * * *", include_in_metadata: true, ...changes }],
  });
export const action = (definition: object, changes: object = {}) =>
  withSections({
    actions: [{ name: "a", definition: { handler: "h", output_type: "Int", ...definition }, ...changes }],
  });
export const connection = (connection_info: object, kind = "postgres") =>
  withSource({ kind, configuration: { connection_info } });
export const connectionPath = "$.sources[0].configuration.connection_info";
export const customized = (table_configuration: object) => withTable({ configuration: table_configuration });
