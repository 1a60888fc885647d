/** CSV as in RFC 4180: a comma, double quotes, CRLF. A field without quotes that is empty is null. */
import { withProtection } from "./formula-text.ts";

/** Returns a line of CSV without formulas. Null is an empty field, and the empty text is a pair of quotes. */
export const csvLine = (values: readonly (string | null)[]): string =>
  `${values.map((value) => (value === null ? "" : csvField(value))).join(",")}\r\n`;

/** Texts without quotes: no separator, sign of a formula or edge of spaces, whatever the settings of a spreadsheet are. */
const bareText = /^-?[\p{L}\p{N}_](?:[\p{L}\p{N} _.:-]*[\p{L}\p{N}_.])?$/u;

function csvField(text: string): string {
  const field = withProtection(text);
  return bareText.test(field) ? field : `"${field.replaceAll('"', '""')}"`;
}

/** Returns the separator of a CSV file by its first line. */
export function separatorOf(header: string): string {
  const unquoted = header.replace(/"[^"]*(?:"|$)/g, "");
  return [",", ";", "\t"].find((each) => unquoted.includes(each)) ?? ",";
}

/** Parses CSV piece by piece, so that a large file blocks no other work. */
export class CsvParser {
  #record: (string | null)[] = [];
  #field = "";
  #state: "start" | "plain" | "quoted" | "closed" = "start";
  #wasReturn = false;
  readonly #separator: string;

  /** @param separator one character */
  constructor(separator = ",") {
    this.#separator = separator;
  }

  /** Returns the records that the text completes. */
  push(text: string): readonly (readonly (string | null)[])[] {
    const records: (readonly (string | null)[])[] = [];
    for (const sign of text) {
      const isLineFeedOfReturn = sign === "\n" && this.#wasReturn;
      this.#wasReturn = false;
      if (isLineFeedOfReturn) continue;
      if (this.#state === "quoted") {
        if (sign === '"') this.#state = "closed";
        else this.#field += sign;
      } else if (sign === '"' && this.#state === "start") this.#state = "quoted";
      else if (sign === '"' && this.#state === "closed") {
        // A doubled quote inside of quotes.
        this.#field += sign;
        this.#state = "quoted";
      } else if (sign === this.#separator) this.#endField();
      else if (sign === "\n" || sign === "\r") {
        this.#wasReturn = sign === "\r";
        const record = this.#endRecord();
        if (record) records.push(record);
      } else {
        this.#field += sign;
        if (this.#state === "start") this.#state = "plain";
      }
    }
    return records;
  }

  /** Returns the last record; `null` if the file ends with a line break. @throws Error for an open quote */
  end(): readonly (string | null)[] | null {
    if (this.#state === "quoted") throw new Error("The file ends inside of a quoted field.");
    return this.#endRecord();
  }

  #endField(): void {
    this.#record.push(this.#state === "start" ? null : this.#field);
    this.#field = "";
    this.#state = "start";
  }

  /** Returns `null` for an empty line. */
  #endRecord(): readonly (string | null)[] | null {
    if (this.#record.length === 0 && this.#state === "start") return null;
    this.#endField();
    const record = this.#record;
    this.#record = [];
    return record;
  }
}
