/** Text of a pipe → lines: pieces of it end anywhere. */
export class WholeLines {
  readonly #write: (line: string) => void;
  #rest = "";

  /** @param write told each line, with its end */
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

  /** A line that a process did not finish before it ended is left out: it is no JSON. */
  end(): void {
    this.#rest = "";
  }
}
