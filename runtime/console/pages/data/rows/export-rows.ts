/** Exports rows to a file, page by page, so that memory holds one page as objects. */
import { type Row, selectRows } from "../../../http/data-api.ts";
import { clipboardText } from "./cell-value.tsx";
import { csvLine } from "./csv.ts";
import { pageQuery } from "./keyset.ts";
import type { RowsRequest } from "./use-rows.ts";

export type FileFormat = "csv" | "json";

interface Export {
  readonly format: FileFormat;
  readonly columns: readonly string[];
  readonly signal: AbortSignal;
  /** Receives the number of exported rows. */
  readonly onProgress: (count: number) => void;
}

const rowsPerRequest = 2000;

/** Returns the file with all rows of the request. @throws ApiError @throws DOMException if the signal aborts */
export async function exportRows(request: RowsRequest, options: Export): Promise<Blob> {
  const { location, where, paging } = request;
  const file = new FileParts(options);
  let last: Row | undefined;
  for (;;) {
    const start =
      !last || !paging.isKeyset
        ? ({ kind: "at", offset: file.count } as const)
        : ({ kind: "after", row: last } as const);
    const { query } = pageQuery(paging, start, where, rowsPerRequest);
    const rows = await selectRows(location, query, options.signal);
    file.add(rows);
    options.onProgress(file.count);
    last = rows.at(-1);
    if (rows.length < rowsPerRequest) return file.end();
  }
}

/** Returns the file with these rows. */
export function exportGiven(rows: readonly Row[], options: Pick<Export, "format" | "columns">): Blob {
  const file = new FileParts(options);
  file.add(rows);
  return file.end();
}

class FileParts {
  /** Number of rows. */
  count = 0;
  /** The browser moves large blobs to the disk. */
  readonly #parts: Blob[] = [];
  readonly #options: Pick<Export, "format" | "columns">;

  constructor(options: Pick<Export, "format" | "columns">) {
    this.#options = options;
    this.#parts.push(new Blob([options.format === "csv" ? csvLine(options.columns) : "["]));
  }

  add(rows: readonly Row[]): void {
    const { format, columns } = this.#options;
    const lines = rows.map((row, index) => {
      if (format === "csv") return csvLine(columns.map((name) => csvValue(row[name])));
      const shown = Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
      return `${this.count + index > 0 ? "," : ""}\n${JSON.stringify(shown)}`;
    });
    this.#parts.push(new Blob(lines));
    this.count += rows.length;
  }

  end(): Blob {
    const { format } = this.#options;
    if (format === "json") this.#parts.push(new Blob(["\n]\n"]));
    return new Blob(this.#parts, { type: format === "csv" ? "text/csv" : "application/json" });
  }
}

const csvValue = (value: unknown): string | null =>
  value === null || value === undefined ? null : clipboardText(value);
