/** Collects the rows of one statement as bytes. */
import type { ByteRow } from "../source.ts";
import type { Step } from "./extended-query.ts";

export class ByteRows {
  #rows: ByteRow[] = [];

  /** The rows of the last attempt. */
  get rows(): readonly ByteRow[] {
    return this.#rows;
  }

  /** Returns the step of another attempt, whose rows replace those of earlier ones. */
  stepOf({ text, values, name }: Step): Step {
    const rows: ByteRow[] = [];
    this.#rows = rows;
    const takeRow = (row: ByteRow): void => void rows.push(row);
    // A spread would define the member on the slow path of V8.
    return name === undefined ? { text, values, takeRow } : { text, values, name, takeRow };
  }
}
