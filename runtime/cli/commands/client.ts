/** `engine client`: writes the documents of a front end as TypeScript, with the types that a role sees. */
import { join } from "node:path";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { type SchemaSource, schemasOfFiles, schemasOfServer } from "../client/schema-of-role.ts";
import { documentsState, writeClients } from "../client/write-client.ts";
import { report } from "../compile/analyze-input.ts";
import { problemsOf } from "../error-problems.ts";
import { commandFailure } from "../failure.ts";
import type { Problem } from "../problem.ts";
import { changesOf, metadataState } from "../project/changes.ts";
import { readScalars } from "../project/choices.ts";
import { printed, printFailure, recordResult } from "../project/output.ts";
import {
  type ClientModule,
  defaultClientRole,
  defaultDocumentMode,
  type GlobalFlags,
  readSettings,
  type Settings,
} from "../project/settings.ts";

export interface ClientCommandOptions extends GlobalFlags {
  /** File to write; default the modules of the project's `config.yaml`. */
  readonly out?: string;
  readonly role?: string;
  readonly documents?: readonly string[];
  readonly documentMode?: ClientModule["documentMode"];
  /** TypeScript types of custom scalars, for example `Money=string`. */
  readonly scalar?: readonly string[];
  /** A metadata directory, or one JSON or YAML file; default the metadata of the server. */
  readonly metadata?: string;
  /** Saved Shapes; default `shape.json` beside the metadata. */
  readonly shape?: string;
  /** A database to introspect, instead of saved Shapes. */
  readonly database?: string;
  /** If true, keeps running and writes the modules again after each change. */
  readonly watch?: boolean;
}

/**
 * Resolves to the exit code. Prints problems, keeps the previous file and resolves to 1 if metadata or documents are
 * invalid. With `watch` it runs until a signal.
 * @throws EngineError, ConfigurationError if files, the database or the server cannot be read, or a file not written
 */
export async function clientCommand(options: ClientCommandOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const modules = modulesOf(options, settings);
  const run = async (): Promise<number> => {
    const source = await schemasOf(options, settings);
    if ("problems" in source) return report(source.problems);
    recordResult({ modules: modules.map(({ folder, out }) => join(folder, out)) });
    return (await writeClients(modules, source, settings.environment, printed)) ? 0 : 1;
  };
  if (options.watch !== true) return run();
  const stopped = new AbortController();
  void stopSignal().then(() => stopped.abort());
  const states = { metadata: await metadataState(options), documents: () => documentsState(modules) };
  for await (const _ of changesOf(states, stopped.signal)) {
    // The next change may fix the error.
    await run().catch((error: unknown) => printFailure(commandFailure(error), problemsOf(error)));
  }
  return 0;
}

/** @throws EngineError if there is nothing to write */
function modulesOf(options: ClientCommandOptions, { clients }: Settings): readonly ClientModule[] {
  const { out, role, documents, documentMode, scalar } = options;
  if (out !== undefined) {
    return [
      {
        folder: ".",
        out,
        role: role ?? defaultClientRole,
        documents: documents ?? [],
        documentMode: documentMode ?? defaultDocumentMode,
        scalars: readScalars(scalar ?? []),
      },
    ];
  }
  if ([role, documents, documentMode, scalar].some((flag) => flag !== undefined)) throw usageError("--out: required");
  if (clients.length === 0) throw usageError("no output: pass --out, or list modules under `client` in config.yaml");
  return clients;
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);

function schemasOf(
  { metadata, shape, database }: ClientCommandOptions,
  settings: Settings,
): Promise<SchemaSource | { readonly problems: readonly Problem[] }> {
  if (metadata === undefined) return schemasOfServer(settings);
  const shapes = { ...(shape !== undefined && { shape }), ...(database !== undefined && { database }) };
  return schemasOfFiles({ metadata, ...shapes }, settings.environment);
}
