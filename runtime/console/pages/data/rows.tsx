/** Rows of a table: filtered, sorted, followed, changed. */
import { useState } from "preact/hooks";
import {
  countRows,
  type Row,
  type RowOrder,
  selectRows,
  type TableInfo,
  type TablePlace,
} from "../../http/data-api.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { parameters } from "../../routing/router.ts";
import { columnsOfRows } from "./row-columns.tsx";
import { DeleteRow, RowDialog } from "./row-dialog.tsx";
import { RowFilter, readFilter } from "./row-filter.tsx";

interface RowsProps {
  readonly place: TablePlace;
  readonly info: TableInfo;
}

const pageSize = 100;

type Opened = { readonly kind: "insert" } | { readonly kind: "edit" | "delete"; readonly row: Row } | null;

export function Rows({ place, info }: RowsProps) {
  const [order, setOrder] = useState<RowOrder | null>(null);
  const [limit, setLimit] = useState(pageSize);
  const [opened, setOpened] = useState<Opened>(null);
  const [where, setWhere] = useState<JsonObject>(() => readFilter(parameters.value.get("where")));
  const load = async (): Promise<{ readonly rows: readonly Row[]; readonly count: number }> => {
    const sorted = order ? { order_by: [order] } : defaultOrder(info);
    const [rows, count] = await Promise.all([selectRows(place, { where, limit, ...sorted }), countRows(place, where)]);
    return { rows, count };
  };
  const { value, error, isLoading, reload } = useLoaded(load, JSON.stringify([place, where, order]));
  const loadMore = (): void => {
    setLimit(limit + pageSize * 5);
    reload();
  };
  const close = (isChanged: boolean): void => {
    setOpened(null);
    if (isChanged) reload();
  };
  const columns = columnsOfRows(place, info, {
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
            More
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
        {!value && isLoading && <Loading what="rows" />}
        {value && (
          <DataTable
            label={`Rows of ${place.table.name}`}
            columns={columns}
            rows={value.rows}
            keyOf={(row, index) => keyText(row, info) ?? index}
            empty={<Empty title="No rows." />}
          />
        )}
      </div>
      {opened?.kind === "insert" && <RowDialog place={place} info={info} row={null} onClose={close} />}
      {opened?.kind === "edit" && <RowDialog place={place} info={info} row={opened.row} onClose={close} />}
      {opened?.kind === "delete" && <DeleteRow place={place} info={info} row={opened.row} onClose={close} />}
    </div>
  );
}

/** By the primary key, so that reloading leaves rows where they are. */
function defaultOrder({ primary_key: keys = [] }: TableInfo): { readonly order_by?: readonly RowOrder[] } {
  return keys.length === 0 ? {} : { order_by: keys.map((column) => ({ column, type: "asc" })) };
}

function keyText(row: Row, { primary_key: keys = [] }: TableInfo): string | null {
  return keys.length === 0 ? null : JSON.stringify(keys.map((name) => row[name]));
}
