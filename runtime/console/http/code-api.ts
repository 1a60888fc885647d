/** Client of `export_generated_code`. */
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
