/** What the server does, as a table that is read again every few seconds. */
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useRefreshed } from "../../parts/use-refreshed.ts";

interface ActivityTableProps<Row> {
  readonly title: string;
  /** What of the server it is. */
  readonly about: string;
  readonly load: () => Promise<readonly Row[]>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
}

export function ActivityTable<Row>({ title, about, load, columns, keyOf, empty }: ActivityTableProps<Row>) {
  const { value, error, isLoading, reload } = useLoaded(load, title);
  useRefreshed(reload, !isLoading);
  return (
    <section class="stack" aria-label={title}>
      <div class="row">
        <h2>{title}</h2>
        <span class="muted">{about}</span>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading what={title.toLowerCase()} />}
      {value?.length === 0 && <p class="muted">{empty}</p>}
      {value && value.length > 0 && (
        <div class="activity card">
          <DataTable label={`Table: ${title}`} columns={columns} rows={value} keyOf={keyOf} />
        </div>
      )}
    </section>
  );
}
