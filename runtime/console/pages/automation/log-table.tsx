/** Paged log that reloads while it is visible. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LogPage } from "../../http/automation-api.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type Choice, SelectField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { usePolling } from "../../parts/use-polling.ts";
import { rowsPerPage } from "../../state/preferences.ts";

interface LogTableProps<Row, S extends string> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Filters; the first is the default. */
  readonly selections: readonly Choice<S>[];
  readonly load: (selection: S, page: LogPage) => Promise<readonly Row[]>;
  readonly empty: string;
  /** A change reloads the log. */
  readonly reloadCount?: number;
  readonly actions?: ComponentChildren;
}

export function LogTable<Row, S extends string>(props: LogTableProps<Row, S>) {
  const { label, columns, keyOf, selections, load, empty, reloadCount = 0, actions } = props;
  const [selection, setSelection] = useState(selections[0]?.value);
  const [page, setPage] = useState(0);
  const pageSize = rowsPerPage.value;
  const {
    value: rows,
    error,
    isLoading,
    reload,
  } = useLoaded(
    // Load one extra row to detect whether there is another page.
    async () => (selection === undefined ? [] : load(selection, { limit: pageSize + 1, offset: page * pageSize })),
    `${reloadCount} ${selection} ${page} ${pageSize}`,
  );
  usePolling(reload, !isLoading);
  const choose = (next: S): void => {
    setSelection(next);
    setPage(0);
  };
  const shown = rows?.slice(0, pageSize) ?? [];
  const first = page * pageSize + 1;
  return (
    <div class="with-head">
      <div class="toolbar">
        {selection !== undefined && selections.length > 1 && (
          <SelectField label="Filter by status" isBare value={selection} choices={selections} onChange={choose} />
        )}
        <Button icon="refresh" onClick={reload}>
          Refresh
        </Button>
        {actions}
        <span class="grow" />
        <span class="muted">{shown.length === 0 ? "" : `${first} to ${first + shown.length - 1}`}</span>
        <Button icon="left" disabled={page === 0} onClick={() => setPage(page - 1)}>
          Newer
        </Button>
        <Button icon="right" disabled={(rows?.length ?? 0) <= pageSize} onClick={() => setPage(page + 1)}>
          Older
        </Button>
      </div>
      <div class="rows-area">
        {error !== null && <ErrorBox error={error} />}
        {!rows && error === null && <Loading item="log" />}
        {rows && (
          <DataTable label={label} columns={columns} rows={shown} keyOf={keyOf} empty={<Empty title={empty} />} />
        )}
      </div>
    </div>
  );
}
