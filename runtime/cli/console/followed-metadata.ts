/**
 * Keeps the metadata in a project's files as the server has it, while a console changes it. Files are written only if they
 * say what the server had before: what somebody has written there and not applied is never written over.
 */
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { filesState } from "../dev/changes.ts";
import { exportedBy } from "../handlers/handlers-input.ts";
import { InvalidFiles, readValidFiles, writeMetadata } from "../metadata/metadata-files.ts";
import type { CallMetadata } from "../project/client.ts";

/** `same`: there was nothing to write. */
export type Followed = "same" | "written";

export class FollowedMetadata {
  readonly #path: string;
  /** What files and server said when they last said the same. */
  #agreed: { readonly form: string; readonly files: string } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** To be called before the console may change something: the files may have been applied since. */
  beforeChange(call: CallMetadata): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#agreed?.files === (await filesState([this.#path]))) return;
      await this.#agree(call).catch((error: unknown) => {
        // What is wrong with the files is told when something is to be written.
        if (!(error instanceof EngineError || error instanceof InvalidFiles)) throw error;
      });
    });
  }

  /**
   * Whether files and server say the same.
   * @throws EngineError, InvalidFiles for files that are no metadata
   */
  isSame(call: CallMetadata): Promise<boolean> {
    return this.#inTurn(async () => (await this.#agree(call)).isSame);
  }

  /**
   * Writes what the server has.
   * @throws EngineError `conflict` for files with changes of their own; InvalidFiles for those that are no metadata
   */
  write(call: CallMetadata): Promise<Followed> {
    return this.#inTurn(async () => {
      const before = this.#agreed;
      const { isSame, document, served, local } = await this.#agree(call);
      if (isSame) return "same";
      if (local !== before?.form) throw conflict(this.#path);
      await writeMetadata(this.#path, document);
      this.#agreed = { form: served, files: await filesState([this.#path]) };
      return "written";
    });
  }

  async #agree(call: CallMetadata) {
    const files = await filesState([this.#path]);
    const { metadata } = await exportedBy(call);
    if (!isObject(metadata))
      throw new EngineError("unexpected", "$", "the server exported something that is no metadata");
    const served = formOf(metadata);
    const local = stringifyJson(exportMetadata((await readValidFiles(this.#path)).catalog));
    const isSame = served === local;
    if (isSame) this.#agreed = { form: served, files };
    return { isSame, document: metadata, served, local };
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
  throw new EngineError("unexpected", "$", `the server exported something that is no metadata: ${read.error.message}`);
}

function conflict(path: string): EngineError {
  const message =
    `${path} has changes that the server did not have, and is left as it is: ` +
    "see `engine metadata diff`, then `engine metadata apply` for the files, or `engine metadata export` for the server";
  return new EngineError("conflict", "$", message);
}
