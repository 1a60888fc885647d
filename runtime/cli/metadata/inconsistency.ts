/** Lists the inconsistent objects of a server, or of metadata files. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { entryWithCause, type Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Json, JsonObject, Source } from "../../../compiler/catalog/model.ts";
import type { Environment } from "../../config/options.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { unknownShape } from "../compile/analyze-input.ts";
import { compileFiles } from "../compile/compile-files.ts";
import type { CatalogFiles } from "../compile/read-catalog.ts";
import { savedIntrospections } from "../compile/saved-introspections.ts";
import { savedRemoteIntrospections } from "../compile/saved-remote-schemas.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { diagnosticProblem, inconsistencyProblem, type Problem } from "../problem.ts";
import type { CallMetadata } from "../project/client.ts";
import { readValidFiles } from "./metadata-files.ts";

export interface InconsistencyList {
  /** Entries of the metadata API, without secrets. */
  readonly entries: readonly Json[];
  /** One for each entry. */
  readonly problems: readonly Problem[];
}

export async function inconsistenciesOfServer(call: CallMetadata): Promise<InconsistencyList> {
  return inconsistencyList(await call({ type: "get_inconsistent_metadata", args: { causes: true } }));
}

/** @throws InvalidFiles, EngineError */
export async function inconsistenciesOfFiles(files: FilesToAnalyze): Promise<InconsistencyList> {
  const { inconsistencies, catalog, place } = await analyzeFiles(files);
  return {
    entries: redactor()(inconsistencies.map(entryWithCause)),
    problems: inconsistencies.map((each) => inconsistencyProblem(each, catalog, place)),
  };
}

/** @param response a list of entries, or an object with `inconsistent_objects` */
export function inconsistencyList(response: Json | undefined): InconsistencyList {
  const listed = isObject(response) ? response.inconsistent_objects : response;
  const entries = redactor()(Array.isArray(listed) ? listed : []);
  return { entries, problems: entries.filter(isObject<Json>).map(entryProblem) };
}

/** Lists the names of all objects of an entry, or its type if it has no names. */
function entryProblem({ name, type, objects, reason, caused_by: cause }: JsonObject): Problem {
  const several = Array.isArray(objects) ? objects.filter(isObject<Json>).map((object) => String(object.name)) : [];
  const subject = several.length > 0 ? several.join(", ") : String(name ?? type ?? "metadata");
  return {
    severity: "error",
    code: "inconsistent-object",
    message: String(reason),
    object: subject,
    ...(typeof cause === "string" && { causedBy: cause }),
    line: `${subject}: ${String(reason)}`,
  };
}

// Analyses metadata files with saved Shapes, without a server or a database.

interface FilesToAnalyze {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; default `shape.json` beside the metadata. */
  readonly shape: string | undefined;
  readonly environment: Environment;
}

interface AnalyzedFiles extends CatalogFiles {
  readonly inconsistencies: readonly Inconsistency[];
}

/**
 * @throws InvalidFiles if the metadata is invalid, or cannot be served at all; EngineError if files are missing or have
 * invalid syntax
 */
async function analyzeFiles({ metadata, shape, environment }: FilesToAnalyze): Promise<AnalyzedFiles> {
  const files = await readValidFiles(metadata);
  const { catalog, place } = files;
  const introspections = await introspectionsOf(catalog.sources, metadata, shape);
  const remoteIntrospections = await savedRemoteIntrospections(metadata, catalog.remote_schemas);
  const compiled = compileFiles({ catalog, introspections, remoteIntrospections, environment });
  if (!compiled.ok) throw new InvalidFiles([diagnosticProblem(compiled.error, place)]);
  return { ...files, inconsistencies: compiled.value.analysis.inconsistencies };
}

async function introspectionsOf(
  sources: readonly Source[],
  metadata: string,
  shape: string | undefined,
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  if (sources.length === 0) return new Map();
  const file = shape ?? join(dirname(resolve(metadata)), "shape.json");
  if (shape === undefined && !existsSync(file)) {
    throw unknownShape(file);
  }
  return savedIntrospections(file, sources);
}
