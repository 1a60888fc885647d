/**
 * Parses a metadata document of any version. Versions 1 and 2, which have only one source, are upgraded to version 3.
 */

import type { z } from "zod";
import { pathTo } from "../../runtime/values/errors.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import { fail, ok, type Result } from "../diagnostics/diagnostic.ts";
import { type Catalog, emptyCatalog } from "./catalog.ts";
import { decode } from "./decode-error.ts";
import type { Source, TrackedFunction } from "./model.ts";
import { namedList, object } from "./schema/combinators.ts";
import { defaultSourceKind, functionName, printName, sourceKinds } from "./schema/names.ts";
import { int } from "./schema/scalars.ts";
import { trackedObjects } from "./schema/sources.ts";
import { parseMetadata, sectionsOfAllVersions } from "./schema.ts";

const { tables, functions } = trackedObjects(defaultSourceKind);
const { defaultSchema } = sourceKinds[defaultSourceKind];

/** In version 1 a tracked function is only its name. */
const functionNames = namedList(
  "functions",
  functionName(defaultSchema).transform((name): TrackedFunction => ({ function: name, permissions: [] })),
  (each) => printName(each.function, defaultSchema),
);

function olderMetadata(functionList: typeof functions) {
  return object({
    required: { tables },
    defaulted: { functions: functionList, ...sectionsOfAllVersions },
  });
}

type OlderMetadata = z.output<ReturnType<typeof olderMetadata>>;

const olderVersions: Readonly<Record<number, z.ZodType<OlderMetadata>>> = {
  1: olderMetadata(functionNames),
  2: olderMetadata(functions),
};

/**
 * Parses a document of version 1, 2 or 3; the default version is 1. Documents of versions 1 and 2 replace the source
 * `default` of the current catalog and keep its REST endpoints; all other parts of the current catalog are dropped.
 * Errors: `parse-failed`, and `not-supported` if there is no source `default` that an older document could replace.
 * @param path JSONPath of the document in the request
 */
export function readMetadataDocument(json: unknown, current: Catalog, path = "$"): Result<Catalog> {
  const version = isObject(json) ? (json.version ?? 1) : 1;
  const number = decode(int, version, pathTo(path, "version"));
  if (!number.ok) return number;
  const older = olderVersions[number.value];
  if (older === undefined) return parseMetadata(json, path);
  const parsed = decode(older, json, path);
  return parsed.ok ? upgrade(parsed.value, current, path) : parsed;
}

function upgrade(document: OlderMetadata, current: Catalog, path: string): Result<Catalog> {
  const target = current.sources.find(({ name, kind }) => name === "default" && kind === defaultSourceKind);
  if (target === undefined) {
    return fail("not-supported", path, "cannot import metadata without sources since no default source is defined");
  }
  const { tables: newTables, functions: newFunctions, ...sections } = document;
  const source: Source = {
    name: target.name,
    kind: target.kind,
    tables: newTables,
    functions: newFunctions,
    native_queries: [],
    stored_procedures: [],
    logical_models: [],
    configuration: target.configuration,
    ...(target.customization !== undefined && { customization: target.customization }),
  };
  return ok({
    ...emptyCatalog,
    ...sections,
    sources: [source],
    rest_endpoints: current.rest_endpoints,
    agent_tools: current.agent_tools,
  });
}
