/** Reads metadata files into a Catalog with the source locations of its parts. */

import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import type { Diagnostic } from "../../../compiler/diagnostics/diagnostic.ts";
import { type MetadataFiles, readMetadataDirectory } from "../metadata-directory/read.ts";
import { unreadWarnings } from "../metadata-directory/unread-warnings.ts";
import { fileWarningProblem } from "../problem.ts";
import { printProblems } from "../project/output.ts";

export interface CatalogFiles {
  readonly catalog: Catalog;
  /** Unchanged content of the files. */
  readonly document: Json;
  /** Absent for metadata of a server. */
  readonly files?: MetadataFiles;
  /** Returns `file:line:column` of a JSONPath; the path itself if its location is unknown. */
  place(path: string): string;
}

/**
 * Reads a metadata directory, or one JSON or YAML file. Returns a diagnostic for invalid metadata.
 * @throws EngineError if files are missing or have invalid syntax
 */
export async function readCatalog(
  path: string,
): Promise<CatalogFiles | { readonly diagnostic: Diagnostic; readonly place: CatalogFiles["place"] }> {
  const files = await readMetadataDirectory(path);
  const { metadata, locate, warnings } = files;
  printProblems([...warnings, ...unreadWarnings(files)].map(fileWarningProblem));
  const place = (path: string): string => {
    const found = locate(path);
    return found === undefined ? path : `${found.file}:${found.line}:${found.column}`;
  };
  const result = readMetadataDocument(metadata, emptyCatalog);
  return result.ok ? { catalog: result.value, document: metadata, place, files } : { diagnostic: result.error, place };
}
