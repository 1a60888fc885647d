/** Files of a request, as values of its variables. They have no JSON form and are passed to handlers. */

export interface FileParts {
  /** The client's file name; may be any text. */
  readonly name: string;
  /** `type/subtype` */
  readonly type: string;
  readonly chunks: readonly Uint8Array[];
}

export class UploadedFile {
  readonly #parts: FileParts;

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  get parts(): FileParts {
    return this.#parts;
  }

  /** Returns `null`, the placeholder of the multipart specification, which also appears in logs. */
  toJSON(): null {
    return null;
  }
}

/** A file and its path: `variables.file`, `input.files.0`. */
export interface FileAtPath {
  readonly path: string;
  readonly file: UploadedFile;
}

/**
 * Returns the files in a value, in order.
 * @param path the path of the value
 */
export function filesIn(value: unknown, path: string): readonly FileAtPath[] {
  if (typeof value !== "object" || value === null) return [];
  if (value instanceof UploadedFile) return [{ path, file: value }];
  return Object.entries(value).flatMap(([key, member]) => filesIn(member, `${path}.${key}`));
}
