/** Finds the handlers in metadata files with saved Shapes, or in the metadata of a server. */

import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import type { Handlers } from "../../../compiler/handlers/handlers.ts";
import { type HandlerOptions, handlersOf } from "../../../compiler/handlers/handlers-of.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { analysisOptions } from "../../control/analysis-options.ts";
import { introspectionsOf } from "../compile/analyze-input.ts";
import { assumeVariables } from "../compile/assumed-environment.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { diagnosticText, inconsistencyText } from "../problem-text.ts";
import { exportedBy, withServer } from "../project/client.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";
import { shapesOfServer } from "./server-shapes.ts";

export interface HandlersInput extends GlobalFlags {
  /** A metadata directory, or one JSON or YAML file; default the metadata of the server. */
  readonly metadata?: string;
  /** Saved Shapes; default `shape.json` beside the metadata. */
  readonly shape?: string;
  /** A database to introspect, instead of saved Shapes. */
  readonly database?: string;
}

export type HandlersFound = { readonly handlers: Handlers } | { readonly problems: readonly string[] };

/**
 * Returns the handlers, or the problems of objects that they depend on.
 * @throws EngineError if files, the database or the server cannot be read
 */
export async function readHandlers(
  input: HandlersInput,
  options: HandlerOptions,
  environment: Environment = process.env,
): Promise<HandlersFound> {
  const { metadata } = input;
  if (metadata === undefined) return handlersOfServer(input, options, environment);
  const files = await readCatalog(metadata);
  if ("diagnostic" in files) return { problems: [diagnosticText(files.diagnostic, files.place)] };
  const introspections = await introspectionsOf(files.catalog, { ...input, metadata });
  return found(files, introspections, options, environment);
}

async function handlersOfServer(
  flags: GlobalFlags,
  options: HandlerOptions,
  environment: Environment,
): Promise<HandlersFound> {
  const settings = await readSettings(flags, environment);
  return withServer(settings, async (call) => {
    const { metadata } = await exportedBy(call);
    const read = readMetadataDocument(metadata, emptyCatalog);
    const place = (path: string): string => path;
    if (!read.ok) return { problems: [diagnosticText(read.error, place)] };
    const introspections = await shapesOfServer(read.value.sources, call);
    return found({ catalog: read.value, place }, introspections, options, environment);
  });
}

/** Kinds of objects on which handlers depend. */
const relevant: ReadonlySet<string> = new Set([
  ...["source", "table", "event_trigger", "action", "custom_types", "cron_trigger"],
]);

function found(
  { catalog, place }: Pick<CatalogFiles, "catalog" | "place">,
  introspections: ReadonlyMap<string, SourceIntrospection>,
  handlerOptions: HandlerOptions,
  environment: Environment,
): HandlersFound {
  // Types do not depend on the values of variables.
  const options = analysisOptions(parseOptions({}, environment), assumeVariables(environment).environment);
  const analysis = analyze({ catalog, introspections, remoteIntrospections: new Map(), options });
  if (!analysis.ok) return { problems: [diagnosticText(analysis.error, place)] };
  const { inconsistencies } = analysis.value;
  const problems = inconsistencies.filter(({ informational, id }) => !informational && relevant.has(id.kind));
  if (problems.length > 0) return { problems: problems.map((problem) => inconsistencyText(problem, catalog, place)) };
  return { handlers: handlersOf(analysis.value, handlerOptions) };
}
