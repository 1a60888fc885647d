/** `export_generated_code`: the files that the metadata is compiled to. */
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

/** What all roles share of it, and for each role the file with its SQL. */
export async function pathsOfOperation({ collection, name }: SavedOperation): Promise<readonly string[]> {
  const saved_operation = { collection_name: collection, query_name: name };
  const { paths } = await runOperation<GeneratedPaths>({ type: "export_generated_code", args: { saved_operation } });
  return paths;
}

/** So many files come in one answer. */
const filesAtOnce = 200;

/**
 * Files in the order of their paths, some at a time.
 * @throws ApiError for a path that no file has any more
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
