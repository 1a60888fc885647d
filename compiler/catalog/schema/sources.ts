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
  optional: {
    root_fields: object({ optional: { namespace: graphqlName, ...affixes } }),
    type_names: object({ optional: affixes }),
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

const queryTags: z.ZodType<QueryTags> = object({ optional: queryTagsOptions });

export const healthCheck: z.ZodType<JsonObject> = jsonForm({
  required: { interval: int },
  optional: { test: object({ optional: { sql: text } }), retries: int, retry_interval: int, timeout: int },
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
  return object({
    required: { name: sourceName, tables, configuration: sourceConfiguration[kind] },
    defaulted: { functions, ...nativeObjects(sourceKinds[kind].defaultSchema) },
    optional: { query_tags: queryTags, customization: sourceCustomization, health_check: healthCheck },
  }).transform(({ name, ...others }): Source => ({ name, kind, ...others }));
}

const sourceByKind: Readonly<Record<SourceKind, z.ZodType<Source>>> = {
  postgres: sourceOf("postgres"),
  mssql: sourceOf("mssql"),
};

const kindName = oneOf([...Object.keys(sourceKinds), ...Object.values(sourceKinds).flatMap(({ aliases }) => aliases)]);
const unknownKind = object({ required: { kind: kindName } }) as z.ZodType<never>;

const source: z.ZodType<Source> = choose<Source>((input) => {
  const named = isObject(input) ? (input.kind ?? defaultSourceKind) : defaultSourceKind;
  const kind = typeof named === "string" ? sourceKindNamed(named) : undefined;
  return kind === undefined ? unknownKind : sourceByKind[kind];
});

export const sources = namedRequiredList("sources", source, ({ name }) => name);
