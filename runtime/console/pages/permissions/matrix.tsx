/** Matrix of permissions by table and role. */

import { useSignal } from "@preact/signals";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Source, Table } from "../../http/metadata-types.ts";
import { AdviceCount } from "../../parts/advice-count.tsx";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { useAdviceCounts } from "../../state/advice-counts.ts";
import { sources } from "../../state/metadata.ts";
import { CopyDialog } from "./copy-dialog.tsx";
import type { Cell } from "./draft.ts";
import { Legend, MatrixCell } from "./matrix-cell.tsx";
import { allRoles, unsavedRoles } from "./new-roles.ts";
import { NewRole, UnsavedRole } from "./role-fields.tsx";
import { cellKey, selectCells, selection, toggleCells } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";

export function Matrix({ source }: { readonly source: Source }) {
  const search = useSignal("");
  const [isCopying, setCopying] = useState(false);
  const names = allRoles.value;
  const text = search.value.trim().toLowerCase();
  const shown = useMemo(
    () => source.tables.filter(({ table }) => `${table.schema}.${table.name}`.toLowerCase().includes(text)),
    [source, text],
  );
  const isSelecting = selection.value !== null;
  const isEmpty = source.tables.length === 0 || names.length === 0;
  return (
    <div class="with-head">
      {(!isEmpty || sources.value.length > 1) && (
        <div class="toolbar">
          {sources.value.length > 1 && <SourceField current={source.name} />}
          {!isEmpty && (
            <>
              <TextField
                label="Filter tables"
                isBare
                type="search"
                placeholder="Filter tables…"
                value={search.value}
                onInput={(value) => {
                  search.value = value;
                }}
              />
              <NewRole />
              <Button
                icon="check"
                pressed={isSelecting}
                onClick={() => {
                  selection.value = isSelecting ? null : new Set();
                }}
              >
                Select cells
              </Button>
              <Button icon="copy" onClick={() => setCopying(true)}>
                Copy permissions
              </Button>
            </>
          )}
          <span class="grow" />
          {!isEmpty && <Legend />}
        </div>
      )}
      {isSelecting && !isEmpty && <SelectionBar source={source} />}
      {isEmpty ? <EmptyMatrix source={source} /> : <Cells source={source} tables={shown} names={names} />}
      {isCopying && <CopyDialog source={source} onClose={() => setCopying(false)} />}
    </div>
  );
}

function EmptyMatrix({ source }: { readonly source: Source }) {
  if (source.tables.length === 0) {
    return (
      <Empty title="No tracked tables">
        <p>Permissions belong to tables of the API. Create a table, or track one of the database.</p>
        <Link to={["data", source.name]} class="button primary">
          Open Data
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title="No roles">
      <p class="empty-text">
        A role is a set of permissions, such as <code>reader</code>. Each request runs with one role and sees only what
        its permissions allow. The role <code>admin</code> has access to everything.
      </p>
      <p class="empty-text">Add a role, then select its cell in the row of a table.</p>
      <NewRole />
    </Empty>
  );
}

/** The last column of a table with at most this number of roles fills the page. More columns are virtualized. */
const maxFilling = 14;

interface CellsProps {
  readonly source: Source;
  readonly tables: readonly Table[];
  readonly names: readonly string[];
}

function Cells({ source, tables, names }: CellsProps) {
  useAdviceCounts();
  const chosen = selection.value;
  const last = useRef<Cell | null>(null);
  const unsaved = new Set(unsavedRoles.value);
  const select = (cell: Cell, event: MouseEvent): void => {
    if (event.shiftKey && last.current) selectCells(rectangle(last.current, cell, tables, names));
    else toggleCells([cell]);
    last.current = cell;
  };
  const columns: readonly Column<Table>[] = [
    {
      key: " table",
      title: "Table",
      width: 240,
      cell: (table) => {
        const name = (
          <bdi title={`${table.table.schema}.${table.table.name}`}>{shownName(source.kind, table.table)}</bdi>
        );
        if (!chosen) {
          return (
            <>
              {name}
              <AdviceCount source={source.name} table={table.table} />
            </>
          );
        }
        return (
          <button type="button" class="matrix-head" onClick={() => toggleCells(names.map((role) => ({ table, role })))}>
            {name}
          </button>
        );
      },
    },
    ...names.map((role, at) => ({
      key: role,
      title: chosen ? (
        <button type="button" class="matrix-head" onClick={() => toggleCells(tables.map((table) => ({ table, role })))}>
          <bdi title={role}>{role}</bdi>
        </button>
      ) : unsaved.has(role) ? (
        <UnsavedRole role={role} />
      ) : (
        <bdi title={role}>{role}</bdi>
      ),
      ...(at < names.length - 1 || names.length > maxFilling ? { width: 128 } : {}),
      cell: (table: Table) => (
        <MatrixCell
          source={source}
          table={table}
          role={role}
          isSelected={chosen?.has(cellKey({ table, role })) ?? null}
          onSelect={(event) => select({ table, role }, event)}
        />
      ),
    })),
  ];
  return (
    <DataTable
      label="Permissions by table and role"
      columns={columns}
      rows={tables}
      empty={<Empty title="No tables match the filter" />}
    />
  );
}

/** Returns the cells between two corners, which are included. */
function rectangle(from: Cell, to: Cell, tables: readonly Table[], names: readonly string[]): readonly Cell[] {
  const between = <T,>(list: readonly T[], one: T, other: T): readonly T[] => {
    const [first = 0, second = 0] = [list.indexOf(one), list.indexOf(other)].sort((a, b) => a - b);
    return list.slice(Math.max(first, 0), second + 1);
  };
  return between(tables, from.table, to.table).flatMap((table) =>
    between(names, from.role, to.role).map((role) => ({ table, role })),
  );
}

function SourceField({ current }: { readonly current: string }) {
  return (
    <SelectField
      label="Source"
      isBare
      value={current}
      choices={sources.value.map(({ name }) => ({ value: name, label: name }))}
      onChange={(name) => navigate(addressOf(["permissions", name]))}
    />
  );
}
