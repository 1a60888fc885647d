/** Rows of a table: filter, sort order, pages, editing in place, selection, export and import. */
import { useState } from "preact/hooks";
import type { ColumnInfo, ReadingSession, Row, RowOrder, TableInfo, TableLocation } from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { notify } from "../../parts/toast.tsx";
import { parameters } from "../../routing/router.ts";
import { rowsPerPage } from "../../state/preferences.ts";
import { DeleteRows, RowDialog } from "./row-dialog.tsx";
import { RowFilter } from "./row-filter.tsx";
import { featuresOf } from "./rows/database-features.ts";
import { useEditors } from "./rows/editors.ts";
import { ExportDialog } from "./rows/export-dialog.tsx";
import { readFilter } from "./rows/filter-model.ts";
import { ImportDialog } from "./rows/import-dialog.tsx";
import { pagingOf } from "./rows/keyset.ts";
import { addEdit, isCollecting, type PendingEdits, pendingEdits, setCollecting } from "./rows/pending-edits.ts";
import { RowPanel } from "./rows/row-panel.tsx";
import { keyText } from "./rows/row-values.ts";
import { emptyView, type RowView, sortAfterClick } from "./rows/row-view.ts";
import { type Cell, RowsGrid } from "./rows/rows-grid.tsx";
import { RowsPager } from "./rows/rows-pager.tsx";
import { saveRow } from "./rows/save-row.ts";
import { useRows } from "./rows/use-rows.ts";
import { ViewAsDialog } from "./rows/view-as.tsx";
import { ViewsDialog } from "./rows/views-dialog.tsx";
import { whyOptions } from "./rows/why-row.ts";

const WhyDialog = lazy("explanation", async () => (await import("../../parts/why-dialog.tsx")).WhyDialog);

interface RowsProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
}

type Opened =
  | { readonly kind: "insert" | "export" | "views" | "viewAs" }
  | { readonly kind: "import"; readonly pasted?: string }
  | { readonly kind: "edit"; readonly row: Row }
  | { readonly kind: "delete"; readonly rows: readonly Row[] }
  | { readonly kind: "why"; readonly row: Row; readonly column: string | undefined };

const PendingBar = lazy("edits", async () => (await import("./rows/pending-bar.tsx")).PendingBar);

const noPending: PendingEdits = new Map();
const noSelection: ReadonlyMap<string, Row> = new Map();

export function Rows({ location: table, info }: RowsProps) {
  const [session, setSession] = useState<ReadingSession | null>(null);
  const location: TableLocation = session ? { ...table, session } : table;
  const [view, setView] = useState<RowView>(() => ({
    ...emptyView,
    where: readFilter(parameters.value.get("where")),
  }));
  const pageSize = rowsPerPage.value;
  const [isFiltering, setFiltering] = useState(Object.keys(view.where).length > 0);
  const [filterVersion, setFilterVersion] = useState(0);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [selected, setSelected] = useState(noSelection);
  const [active, setActive] = useState<Cell | null>(null);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const editors = useEditors(table, info);
  const { where, sort } = view;
  // A role may lack columns of the primary key.
  const paging = pagingOf(session ? { ...info, primary_key: [] } : info, location.kind, sort);
  const loaded = useRows({ location, info, where, paging, pageSize });
  const { page, error, isLoading, reload } = loaded;
  const hasKey = (info.primary_key ?? []).length > 0;
  const [sample] = page?.rows ?? [];
  const visible = sample ? new Set(Object.keys(sample)) : null;
  const columns = info.columns
    .filter(({ name }) => !view.hidden.includes(name) && (!session || visible === null || visible.has(name)))
    .map((column) => ({ info: column, width: view.widths[column.name] ?? widthOf(column) }));
  const setWhere = (next: JsonObject): void => {
    setView({ ...view, where: next });
    setSelected(noSelection);
    if (Object.keys(next).length > 0) return;
    setFilterVersion(filterVersion + 1);
    setFiltering(false);
  };
  const setSort = (next: readonly RowOrder[]): void => setView({ ...view, sort: next });
  const select = (rows: readonly Row[], isSelected: boolean): void => {
    const next = new Map(selected);
    for (const row of rows) {
      const key = keyText(row, info);
      if (key === null) continue;
      if (isSelected) next.set(key, row);
      else next.delete(key);
    }
    setSelected(next);
  };
  const close = (isChanged: boolean): void => {
    if (isChanged && opened?.kind === "delete") setSelected(noSelection);
    setOpened(null);
    if (isChanged) reload();
  };
  const save = async (index: number, column: string, value: Json): Promise<void> => {
    const row = page?.rows[index];
    if (!row) return;
    if (isCollecting.value) {
      addEdit(table, info, row, column, value);
      return;
    }
    loaded.replaceRow(index, await saveRow(location, info, row, { [column]: value }));
    notify("Saved the row");
  };
  const shownRow = isPanelOpen && active ? page?.rows[active.row] : undefined;
  const isWritable = hasKey && !session && info.updatable !== false;
  const pending = session ? noPending : pendingEdits(table);
  const canInsert = !session && info.insertable !== false;
  const joined = joinedTables(info);
  const filterCount = Object.keys(where).length > 0;
  return (
    <div class="rows-view">
      <div class="toolbar">
        <Button icon="filter" pressed={isFiltering} onClick={() => setFiltering(!isFiltering)}>
          Filter
        </Button>
        {filterCount && !isFiltering && (
          <Button icon="close" kind="quiet" onClick={() => setWhere({})}>
            Clear filter
          </Button>
        )}
        {sort.length > 0 && (
          <Button icon="close" kind="quiet" title={sortText(sort)} onClick={() => setSort([])}>
            Clear sort order
          </Button>
        )}
        {selected.size > 0 && (
          <>
            <span class="muted" role="status">{`${selected.size.toLocaleString()} selected`}</span>
            {!session && info.deletable !== false && (
              <Button kind="danger" onClick={() => setOpened({ kind: "delete", rows: [...selected.values()] })}>
                Delete selected
              </Button>
            )}
            <Button kind="quiet" onClick={() => setSelected(noSelection)}>
              Clear selection
            </Button>
          </>
        )}
        {joined && (
          <span class="badge accent" title="Many-to-many table: its primary key consists of two foreign keys">
            Joins <bdi>{joined[0]}</bdi> and <bdi>{joined[1]}</bdi>
          </span>
        )}
        <span class="grow" />
        {isWritable && (
          <Button
            kind="quiet"
            pressed={isCollecting.value}
            title="Collect edits of cells, and save them together"
            unavailable={pending.size > 0 && "Save or discard the edits first."}
            onClick={() => setCollecting(!isCollecting.value)}
          >
            Collect edits
          </Button>
        )}
        {featuresOf(location.kind).viewsAsRole && (
          <Button icon="permissions" kind="quiet" onClick={() => setOpened({ kind: "viewAs" })}>
            {session ? `As ${session.role}` : "View as role"}
          </Button>
        )}
        <Button kind="quiet" onClick={() => setOpened({ kind: "views" })}>
          View
        </Button>
        <Button kind="quiet" onClick={() => setOpened({ kind: "export" })}>
          Export
        </Button>
        {canInsert && (
          <Button kind="quiet" onClick={() => setOpened({ kind: "import" })}>
            Import
          </Button>
        )}
        <Button icon="refresh" kind="quiet" busy={isLoading && page !== null} onClick={reload}>
          Refresh
        </Button>
        {canInsert && (
          <Button icon="add" kind="primary" onClick={() => setOpened({ kind: "insert" })}>
            Insert row
          </Button>
        )}
      </div>
      {isFiltering && (
        <RowFilter
          key={filterVersion}
          info={info}
          editors={editors}
          where={where}
          onChange={setWhere}
          onClose={() => setFiltering(false)}
        />
      )}
      {pending.size > 0 && <PendingBar location={table} info={info} onSaved={reload} />}
      {error !== null && <ErrorBox error={error} />}
      {!page && isLoading && <Loading item="rows" />}
      {page && (
        <div class="rows-area">
          <RowsGrid
            location={location}
            info={info}
            editors={editors}
            columns={columns}
            rows={page.rows}
            sort={sort}
            isEditable={location.session === undefined}
            selected={selected}
            pending={pending}
            active={active}
            empty={<NoRows isFiltered={filterCount} canInsert={canInsert} onClear={() => setWhere({})} />}
            onSort={(column, isAdded) => setSort(sortAfterClick(sort, column, isAdded))}
            onWidth={(column, width) => setView({ ...view, widths: { ...view.widths, [column]: width } })}
            onSelect={select}
            onActive={setActive}
            onSave={save}
            onShow={(cell) => {
              setActive(cell);
              setPanelOpen(!isPanelOpen || active?.row !== cell.row || active.column !== cell.column);
            }}
            onEdit={(row) => setOpened({ kind: "edit", row })}
            onDelete={(row) => setOpened({ kind: "delete", rows: [row] })}
            onPaste={canInsert ? (pasted) => setOpened({ kind: "import", pasted }) : undefined}
          />
          {shownRow && (
            <RowPanel
              location={location}
              info={info}
              row={shownRow}
              column={columns[active?.column ?? 0]?.info.name ?? null}
              onWhy={(name) => setOpened({ kind: "why", row: shownRow, column: name })}
              {...(isWritable && { onEdit: () => setOpened({ kind: "edit", row: shownRow }) })}
              onClose={() => setPanelOpen(false)}
            />
          )}
        </div>
      )}
      <RowsPager loaded={loaded} paging={paging} pageSize={pageSize} />
      {opened?.kind === "insert" && (
        <RowDialog location={location} info={info} editors={editors} row={null} onClose={close} />
      )}
      {opened?.kind === "export" && (
        <ExportDialog
          request={{ location, info, where, paging, pageSize }}
          count={loaded.count}
          columns={columns.map((column) => column.info.name)}
          selected={[...selected.values()]}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.kind === "import" && (
        <ImportDialog location={location} info={info} pasted={opened.pasted} onClose={close} />
      )}
      {opened?.kind === "views" && (
        <ViewsDialog
          location={location}
          info={info}
          view={view}
          onChange={(next) => {
            setView(next);
            if (next.where === where) return;
            setSelected(noSelection);
            setFilterVersion(filterVersion + 1);
            setFiltering(Object.keys(next.where).length > 0);
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.kind === "viewAs" && (
        <ViewAsDialog
          session={session}
          onChange={(next) => {
            setSession(next);
            setSelected(noSelection);
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.kind === "why" && (
        <WhyDialog
          title={
            opened.column === undefined ? "Why does a role see this row?" : `Why does a role see ${opened.column}?`
          }
          options={whyOptions(table, info, opened.row, opened.column)}
          session={session}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.kind === "edit" && (
        <RowDialog location={location} info={info} editors={editors} row={opened.row} onClose={close} />
      )}
      {opened?.kind === "delete" && <DeleteRows location={location} info={info} rows={opened.rows} onClose={close} />}
    </div>
  );
}

/** Returns the tables that a many-to-many table joins; `null` for other tables. */
function joinedTables({ primary_key: keys = [], foreign_keys = {} }: TableInfo): readonly [string, string] | null {
  const [left, right, ...others] = Object.values(foreign_keys).filter(({ column_mapping: mapping }) =>
    Object.keys(mapping).every((column) => keys.includes(column)),
  );
  if (!left || !right || others.length > 0) return null;
  const columns = new Set([...Object.keys(left.column_mapping), ...Object.keys(right.column_mapping)]);
  return columns.size === keys.length ? [left.foreign_table.name, right.foreign_table.name] : null;
}

const sortText = (sort: readonly RowOrder[]): string =>
  sort.map(({ column, type }) => `${column} ${type === "asc" ? "ascending" : "descending"}`).join(", ");

interface NoRowsProps {
  readonly isFiltered: boolean;
  readonly canInsert: boolean;
  readonly onClear: () => void;
}

function NoRows({ isFiltered, canInsert, onClear }: NoRowsProps) {
  if (!isFiltered) {
    return (
      <Empty title="No rows">
        {canInsert && <p>Insert the first row with the button above, or import a CSV or JSON file.</p>}
      </Empty>
    );
  }
  return (
    <Empty title="No rows match the filter">
      <Button onClick={onClear}>Show all rows</Button>
    </Empty>
  );
}

/** Returns the initial width of a column in pixels, by its type. */
function widthOf({ name, type, value }: ColumnInfo): number {
  const byType = /^(?:uuid|uniqueidentifier)$/i.test(type)
    ? 290
    : /^timestamp|^datetime/i.test(type)
      ? 230
      : value === "boolean"
        ? 90
        : value === "number"
          ? 120
          : value === "json"
            ? 240
            : 200;
  return Math.min(300, Math.max(byType, 40 + name.length * 8));
}
