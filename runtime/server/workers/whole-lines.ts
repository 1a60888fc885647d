/** Splits the text of a pipe, which arrives in arbitrary pieces, into lines. */
export class WholeLines {
  readonly #write: (line: string) => void;
  #rest = "";

  /**
   * Creates a splitter.
   * @param write receives each line with its line break
   */
  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#write(this.#rest + text.slice(from, end + 1));
      this.#rest = "";
      from = end + 1;
    }
    this.#rest += text.slice(from);
  }

  /** Discards an incomplete line of an ended process, which is not valid JSON. */
  end(): void {
    this.#rest = "";
  }
}
