/** A log in pages of 50, asked for again while it can be seen. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LogPage } from "../../http/automation-api.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type Choice, SelectField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useRefreshed } from "../../parts/use-refreshed.ts";

const pageSize = 50;

interface LogTableProps<Row, S extends string> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** What may be left out; the first is shown first. */
  readonly selections: readonly Choice<S>[];
  readonly load: (selection: S, page: LogPage) => Promise<readonly Row[]>;
  readonly empty: string;
  /** Changes when what is listed was changed here. */
  readonly turn?: number;
  readonly actions?: ComponentChildren;
}

export function LogTable<Row, S extends string>(props: LogTableProps<Row, S>) {
  const { label, columns, keyOf, selections, load, empty, turn = 0, actions } = props;
  const [selection, setSelection] = useState(selections[0]?.value);
  const [page, setPage] = useState(0);
  const {
    value: rows,
    error,
    isLoading,
    reload,
  } = useLoaded(
    // One more tells whether there is another page.
    async () => (selection === undefined ? [] : load(selection, { limit: pageSize + 1, offset: page * pageSize })),
    `${turn} ${selection} ${page}`,
  );
  useRefreshed(reload, !isLoading);
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
          <SelectField label="Which" isBare value={selection} choices={selections} onChange={choose} />
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
        {!rows && error === null && <Loading what="the log" />}
        {rows && (
          <DataTable label={label} columns={columns} rows={shown} keyOf={keyOf} empty={<Empty title={empty} />} />
        )}
      </div>
    </div>
  );
}
