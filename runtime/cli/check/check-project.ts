/** A project's files → everything that is wrong with them, found without a server. */
import { noticesOf } from "../../../compiler/2-analyze/notices.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { literalSecrets } from "../build/literal-secrets.ts";
import { analyzeCatalog, leftOutLines } from "../compile/analyze-input.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { diagnosticText } from "../problem-text.ts";
import type { Settings } from "../project/settings.ts";
import { type DatabaseFiles, databaseFiles } from "../scratch/database-files.ts";
import { attempt } from "./attempt.ts";
import { knownShapes, type ShapeSettings } from "./known-shapes.ts";

export interface CheckSettings extends ShapeSettings {
  /** Inconsistent objects are warnings. */
  readonly allowInconsistent: boolean;
}

export interface Checked {
  /** A line each; none: the project is good. */
  readonly problems: readonly string[];
  /** What is worth knowing besides. */
  readonly warnings: readonly string[];
  /** What was looked at. */
  readonly looked: readonly string[];
}

/** @throws EngineError when saved Shapes cannot be read, or there is no scratch database to be had */
export async function checkProject(settings: Settings, options: CheckSettings): Promise<Checked> {
  const files = await attempt(() => databaseFiles(settings));
  const metadata = await attempt(() => readCatalog(settings.metadataPath));
  const problems = [files, metadata].flatMap((each) => ("problem" in each ? [each.problem] : []));
  if ("value" in metadata && "diagnostic" in metadata.value) {
    problems.push(diagnosticText(metadata.value.diagnostic, metadata.value.place));
  }
  if ("problem" in files || "problem" in metadata || "diagnostic" in metadata.value) {
    return { problems, warnings: [], looked: [] };
  }
  return checkFiles(settings, options, files.value, metadata.value);
}

async function checkFiles(
  settings: Settings,
  options: CheckSettings,
  files: ReadonlyMap<string, DatabaseFiles>,
  metadata: CatalogFiles,
): Promise<Checked> {
  const { sources } = metadata.catalog;
  const shapes = await knownShapes(settings, options, files, sources);
  const problems = [...strayFolders(files, sources), ...shapes.problems];
  const looked = ["metadata", ...shapes.ran];
  // Without its tables, everything that is said of them would be wrong.
  if (shapes.problems.length > 0) return { problems, warnings: [], looked };
  const { metadataPath, environment } = settings;
  const input = { metadata: metadataPath, allowInconsistent: options.allowInconsistent };
  const analyzed = await analyzeCatalog(metadata, shapes.introspections, input, environment);
  const secrets = literalSecrets(metadata.document);
  const warnings = secrets.map((path) => `warning: ${metadata.place(path)}: literal secret (${path})`);
  if ("problems" in analyzed) return { problems: [...problems, ...analyzed.problems], warnings, looked };
  const notices = noticesOf(analyzed.analysis);
  warnings.push(...notices.map(({ path, message }) => `notice: ${metadata.place(path)}: ${message}`));
  warnings.push(...leftOutLines(analyzed, metadataPath), ...neededVariables(analyzed.assumedVariables));
  return { problems, warnings, looked };
}

function neededVariables(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`environment variables that the server needs and that are not set here: ${names.join(", ")}`];
}

/** Folders of databases that the metadata does not have: a deployment would refuse them. */
function strayFolders(files: ReadonlyMap<string, DatabaseFiles>, sources: readonly Source[]): readonly string[] {
  const names = sources.map(({ name }) => name);
  const strays = [...files.keys()].filter((name) => !names.includes(name));
  return strays.map((name) => {
    const hint = didYouMean(name, names) ?? (names.length === 0 ? "it has none" : `it has ${names.join(", ")}`);
    return `there are migrations or seeds of the database ${name}, which the metadata does not have: ${hint}`;
  });
}
