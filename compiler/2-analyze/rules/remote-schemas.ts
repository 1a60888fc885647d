/**
 * Remote schemas: their definitions can be used (`metadata-api.md` 2.12, `automation.md` E.1). What the remote server
 * offers is not looked at: nothing here knows it.
 */

import { resolveTemplate } from "../../../runtime/support/environment-template.ts";
import type { Catalog, RemoteSchema, RemoteSchemaCustomization } from "../../catalog/model.ts";
import { remoteSchemaObject } from "../metadata-objects.ts";
import { type Findings, reject } from "../rejection.ts";
import { checkHeaders, checkUrl, checkVariable, type Environment } from "./environment.ts";

/** The usable remote schemas by name, in order. */
export function analyzeRemoteSchemas(
  { remote_schemas }: Catalog,
  environment: Environment,
  findings: Findings,
): ReadonlyMap<string, RemoteSchema> {
  const usable: RemoteSchema[] = [];
  for (const schema of findings.withoutDuplicates(remote_schemas, ({ name }) => name, remoteSchemaObject)) {
    const found = findings.attempt(
      () => remoteSchemaObject(schema),
      "",
      () => {
        checkAddress(schema, environment);
        checkHeaders(schema.definition.headers, environment);
        checkCustomization(schema.definition.customization ?? {});
        return schema;
      },
    );
    if (found !== undefined) usable.push(found);
  }
  usable.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(usable.map((schema) => [schema.name, schema]));
}

function checkAddress({ definition }: RemoteSchema, environment: Environment): void {
  const { url, url_from_env: variable } = definition;
  if (url !== undefined && variable !== undefined) reject("both `url` and `url_from_env` can't be present");
  if (variable !== undefined) {
    checkVariable(variable, environment);
    if (!URL.canParse(environment[variable] ?? "")) reject(`not a valid URI in environment variable: ${variable}`);
  } else if (url !== undefined) {
    checkUrl(url, environment);
    if (!URL.canParse(resolveTemplate(url, environment))) {
      reject(`not a valid URI generated from the template: ${url}`);
    }
  } else reject("both `url` and `url_from_env` can't be empty");
}

/** Fields that every type has by the language itself keep their names. */
function checkCustomization({ field_names = [] }: RemoteSchemaCustomization): void {
  for (const { mapping = {} } of field_names) {
    const reserved = Object.keys(mapping).find((field) => field.startsWith("__"));
    if (reserved !== undefined) reject(`attempt to customize reserved field name "${reserved}"`);
  }
}
