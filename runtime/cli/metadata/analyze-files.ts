/** Metadata files and saved Shapes → what is inconsistent in them, without a server or a database. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";
import { compileFiles } from "../compile/compile-files.ts";
import type { CatalogFiles } from "../compile/read-catalog.ts";
import { savedIntrospections } from "../compile/saved-introspections.ts";
import { savedRemoteIntrospections } from "../compile/saved-remote-schemas.ts";
import { diagnosticText } from "../problem-text.ts";
import { InvalidFiles, readValidFiles } from "./metadata-files.ts";

export interface FilesToAnalyze {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; `undefined`: `shape.json` beside the metadata. */
  readonly shape: string | undefined;
  readonly environment: Environment;
}

export interface AnalyzedFiles extends CatalogFiles {
  readonly inconsistencies: readonly Inconsistency[];
}

/**
 * @throws InvalidFiles when the metadata is not valid, or cannot be served at all; EngineError when files are missing
 * or have no valid syntax
 */
export async function analyzeFiles({ metadata, shape, environment }: FilesToAnalyze): Promise<AnalyzedFiles> {
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
      `what the databases look like is unknown: give --shape, or save it with \`engine shape\` as ${file}`,
    );
  }
  return savedIntrospections(file, sources);
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);
