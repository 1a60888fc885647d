/** Lists the inconsistent objects of a server, or of metadata files. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { entryWithCause, type Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Json, JsonObject, Source } from "../../../compiler/catalog/model.ts";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { compileFiles } from "../compile/compile-files.ts";
import type { CatalogFiles } from "../compile/read-catalog.ts";
import { savedIntrospections } from "../compile/saved-introspections.ts";
import { savedRemoteIntrospections } from "../compile/saved-remote-schemas.ts";
import { diagnosticText, foldedByCause, inconsistencyText } from "../problem-text.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable } from "../project/output.ts";
import { InvalidFiles, readValidFiles } from "./metadata-files.ts";

export interface InconsistencyList {
  /** Entries of the metadata API, without secrets. */
  readonly entries: readonly Json[];
  /** One line for each entry. */
  readonly lines: readonly string[];
}

export async function inconsistenciesOfServer(call: CallMetadata): Promise<InconsistencyList> {
  return inconsistencyList(await call({ type: "get_inconsistent_metadata", args: { causes: true } }));
}

/** @throws InvalidFiles, EngineError */
export async function inconsistenciesOfFiles(files: FilesToAnalyze): Promise<InconsistencyList> {
  const { inconsistencies, catalog, place } = await analyzeFiles(files);
  return {
    entries: redactor()(inconsistencies.map(entryWithCause)),
    lines: inconsistencies.map((each) => printable(inconsistencyText(each, catalog, place))),
  };
}

/** Returns the lines, with many dependents of one cause replaced by a count. */
export function foldedLines({ entries, lines }: InconsistencyList): readonly string[] {
  const causes = entries.map((entry) => (isObject<Json>(entry) ? entry.caused_by : undefined));
  return foldedByCause(
    lines,
    causes.map((cause) => (typeof cause === "string" ? cause : undefined)),
  );
}

/** @param response a list of entries, or an object with `inconsistent_objects` */
export function inconsistencyList(response: Json | undefined): InconsistencyList {
  const listed = isObject(response) ? response.inconsistent_objects : response;
  const entries = redactor()(Array.isArray(listed) ? listed : []);
  return { entries, lines: entries.filter(isObject<Json>).map((entry) => printable(entryText(entry))) };
}

/** Lists the names of all objects of an entry, or its type if it has no names. */
function entryText({ name, type, objects, reason }: JsonObject): string {
  const several = Array.isArray(objects) ? objects.filter(isObject<Json>).map((object) => String(object.name)) : [];
  const subject = several.length > 0 ? several.join(", ") : String(name ?? type ?? "metadata");
  return `${subject}: ${String(reason)}`;
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
  if (!compiled.ok) throw new InvalidFiles([diagnosticText(compiled.error, place)]);
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
    throw usageError(
      `the shape of the databases is unknown: pass --shape, or save it with \`engine shape\` as ${file}`,
    );
  }
  return savedIntrospections(file, sources);
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);
