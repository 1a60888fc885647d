/** Dialog that imports rows of a CSV or JSON file or of pasted cells, and reports the rows that failed. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { OnConflict, TableInfo, TableLocation } from "../../../http/data-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { CheckField, SelectField, TextField } from "../../../parts/field.tsx";
import { notify } from "../../../parts/toast.tsx";
import { featuresOf } from "./database-features.ts";
import {
  columnNamed,
  type ImportResult,
  importRecords,
  type ReadFile,
  readPastedCells,
  readRecords,
} from "./import-rows.ts";
import { keyColumns } from "./row-values.ts";

interface ImportDialogProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  /** Cells from the clipboard, separated by tabs; absent to choose a file or to paste cells. */
  readonly pasted?: string | undefined;
  /** @param isChanged true if rows were inserted */
  readonly onClose: (isChanged: boolean) => void;
}

type Conflict = "fail" | "ignore" | "update";

const skipped = "";

export function ImportDialog({ location, info, pasted, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<ReadFile | null>(null);
  const [mapping, setMapping] = useState<ReadonlyMap<string, string>>(new Map());
  const [isProtected, setProtected] = useState(false);
  const [isAtomic, setAtomic] = useState(false);
  const [conflict, setConflict] = useState<Conflict>("fail");
  const [done, setDone] = useState<number | null>(null);
  const [result, setResult] = useState<ImportResult | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isChanged, setChanged] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const columns = info.columns.filter(({ insertable }) => insertable !== false);
  const keys = keyColumns(info);
  const read = async (load: () => Promise<ReadFile>): Promise<void> => {
    setError(null);
    setResult(null);
    try {
      const found = await load();
      setFile(found);
      setProtected(found.isProtected);
      setMapping(new Map(found.fields.map((field) => [field, columnFor(field, columns)])));
    } catch (thrown) {
      setFile(null);
      setError(thrown);
    }
  };
  const readCells = (text: string): Promise<void> =>
    read(() =>
      readPastedCells(
        text,
        columns.map(({ name }) => name),
      ),
    );
  useEffect(() => {
    if (pasted !== undefined) void readCells(pasted);
  }, []);
  const used = [...mapping.values()].filter((name) => name !== skipped);
  const repeated = used.find((name, index) => used.indexOf(name) !== index);
  const unavailable = !file
    ? "Choose a file, or paste cells."
    : used.length === 0
      ? "Select a column for a field."
      : repeated !== undefined && `Several fields are imported into ${repeated}.`;
  const start = async (): Promise<void> => {
    if (!file || used.length === 0) return;
    const abort = new AbortController();
    running.current = abort;
    setError(null);
    setResult(null);
    setDone(0);
    setChanged(true);
    try {
      const onConflict: OnConflict | null =
        conflict === "fail" ? null : { action: conflict, ...(conflict === "update" && { constraint_on: keys }) };
      const found = await importRecords(location, file.records, {
        columns,
        mapping: new Map([...mapping].filter(([, name]) => name !== skipped)),
        isProtected,
        isAtomic,
        signal: abort.signal,
        onProgress: setDone,
        ...(onConflict && { onConflict }),
      });
      setResult(found);
      if (found.failed.length === 0) {
        notify(`Imported ${found.inserted.toLocaleString()} rows`);
        onClose(true);
      }
    } catch (thrown) {
      if (!abort.signal.aborted) setError(thrown);
    }
    setDone(null);
  };
  return (
    <Dialog
      title={`Import rows into ${location.table.name}`}
      isWide={file !== null}
      onClose={() => onClose(isChanged)}
      onSubmit={start}
      footer={
        <>
          <Button onClick={() => onClose(isChanged)}>{result || done !== null ? "Close" : "Cancel"}</Button>
          <Button kind="primary" type="submit" busy={done !== null} unavailable={unavailable}>
            {file ? `Import ${file.records.length.toLocaleString()} rows` : "Import"}
          </Button>
        </>
      }
    >
      <label class="field">
        <span class="field-label">CSV or JSON file</span>
        <input
          class="input"
          type="file"
          accept=".csv,.tsv,.txt,.json,text/csv,application/json"
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen) void read(async () => readRecords(await chosen.text()));
          }}
        />
        <span class="field-hint">
          CSV with column names in the first line, or a JSON list of objects. An empty CSV field is null.
        </span>
      </label>
      {!file && (
        <TextField
          label="Cells of a spreadsheet"
          hint="Paste them here, or into a cell of the grid. A first line with names of columns is recognized."
          rows={3}
          value=""
          onInput={(text) => void readCells(text)}
        />
      )}
      {file && (
        <>
          <table class="plain-table import-mapping">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">First value</th>
                <th scope="col">Column</th>
              </tr>
            </thead>
            <tbody>
              {file.fields.map((field) => (
                <tr key={field}>
                  <th scope="row">
                    <bdi>{field}</bdi>
                  </th>
                  <td class="import-sample">
                    <bdi>{sampleOf(file, field)}</bdi>
                  </td>
                  <td>
                    <SelectField
                      label={`Column for ${field}`}
                      isBare
                      value={mapping.get(field) ?? skipped}
                      choices={[
                        { value: skipped, label: "Do not import" },
                        ...columns.map(({ name }) => ({ value: name, label: name })),
                      ]}
                      onChange={(name) => setMapping(new Map(mapping).set(field, name))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {repeated !== undefined && (
            <p class="field-error" role="alert">
              Several fields are imported into <bdi>{repeated}</bdi>.
            </p>
          )}
          {featuresOf(location.kind).upserts && keys.length > 0 && (
            <SelectField<Conflict>
              label="Rows that exist already"
              value={conflict}
              choices={[
                { value: "fail", label: "Report them as failed" },
                { value: "ignore", label: "Keep the existing row" },
                { value: "update", label: "Update the row with the same primary key" },
              ]}
              onChange={setConflict}
            />
          )}
          {file.isProtected && (
            <CheckField
              label="Remove apostrophes before =, +, - and @, which exports of the console write"
              checked={isProtected}
              onChange={setProtected}
            />
          )}
          <CheckField label="All or nothing: import no row if one fails" checked={isAtomic} onChange={setAtomic} />
        </>
      )}
      {done !== null && file && (
        <div class="stack" role="status">
          <span>{`${done.toLocaleString()} of ${file.records.length.toLocaleString()} rows processed`}</span>
          <progress aria-label="Imported rows" value={done} max={Math.max(1, file.records.length)} />
        </div>
      )}
      {result && result.failed.length > 0 && <Report result={result} />}
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

/** Returns the column with the name of a field; `skipped` if none has it. */
const columnFor = (field: string, columns: readonly { readonly name: string }[]): string =>
  columnNamed(
    field,
    columns.map(({ name }) => name),
  ) ?? skipped;

const maxSample = 80;

function sampleOf({ records }: ReadFile, field: string): string {
  const value = records.find((record) => (record.get(field) ?? null) !== null)?.get(field);
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxSample ? `${text.slice(0, maxSample)}…` : text;
}

/** Maximum number of listed failures. */
const maxListed = 200;

function Report({ result: { inserted, failed } }: { readonly result: ImportResult }) {
  return (
    <section class="stack" aria-label="Import report">
      <p role="alert">{`Imported ${inserted.toLocaleString()} rows. ${failed.length.toLocaleString()} failed:`}</p>
      <ul class="import-failures">
        {failed.slice(0, maxListed).map(({ position, reason }) => (
          <li key={position}>
            <strong>{position > 0 ? `Row ${position.toLocaleString()}` : "A row"}</strong> <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
      {failed.length > maxListed && <p class="muted">{`and ${(failed.length - maxListed).toLocaleString()} more`}</p>}
    </section>
  );
}
