/** Tables of a result. A nested list opens in a dialog. */
import { useMemo, useState } from "preact/hooks";
import { cellText } from "../../parts/cell-text.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { columnsOf, isTable, type ResultTable, tablesOf, valueAt } from "./result-tables.ts";

const columnWidth = 120;

export function ResultTableView({ data }: { readonly data: unknown }) {
  const tables = useMemo(() => tablesOf(data), [data]);
  const [opened, setOpened] = useState<ResultTable | null>(null);
  return (
    <div class={tables.length === 1 ? "result-tables single" : "result-tables"}>
      {tables.map((table) => (
        <section key={table.name} class="with-head" aria-label={`Rows of ${table.name}`}>
          <h2 class="result-title">
            <bdi>{table.name}</bdi> <span class="muted">{countText(table.rows.length)}</span>
          </h2>
          <Table table={table} onOpen={setOpened} />
        </section>
      ))}
      {opened && (
        <Dialog title={opened.name} onClose={() => setOpened(null)} isWide>
          <div class="result-nested">
            <Table key={opened.name} table={opened} onOpen={setOpened} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

const countText = (rows: number): string => `${rows.toLocaleString()} ${rows === 1 ? "row" : "rows"}`;

interface TableProps {
  readonly table: ResultTable;
  readonly onOpen: (table: ResultTable) => void;
}

function Table({ table: { name, rows }, onOpen }: TableProps) {
  const columns = useMemo(
    () =>
      columnsOf(rows).map((path) => ({
        key: JSON.stringify(path),
        title: <bdi>{path.join(".")}</bdi>,
        width: columnWidth,
        cell: (row: unknown, index: number) => {
          const value = valueAt(row, path);
          if (!isTable(value)) return <Value value={value} />;
          const nested = { name: `${name}[${index}].${path.join(".")}`, rows: value };
          return (
            <button type="button" class="docs-link" onClick={() => onOpen(nested)}>
              {countText(value.length)}
            </button>
          );
        },
      })),
    [rows, name, onOpen],
  );
  return <DataTable label={name} columns={columns} rows={rows} />;
}

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  if (value === null) return <span class="null">null</span>;
  return <bdi>{cellText(value)}</bdi>;
}
