/** `engine handlers`: writes typed handlers of actions, event triggers and cron triggers, or serves mocks of them. */

import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import type { Handlers } from "../../../compiler/handlers/handlers.ts";
import { type HandlerOptions, handlersOf } from "../../../compiler/handlers/handlers-of.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { analysisOptions } from "../../control/analysis-options.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { introspectionsOf, report } from "../compile/analyze-input.ts";
import { assumeVariables } from "../compile/assumed-environment.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { problemsOf } from "../error-problems.ts";
import { commandFailure } from "../failure.ts";
import { type MockServer, startMock } from "../handlers/mock-server.ts";
import { shapesOfServer } from "../handlers/server-shapes.ts";
import { writeHandlers } from "../handlers/write-handlers.ts";
import { diagnosticProblem, inconsistencyProblem, type Problem, problem } from "../problem.ts";
import { changesOf, metadataState } from "../project/changes.ts";
import { readScalars } from "../project/choices.ts";
import { exportedBy, withServer } from "../project/client.ts";
import { printFailure, printProblems, printResult, printSteps } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

export interface HandlersCommandOptions extends HandlersInput {
  /** The folder to write. */
  readonly out?: string;
  /** TypeScript types of custom scalars, for example `Money=string`. */
  readonly scalar?: readonly string[];
  /** If true, keeps running and writes the files again after each change. */
  readonly watch?: boolean;
  /** If true, serves random responses of the declared types. */
  readonly mock?: boolean;
  /** Port of the mock server. */
  readonly port: string;
  readonly seed: string;
}

/**
 * Resolves to the exit code. Prints problems, writes nothing and resolves to 1 if the metadata is invalid or objects
 * that handlers depend on are inconsistent. With `watch` or `mock` it runs until a signal.
 * @throws EngineError if files, the database or the server cannot be read, or the folder cannot be written
 */
export async function handlersCommand(options: HandlersCommandOptions): Promise<number> {
  const { out, watch = false, mock = false } = options;
  if (out === undefined && !mock)
    throw usageError("no output: pass --out to write handlers, or --mock to serve random responses");
  const handlerOptions: HandlerOptions = { scalars: readScalars(options.scalar ?? []) };
  const stopped = new AbortController();
  if (watch || mock) void stopSignal().then(() => stopped.abort());
  const server = mock ? await serveMock(options) : undefined;
  const run = async (): Promise<number> => {
    const found = await readHandlers(options, handlerOptions);
    if ("problems" in found) return report(found.problems);
    if (out !== undefined) await write(out, found.handlers);
    if (server) {
      server.setHandlers(found.handlers);
      printSteps(`mocking ${found.handlers.handlers.length} handlers at ${server.url}\n`);
    }
    return 0;
  };
  try {
    if (watch) return await keepUpToDate(options, run, stopped.signal);
    const code = await run();
    if (server && code === 0) await ended(stopped.signal);
    return code;
  } finally {
    await server?.close();
  }
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);

async function write(out: string, handlers: Handlers): Promise<void> {
  const { created, updated, remarks } = await writeHandlers(out, handlers);
  printProblems(remarks.map((remark) => ({ ...problem("notice", "note", remark), line: remark })));
  const count = handlers.handlers.length;
  printResult(
    `wrote ${out}: ${count === 1 ? "1 handler" : `${count} handlers`}, ${created.length} created, ${updated.length} updated\n`,
    { out, handlers: count, created, updated },
  );
}

function serveMock({ port, seed }: HandlersCommandOptions): Promise<MockServer> {
  return startMock({ port: wholeNumber("--port", port, 65_535), seed });
}

function wholeNumber(option: string, text: string, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= max) return number;
  throw usageError(`${option} ${text}: expected a whole number up to ${max}`);
}

/** Runs after each change. Prints errors and continues, since the next change may fix them. */
async function keepUpToDate(input: HandlersInput, run: () => Promise<number>, signal: AbortSignal): Promise<number> {
  for await (const _ of changesOf({ metadata: await metadataState(input) }, signal)) {
    await run().catch((error: unknown) => printFailure(commandFailure(error), problemsOf(error)));
  }
  return 0;
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Finds the handlers in metadata files with saved Shapes, or in the metadata of a server. */
interface HandlersInput extends GlobalFlags {
  /** A metadata directory, or one JSON or YAML file; default the metadata of the server. */
  readonly metadata?: string;
  /** Saved Shapes; default `shape.json` beside the metadata. */
  readonly shape?: string;
  /** A database to introspect, instead of saved Shapes. */
  readonly database?: string;
}

type HandlersFound = { readonly handlers: Handlers } | { readonly problems: readonly Problem[] };

/**
 * Returns the handlers, or the problems of objects that they depend on.
 * @throws EngineError if files, the database or the server cannot be read
 */
async function readHandlers(
  input: HandlersInput,
  options: HandlerOptions,
  environment: Environment = process.env,
): Promise<HandlersFound> {
  const { metadata } = input;
  if (metadata === undefined) return handlersOfServer(input, options, environment);
  const files = await readCatalog(metadata);
  if ("diagnostic" in files) return { problems: [diagnosticProblem(files.diagnostic, files.place)] };
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
    if (!read.ok) return { problems: [diagnosticProblem(read.error, place)] };
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
  if (!analysis.ok) return { problems: [diagnosticProblem(analysis.error, place)] };
  const { inconsistencies } = analysis.value;
  const refused = inconsistencies.filter(({ informational, id }) => !informational && relevant.has(id.kind));
  if (refused.length > 0) return { problems: refused.map((each) => inconsistencyProblem(each, catalog, place)) };
  return { handlers: handlersOf(analysis.value, handlerOptions) };
}
