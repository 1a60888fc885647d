/** Table of server activity that reloads periodically. */
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { usePolling } from "../../parts/use-polling.ts";

interface ActivityTableProps<Row> {
  readonly title: string;
  /** Scope of the data, next to the title. */
  readonly about: string;
  readonly load: () => Promise<readonly Row[]>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
  /** In milliseconds; absent for the usual interval. */
  readonly interval?: number;
}

export function ActivityTable<Row>({ title, about, load, columns, keyOf, empty, interval }: ActivityTableProps<Row>) {
  const { value, error, isLoading, reload } = useLoaded(load, title);
  usePolling(reload, !isLoading, interval);
  return (
    <section class="stack" aria-label={title}>
      <div class="row">
        <h2>{title}</h2>
        <span class="muted">{about}</span>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading item={title.toLowerCase()} />}
      {value?.length === 0 && <p class="muted">{empty}</p>}
      {value && value.length > 0 && (
        <div class="activity card">
          <DataTable label={`Table: ${title}`} columns={columns} rows={value} keyOf={keyOf} />
        </div>
      )}
    </section>
  );
}

/** @param seconds duration in seconds */
export function shortTime(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const milliseconds = seconds * 1000;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}
