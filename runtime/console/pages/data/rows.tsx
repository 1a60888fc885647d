/** Rows of a table with filter, sorting, links along foreign keys, and editing. */
import { useState } from "preact/hooks";
import {
  countRows,
  type Row,
  type RowOrder,
  selectRows,
  type TableInfo,
  type TableLocation,
} from "../../http/data-api.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { parameters } from "../../routing/router.ts";
import { DeleteRow, RowDialog } from "./row-dialog.tsx";
import { RowFilter, readFilter } from "./row-filter.tsx";

interface RowsProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
}

const pageSize = 100;

type Opened = { readonly kind: "insert" } | { readonly kind: "edit" | "delete"; readonly row: Row } | null;

export function Rows({ location, info }: RowsProps) {
  const [order, setOrder] = useState<RowOrder | null>(null);
  const [limit, setLimit] = useState(pageSize);
  const [opened, setOpened] = useState<Opened>(null);
  const [where, setWhere] = useState<JsonObject>(() => readFilter(parameters.value.get("where")));
  const load = async (): Promise<{ readonly rows: readonly Row[]; readonly count: number }> => {
    const sorted = order ? { order_by: [order] } : defaultOrder(info);
    const [rows, count] = await Promise.all([
      selectRows(location, { where, limit, ...sorted }),
      countRows(location, where),
    ]);
    return { rows, count };
  };
  const { value, error, isLoading, reload } = useLoaded(load, JSON.stringify([location, where, order]));
  const loadMore = (): void => {
    setLimit(limit + pageSize * 5);
    reload();
  };
  const close = (isChanged: boolean): void => {
    setOpened(null);
    if (isChanged) reload();
  };
  const columns = columnsOfRows(location, info, {
    order,
    onOrder: setOrder,
    onEdit: (row) => setOpened({ kind: "edit", row }),
    onDelete: (row) => setOpened({ kind: "delete", row }),
  });
  return (
    <div class="with-head">
      <div class="toolbar">
        <RowFilter info={info} where={where} onChange={setWhere} />
        <span class="grow" />
        {value && <span class="muted" role="status">{`${value.rows.length} of ${value.count} rows`}</span>}
        {value && value.rows.length < value.count && (
          <Button busy={isLoading} onClick={loadMore}>
            Load more
          </Button>
        )}
        <Button icon="refresh" kind="quiet" onClick={reload}>
          Refresh
        </Button>
        {info.insertable !== false && (
          <Button icon="add" kind="primary" onClick={() => setOpened({ kind: "insert" })}>
            Insert row
          </Button>
        )}
      </div>
      <div class="rows-area">
        {error !== null && <ErrorBox error={error} />}
        {!value && isLoading && <Loading item="rows" />}
        {value && (
          <DataTable
            label={`Rows of ${location.table.name}`}
            columns={columns}
            rows={value.rows}
            keyOf={(row, index) => keyText(row, info) ?? index}
            empty={<Empty title="No rows" />}
          />
        )}
      </div>
      {opened?.kind === "insert" && <RowDialog location={location} info={info} row={null} onClose={close} />}
      {opened?.kind === "edit" && <RowDialog location={location} info={info} row={opened.row} onClose={close} />}
      {opened?.kind === "delete" && <DeleteRow location={location} info={info} row={opened.row} onClose={close} />}
    </div>
  );
}

/** Orders by the primary key, so that reloading keeps the order. */
function defaultOrder({ primary_key: keys = [] }: TableInfo): { readonly order_by?: readonly RowOrder[] } {
  return keys.length === 0 ? {} : { order_by: keys.map((column) => ({ column, type: "asc" })) };
}

function keyText(row: Row, { primary_key: keys = [] }: TableInfo): string | null {
  return keys.length === 0 ? null : JSON.stringify(keys.map((name) => row[name]));
}

// Columns with sort buttons and with links for foreign keys.

interface RowActions {
  readonly order: RowOrder | null;
  readonly onOrder: (order: RowOrder | null) => void;
  readonly onEdit: (row: Row) => void;
  readonly onDelete: (row: Row) => void;
}

function columnsOfRows(location: TableLocation, info: TableInfo, actions: RowActions): readonly Column<Row>[] {
  const hasKey = (info.primary_key ?? []).length > 0;
  const values = info.columns.map(
    ({ name }): Column<Row> => ({
      key: name,
      title: <SortButton name={name} order={actions.order} onOrder={actions.onOrder} />,
      width: 180,
      cell: (row) => <Value location={location} info={info} column={name} row={row} />,
    }),
  );
  const changes: Column<Row> = {
    key: " actions",
    title: <span class="visually-hidden">Actions</span>,
    width: 76,
    cell: (row) => (
      <span class="row-actions">
        <IconButton icon="edit" label="Edit row" onClick={() => actions.onEdit(row)} />
        <IconButton icon="remove" label="Delete row" onClick={() => actions.onDelete(row)} />
      </span>
    ),
  };
  return hasKey ? [changes, ...values] : values;
}

interface SortButtonProps {
  readonly name: string;
  readonly order: RowOrder | null;
  readonly onOrder: (order: RowOrder | null) => void;
}

function SortButton({ name, order, onOrder }: SortButtonProps) {
  const own = order?.column === name ? order.type : null;
  const next = own === null ? "asc" : own === "asc" ? "desc" : null;
  const direction = own === null ? "" : own === "asc" ? ", ascending" : ", descending";
  return (
    <button
      type="button"
      class="sort"
      title={`Sort by ${name}`}
      onClick={() => onOrder(next && { column: name, type: next })}
    >
      <bdi>{name}</bdi>
      {own && <Icon name={own === "asc" ? "up" : "down"} />}
      <span class="visually-hidden">{direction}</span>
    </button>
  );
}

interface ValueProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly column: string;
  readonly row: Row;
}

function Value({ location, info, column, row }: ValueProps) {
  const value = row[column];
  if (value === undefined) {
    return (
      <span
        class="null"
        title="The column name is not a valid GraphQL name. Set a custom name in the configuration of the table."
      >
        Not in the API
      </span>
    );
  }
  if (value === null) return <span class="null">null</span>;
  const text = <bdi>{cellText(value)}</bdi>;
  const key = Object.values(info.foreign_keys ?? {}).find(({ column_mapping: mapping }) => column in mapping);
  if (!key) return text;
  const { foreign_table: table, column_mapping: mapping } = key;
  const where = Object.fromEntries(Object.entries(mapping).map(([from, to]) => [to, { _eq: row[from] }]));
  return (
    <Link
      to={["data", location.source, table.schema, table.name]}
      query={{ where: JSON.stringify(where) }}
      title={`Open the referenced row of ${table.name}`}
    >
      {text}
    </Link>
  );
}
