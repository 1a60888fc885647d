/**
 * Writes the server's metadata into a project's files while a console changes it. Files are written only if they equal
 * the server's previous metadata, so that unapplied changes in the files are never overwritten.
 */
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { readValidFiles, writeMetadata } from "../metadata/metadata-files.ts";
import { filesState } from "../project/changes.ts";
import { type CallMetadata, exportedBy } from "../project/client.ts";

/** `same` if there was nothing to write. */
export type Followed = "same" | "written";

export class FollowedMetadata {
  readonly #path: string;
  /** Last common state of files and server. */
  #synced: { readonly form: string; readonly files: string } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Compares files and server before the console changes metadata: the files may have been applied since the last call.
   */
  beforeChange(call: CallMetadata): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#synced?.files === (await filesState([this.#path]))) return;
      await this.#compare(call).catch((error: unknown) => {
        // Errors in the files are reported by `write`.
        if (!(error instanceof EngineError || error instanceof InvalidFiles)) throw error;
      });
    });
  }

  /**
   * Resolves to true if the files equal the server's metadata.
   * @throws EngineError, InvalidFiles for invalid files
   */
  isSame(call: CallMetadata): Promise<boolean> {
    return this.#inTurn(async () => (await this.#compare(call)).isSame);
  }

  /**
   * Writes the server's metadata into the files.
   * @throws EngineError `conflict` for files with unapplied changes; InvalidFiles for invalid files
   */
  write(call: CallMetadata): Promise<Followed> {
    return this.#inTurn(() => this.#writeOnto(this.#synced?.form, call));
  }

  /**
   * Runs SQL that may change the server's metadata, and writes the change into the files.
   * @throws EngineError `conflict` for files with unapplied changes, InvalidFiles for invalid files; the SQL is then not
   * run. If the files cannot be written later, the error names what was done.
   */
  following<T>(call: CallMetadata, work: () => Promise<T>): Promise<{ readonly done: T; readonly metadata: Followed }> {
    return this.#inTurn(async () => {
      const before = this.#synced;
      const { isSame, local } = await this.#compare(call);
      if (!isSame && local !== before?.form) throw conflict(this.#path);
      const done = await work();
      try {
        return { done, metadata: await this.#writeOnto(local, call) };
      } catch (error) {
        throw error instanceof EngineError ? notFollowed(error) : error;
      }
    });
  }

  /** @param base the metadata that the files are expected to have */
  async #writeOnto(base: string | undefined, call: CallMetadata): Promise<Followed> {
    const { isSame, document, served, local, files } = await this.#compare(call);
    if (isSame) return "same";
    if (local !== base) throw conflict(this.#path);
    await writeMetadata(this.#path, document, files && { files });
    this.#synced = { form: served, files: await filesState([this.#path]) };
    return "written";
  }

  async #compare(call: CallMetadata) {
    const state = await filesState([this.#path]);
    const { metadata } = await exportedBy(call);
    if (!isObject(metadata)) throw new EngineError("unexpected", "$", "the server's export is not valid metadata");
    const served = formOf(metadata);
    const { catalog, files } = await readValidFiles(this.#path);
    const local = stringifyJson(exportMetadata(catalog));
    const isSame = served === local;
    if (isSame) this.#synced = { form: served, files: state };
    return { isSame, document: metadata, served, local, files };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

function formOf(document: JsonObject): string {
  const read = readMetadataDocument(document, emptyCatalog);
  if (read.ok) return stringifyJson(exportMetadata(read.value));
  throw new EngineError("unexpected", "$", `the server's export is not valid metadata: ${read.error.message}`);
}

function notFollowed({ code, path, message, status }: EngineError): EngineError {
  return new EngineError(
    code,
    path,
    `the SQL has run and was saved, but its effect on the metadata was not: ${message}`,
    {
      status,
    },
  );
}

function conflict(path: string): EngineError {
  const message =
    `${path} was not written, because it has changes that are not applied to the server: see \`engine metadata diff\`, ` +
    "then keep the files with `engine metadata apply`, or the server's metadata with `engine metadata export`";
  return new EngineError("conflict", "$", message);
}
