/** Client of `export_generated_code`, `export_client` and `export_handlers`. */
import { runOperation } from "./metadata-api.ts";

export interface GeneratedPaths {
  readonly resource_version: number;
  readonly roles: readonly string[];
  readonly paths: readonly string[];
}

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

export const generatedPaths = (): Promise<GeneratedPaths> => runOperation({ type: "export_generated_code", args: {} });

export interface SavedOperation {
  readonly collection: string;
  readonly name: string;
}

/** Returns the paths of the file that all roles share and of each role's file with its SQL. */
export async function pathsOfOperation({ collection, name }: SavedOperation): Promise<readonly string[]> {
  const saved_operation = { collection_name: collection, query_name: name };
  const { paths } = await runOperation<GeneratedPaths>({ type: "export_generated_code", args: { saved_operation } });
  return paths;
}

/** Number of files per request. */
const filesAtOnce = 200;

/**
 * Yields batches of files in the order of `paths`.
 * @throws ApiError if a file no longer exists
 */
export async function* generatedFiles(paths: readonly string[]): AsyncIterable<readonly GeneratedFile[]> {
  for (let from = 0; from < paths.length; from += filesAtOnce) {
    const args = { paths: paths.slice(from, from + filesAtOnce) };
    const { files } = await runOperation<{ readonly files: readonly GeneratedFile[] }>({
      type: "export_generated_code",
      args,
    });
    yield files;
  }
}

/** @throws ApiError */
export async function generatedFile(path: string): Promise<string> {
  for await (const [file] of generatedFiles([path])) if (file) return file.text;
  return "";
}

/**
 * Returns a TypeScript module with the operations of a document, and the types of their variables and results.
 * @throws ApiError for a document that the role cannot run
 */
export async function clientModule(document: string, role: string): Promise<string> {
  const args = { document, role };
  return (await runOperation<{ readonly text: string }>({ type: "export_client", args })).text;
}

/** Returns the files of a service that the engine calls, for one action, event trigger or cron trigger. */
export async function handlerFiles(name: string): Promise<readonly GeneratedFile[]> {
  const args = { names: [name] };
  const { files } = await runOperation<{ readonly files: readonly GeneratedFile[] }>({ type: "export_handlers", args });
  return files;
}
