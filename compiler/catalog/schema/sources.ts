/** Schemas of sources with their tracked objects. */

import type { z } from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { JsonObject, QualifiedName, QueryTags, Source, SourceCustomization, SourceKind } from "../model.ts";
import { choose, jsonForm, namedList, namedRequiredList, object, oneOf } from "./combinators.ts";
import { sourceConfiguration } from "./configuration.ts";
import { trackedFunction } from "./functions.ts";
import { defaultSourceKind, printName, sourceKindNamed, sourceKinds } from "./names.ts";
import { nativeObjects } from "./native.ts";
import { bool, graphqlName, int, namePrefix, nameSuffix, sourceName, text } from "./scalars.ts";
import { table } from "./tables.ts";

const affixes = { prefix: namePrefix, suffix: nameSuffix };

export const sourceCustomization: z.ZodType<SourceCustomization> = object({
  about: {
    root_fields: "Names of root fields.",
    type_names: "Names of types.",
    naming_convention:
      "Style of generated names: `engine-default` keeps the names of the database, `graphql-default` uses camel case. Needs the experimental feature `naming_convention`. Default: the option `--default-naming-convention`.",
  },
  optional: {
    root_fields: object({
      about: {
        namespace: "Field that contains all root fields of the source.",
        prefix: "Text before each name.",
        suffix: "Text after each name.",
      },
      optional: { namespace: graphqlName, ...affixes },
    }),
    type_names: object({
      about: { prefix: "Text before each name.", suffix: "Text after each name." },
      optional: affixes,
    }),
    naming_convention: oneOf(
      ["engine-default", "graphql-default"],
      () => 'naming_convention can either be "engine-default" or "graphql-default"',
    ),
  },
});

const queryTagsOptions = {
  disabled: bool,
  format: oneOf(["standard", "sqlcommenter", "standard_prepended"]),
  omit_request_id: bool,
};

const queryTags: z.ZodType<QueryTags> = object({
  about: {
    disabled: "Turns the comments off. Default: `false`.",
    format:
      "Syntax of the comment: `standard` appends name and values, `sqlcommenter` follows that format, `standard_prepended` writes the comment first. Default: `standard`.",
    omit_request_id: "Leaves the id of the request out, so that equal operations have equal SQL. Default: `true`.",
  },
  optional: queryTagsOptions,
});

export const healthCheck: z.ZodType<JsonObject> = jsonForm({
  about: {
    interval: "Seconds between two checks.",
    test: "Statement of the check.",
    retries: "Number of retries before the source counts as unhealthy. Default: `3`.",
    retry_interval: "Seconds between retries. Default: `10`.",
    timeout: "Seconds until a check fails. Default: `10`.",
  },
  required: { interval: int },
  optional: {
    test: object({ about: { sql: "SQL to run. Default: `SELECT 1`." }, optional: { sql: text } }),
    retries: int,
    retry_interval: int,
    timeout: int,
  },
});

/**
 * Returns the schemas of the tracked tables and functions of a source, which are at the top level in metadata of
 * versions 1 and 2.
 */
export function trackedObjects(kind: SourceKind) {
  const { defaultSchema } = sourceKinds[kind];
  const print = (name: QualifiedName) => printName(name, defaultSchema);
  return {
    tables: namedRequiredList("tables", table(defaultSchema), (each) => print(each.table)),
    functions: namedList("functions", trackedFunction(defaultSchema), (each) => print(each.function)),
  };
}

function sourceOf(kind: SourceKind): z.ZodType<Source> {
  const { tables, functions } = trackedObjects(kind);
  const names = oneOf([kind, ...sourceKinds[kind].aliases]);
  return object({
    about: {
      name: "Name of the source, which operations and relationships refer to.",
      kind: `Kind of the database.${kind === defaultSourceKind ? ` Default: \`${kind}\`.` : ""}`,
      tables: "Tracked tables and views.",
      configuration: "Connection to the database.",
      functions: "Tracked functions.",
      native_queries: "SQL queries with a root field.",
      stored_procedures: "Stored procedures of SQL Server with a root field.",
      logical_models: "Structures of rows that native queries and stored procedures return.",
      query_tags: "Comments in SQL that name the operation.",
      customization: "Names in the API of everything in the source.",
      health_check: "Regular check of the connection, which `/healthz/sources` and `/readyz` report.",
    },
    required: { name: sourceName, tables, configuration: sourceConfiguration[kind] },
    defaulted: { functions, ...nativeObjects(sourceKinds[kind].defaultSchema) },
    optional: { kind: names, query_tags: queryTags, customization: sourceCustomization, health_check: healthCheck },
  }).transform(({ name, kind: _named, ...others }): Source => ({ name, kind, ...others }));
}

const sourceByKind: Readonly<Record<SourceKind, z.ZodType<Source>>> = {
  postgres: sourceOf("postgres"),
  mssql: sourceOf("mssql"),
};

const kindName = oneOf([...Object.keys(sourceKinds), ...Object.values(sourceKinds).flatMap(({ aliases }) => aliases)]);
const unknownKind = object({ required: { kind: kindName } }) as z.ZodType<never>;

const source: z.ZodType<Source> = choose<Source>(
  () => [sourceByKind.postgres, sourceByKind.mssql],
  (input) => {
    const named = isObject(input) ? (input.kind ?? defaultSourceKind) : defaultSourceKind;
    const kind = typeof named === "string" ? sourceKindNamed(named) : undefined;
    return kind === undefined ? unknownKind : sourceByKind[kind];
  },
);

export const sources = namedRequiredList("sources", source, ({ name }) => name);
