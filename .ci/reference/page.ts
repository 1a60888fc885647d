/** The interface of generated pages. */

/** A page of `docs/reference/` that is generated from the code. */
export interface ReferencePage {
  /** Path of the file in the repository, with `/` as separator. */
  readonly path: string;
  /** Returns the complete text of the file, ending with a newline. It depends only on files of the repository. */
  render(): Promise<string>;
}
