/** Dialog that exports the selection, the rows of the filter, or all rows. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../../../http/data-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { download } from "../../../parts/download.ts";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { SelectField } from "../../../parts/field.tsx";
import { notify } from "../../../parts/toast.tsx";
import { exportGiven, exportRows, type FileFormat } from "./export-rows.ts";
import type { RowCount, RowsRequest } from "./use-rows.ts";

interface ExportDialogProps {
  readonly request: RowsRequest;
  readonly count: RowCount | null;
  /** Names of the shown columns. */
  readonly columns: readonly string[];
  readonly selected: readonly Row[];
  readonly onClose: () => void;
}

type Scope = "selection" | "filter" | "all";

export function ExportDialog({ request, count, columns, selected, onClose }: ExportDialogProps) {
  const isFiltered = Object.keys(request.where).length > 0;
  const [format, setFormat] = useState<FileFormat>("csv");
  const [scope, setScope] = useState<Scope>(selected.length > 0 ? "selection" : isFiltered ? "filter" : "all");
  const [exported, setExported] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const scopes = [
    ...(selected.length > 0
      ? [{ value: "selection" as const, label: `${selected.length.toLocaleString()} selected rows` }]
      : []),
    ...(isFiltered ? [{ value: "filter" as const, label: "Rows that match the filter" }] : []),
    { value: "all" as const, label: "All rows" },
  ];
  const save = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setError(null);
    setExported(0);
    try {
      const where = scope === "filter" ? request.where : {};
      const options = { format, columns, signal: abort.signal, onProgress: setExported };
      const file =
        scope === "selection" ? exportGiven(selected, options) : await exportRows({ ...request, where }, options);
      download(file, `${request.location.table.name}.${format}`);
      notify("Exported the rows");
      onClose();
    } catch (thrown) {
      if (!abort.signal.aborted) setError(thrown);
      setExported(null);
    }
  };
  const total = scope === "filter" || !isFiltered ? (count?.value ?? null) : null;
  return (
    <Dialog
      title={`Export rows of ${request.location.table.name}`}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={exported !== null}>
            Export
          </Button>
        </>
      }
    >
      <SelectField label="Rows" value={scope} choices={scopes} onChange={setScope} />
      <SelectField
        label="Format"
        value={format}
        choices={[
          { value: "csv", label: "CSV, with the column names in the first line" },
          { value: "json", label: "JSON, a list with one object per row" },
        ]}
        onChange={setFormat}
      />
      <p class="muted">
        The file has the shown columns. In CSV, null is an empty field, the empty text is "", and an apostrophe precedes
        each text that a spreadsheet would read as a formula. An import into the console restores the values. JSON has
        them unchanged.
      </p>
      {exported !== null && (
        <div class="stack" role="status">
          <span>{`${exported.toLocaleString()} rows exported`}</span>
          <progress aria-label="Exported rows" {...(total !== null && total > 0 && { value: exported, max: total })} />
        </div>
      )}
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
