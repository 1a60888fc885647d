/** Roles and tables: who may do what with which. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Source, Table } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { roles, sources } from "../../state/metadata.ts";
import { type Action, actions, columnsOf, isEmptyFilter, permissionOf } from "./draft.ts";
import { newRoles } from "./new-roles.ts";

export function Matrix({ source }: { readonly source: Source }) {
  const wanted = useSignal("");
  const names = [...new Set([...roles.value, ...newRoles.value])];
  const text = wanted.value.trim().toLowerCase();
  const shown = useMemo(
    () => source.tables.filter(({ table }) => `${table.schema}.${table.name}`.toLowerCase().includes(text)),
    [source, text],
  );
  const columns: readonly Column<Table>[] = [
    {
      key: " table",
      title: "Table",
      width: 240,
      cell: ({ table }) => <bdi title={`${table.schema}.${table.name}`}>{shownName(source.kind, table)}</bdi>,
    },
    ...names.map((role) => ({
      key: role,
      title: <bdi title={role}>{role}</bdi>,
      width: 128,
      cell: (table: Table) => <Cell source={source} table={table} role={role} />,
    })),
  ];
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Permissions</h1>
        {sources.value.length > 1 && <SourceField current={source.name} />}
        <TextField
          label="Filter tables"
          isBare
          type="search"
          placeholder="Filter tables …"
          value={wanted.value}
          onInput={(value) => {
            wanted.value = value;
          }}
        />
        <NewRole />
        <span class="grow" />
        <Legend />
      </div>
      <DataTable
        label="Permissions of roles on tables"
        columns={columns}
        rows={shown}
        empty={<Empty title="No table is tracked, or none has such a name." />}
      />
    </div>
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

const letters: Readonly<Record<Action, string>> = { select: "S", insert: "I", update: "U", delete: "D" };

function Cell({ source, table, role }: { readonly source: Source; readonly table: Table; readonly role: string }) {
  const found = actions.map((action) => ({ action, extent: extentOf(table, action, role) }));
  const said = found.filter(({ extent }) => extent !== "none").map(({ action, extent }) => `${action} (${extent})`);
  const { schema, name } = table.table;
  return (
    <Link
      to={["permissions", source.name, schema, name, role]}
      class="matrix-cell"
      title={said.join(", ") || "nothing"}
    >
      {found.map(({ action, extent }) => (
        <span key={action} class={`matrix-mark ${extent}`} aria-hidden="true">
          {letters[action]}
        </span>
      ))}
      <span class="visually-hidden">{`${role} on ${name}: ${said.join(", ") || "nothing"}`}</span>
    </Link>
  );
}

type Extent = "none" | "some" | "all";

/** `all`: every row. */
function extentOf(table: Table, action: Action, role: string): Extent {
  const found = permissionOf(table, action, role);
  if (!found) return "none";
  const { permission } = found;
  const filter = action === "insert" ? permission.check : permission.filter;
  return isEmptyFilter(filter) && (action === "delete" || columnsOf(permission).length > 0) ? "all" : "some";
}

function Legend() {
  return (
    <p class="legend muted">
      <span class="matrix-mark all">S</span> all rows
      <span class="matrix-mark some">S</span> some rows
      <span class="matrix-mark none">S</span> nothing
    </p>
  );
}

function NewRole() {
  const name = useSignal("");
  const add = (event: Event): void => {
    event.preventDefault();
    const role = name.value.trim();
    if (role === "" || role === "admin") return;
    newRoles.value = [...new Set([...newRoles.value, role])];
    name.value = "";
  };
  return (
    <form class="row" onSubmit={add}>
      <TextField
        label="Name of a new role"
        isBare
        placeholder="New role …"
        value={name.value}
        onInput={(value) => {
          name.value = value;
        }}
      />
      <Button icon="add" type="submit">
        Add role
      </Button>
    </form>
  );
}
