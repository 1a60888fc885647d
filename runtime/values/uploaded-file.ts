/** Files that come with a request, in the places of its variables. They are passed on, and are no JSON. */

export interface FileParts {
  /** As the client calls it; may be any text. */
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

  /** As the protocol has it where the files themselves stand elsewhere, and as it goes to logs. */
  toJSON(): null {
    return null;
  }
}

/** A file and where it stands: `variables.file`, `input.files.0`. */
export interface PlacedFile {
  readonly path: string;
  readonly file: UploadedFile;
}

/** The files in a value, in order. @param path of the value */
export function filesIn(value: unknown, path: string): readonly PlacedFile[] {
  if (typeof value !== "object" || value === null) return [];
  if (value instanceof UploadedFile) return [{ path, file: value }];
  return Object.entries(value).flatMap(([key, member]) => filesIn(member, `${path}.${key}`));
}
