/** Reads valid metadata from a directory or file, and writes it atomically. */

import { randomUUID } from "node:crypto";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { InvalidFiles } from "../invalid-files.ts";
import type { MetadataFiles } from "../metadata-directory/read.ts";
import { writeMetadataDirectory } from "../metadata-directory/write.ts";
import { diagnosticProblem } from "../problem.ts";
import type { Format } from "../project/choices.ts";
import { formatted, printResult } from "../project/output.ts";

/**
 * Reads and validates a metadata directory, or one JSON or YAML file.
 * @throws InvalidFiles for invalid values; EngineError if files are missing or have invalid syntax
 */
export async function readValidFiles(path: string): Promise<CatalogFiles> {
  const files = await readCatalog(path);
  if ("catalog" in files) return files;
  throw new InvalidFiles([diagnosticProblem(files.diagnostic, files.place)]);
}

const formatOfExtension: Readonly<Record<string, Format>> = { ".json": "json", ".yaml": "yaml", ".yml": "yaml" };

/** Names of standard output, which cannot be opened as a file if it is a socket. */
export const standardOutputNames: readonly string[] = ["-", "/dev/stdout"];

interface WriteOptions {
  /** Format for names without extension. */
  readonly streamed?: Format | undefined;
  /** The files that the document is based on; default the present ones. */
  readonly files?: MetadataFiles;
}

/**
 * Changes the metadata at `path` to a document of version 3. A new name that ends in `.json`, `.yaml` or `.yml` becomes
 * one file, any other a metadata directory. Pipes and devices receive the text of one file.
 * @throws EngineError if it cannot be written, or the files have changed; the old content is then preserved
 */
export async function writeMetadata(
  path: string,
  document: JsonObject,
  { streamed = "yaml", files }: WriteOptions = {},
): Promise<void> {
  if (standardOutputNames.includes(path)) {
    printResult(formatted(document, streamed), document);
    return;
  }
  const format = formatOfExtension[extname(path).toLowerCase()];
  try {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFIFO() || found?.isCharacterDevice()) await writeFile(path, formatted(document, format ?? streamed));
    else if (format === undefined || found !== undefined) await writeMetadataDirectory(path, document, files);
    else await replaceFile(path, formatted(document, format));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = messageOf(error);
    throw new EngineError("unwritable", "$", `cannot write ${path}: ${reason}`, { cause: error });
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
