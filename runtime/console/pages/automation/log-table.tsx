/** Paged log that reloads while it is visible. */
import "../../styles/rows.css";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LogPage, TimeRange } from "../../http/automation-api.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable, type RowOpener } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type Choice, SelectField } from "../../parts/field.tsx";
import { Pager, rangeText } from "../../parts/pager.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { usePolling } from "../../parts/use-polling.ts";
import { rowsPerPage } from "../../state/preferences.ts";

interface LogTableProps<Row, S extends string> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Filters; the first is the default. */
  readonly selections: readonly Choice<S>[];
  /** True to filter by time. */
  readonly hasTimes?: boolean;
  readonly load: (selection: S, page: LogPage & TimeRange) => Promise<readonly Row[]>;
  readonly empty: string;
  readonly opener: RowOpener<Row>;
  /** A change reloads the log. */
  readonly reloadCount?: number;
  /** @param range selected range of times */
  readonly actions?: (range: TimeRange) => ComponentChildren;
}

export function LogTable<Row, S extends string>(props: LogTableProps<Row, S>) {
  const { label, columns, keyOf, selections, hasTimes = false, load, empty, opener, reloadCount = 0, actions } = props;
  const [selection, setSelection] = useState(selections[0]?.value);
  const [range, setRange] = useState<TimeRange>({});
  const [offset, setOffset] = useState(0);
  const pageSize = rowsPerPage.value;
  const {
    value: rows,
    error,
    isLoading,
    reload,
  } = useLoaded(
    // Load one extra row to detect whether there is another page.
    async () => (selection === undefined ? [] : load(selection, { ...range, limit: pageSize + 1, offset })),
    `${reloadCount} ${selection} ${range.from} ${range.to} ${offset} ${pageSize}`,
  );
  usePolling(reload, !isLoading);
  const choose = (next: S): void => {
    setSelection(next);
    setOffset(0);
  };
  const limit = (next: TimeRange): void => {
    setRange(next);
    setOffset(0);
  };
  const shown = rows?.slice(0, pageSize) ?? [];
  return (
    <div class="with-head">
      <div class="toolbar">
        {selection !== undefined && selections.length > 1 && (
          <SelectField label="Filter by status" isBare value={selection} choices={selections} onChange={choose} />
        )}
        {hasTimes && <TimeFields range={range} onChange={limit} />}
        <Button icon="refresh" onClick={reload}>
          Refresh
        </Button>
        {actions?.(range)}
      </div>
      <div class="rows-area">
        {error !== null && <ErrorBox error={error} />}
        {!rows && error === null && <Loading item="log" />}
        {rows && (
          <DataTable
            label={label}
            columns={columns}
            rows={shown}
            keyOf={keyOf}
            opener={opener}
            empty={<Empty title={empty} />}
          />
        )}
      </div>
      {rows && (
        <Pager
          label={`Pages of ${label.toLowerCase()}`}
          position={shown.length === 0 ? "" : rangeText(offset + 1, shown.length)}
          onPrevious={offset === 0 ? null : () => setOffset(Math.max(0, offset - pageSize))}
          onNext={rows.length <= pageSize ? null : () => setOffset(offset + pageSize)}
        />
      )}
    </div>
  );
}

interface TimeFieldsProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

const ends = ["from", "to"] as const;

/** Fields of a range of times in UTC. */
function TimeFields({ range, onChange }: TimeFieldsProps) {
  return (
    <>
      {ends.map((end) => (
        <label key={end} class="log-time">
          <span class="muted">{end === "from" ? "From (UTC)" : "To (UTC)"}</span>
          <input
            class="input"
            type="datetime-local"
            value={range[end]?.slice(0, 16) ?? ""}
            onInput={({ currentTarget: { value } }) => {
              const { [end]: _before, ...other } = range;
              onChange(value === "" ? other : { ...other, [end]: `${value.slice(0, 16)}:00Z` });
            }}
          />
        </label>
      ))}
    </>
  );
}
