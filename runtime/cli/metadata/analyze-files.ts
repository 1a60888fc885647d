/** Metadata files and saved Shapes → what is inconsistent in them, without a server or a database. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { analysisOptions } from "../../control/analysis-options.ts";
import { EngineError } from "../../support/errors.ts";
import type { CatalogFiles } from "../compile/read-catalog.ts";
import { readShapeFile } from "../compile/shape-file.ts";
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
  const analysis = analyze({
    catalog: files.catalog,
    introspections: await savedIntrospections(files.catalog.sources, metadata, shape),
    options: analysisOptions(parseOptions({}, environment), environment),
  });
  if (!analysis.ok) throw new InvalidFiles([diagnosticText(analysis.error, files.place)]);
  return { ...files, inconsistencies: analysis.value.inconsistencies };
}

async function savedIntrospections(
  sources: readonly Source[],
  metadata: string,
  shape: string | undefined,
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  const [first] = sources;
  if (first === undefined) return new Map();
  const file = shape ?? join(dirname(resolve(metadata)), "shape.json");
  if (shape === undefined && !existsSync(file)) {
    throw usageError(
      `what the databases look like is unknown: give --shape, or save it with \`engine shape\` as ${file}`,
    );
  }
  const saved = await readShapeFile(file);
  if (saved.kind === "one" && sources.length > 1) {
    const names = sources.map(({ name }) => name).join(", ");
    const count = `the metadata has ${sources.length} (${names})`;
    throw usageError(`${file} describes one source, but ${count}: give a file with a shape for each`);
  }
  if (saved.kind === "one") return new Map([[first.name, { shape: saved.shape }]]);
  return new Map(
    sources.map(({ name }) => {
      const found = saved.shapes.get(name);
      return [name, found ? { shape: found } : { error: { message: `${file} has no shape of source ${name}` } }];
    }),
  );
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);
