/** Matrix of permissions by table and role. */
import { signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Source, Table } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { shownName } from "../../parts/table-name.ts";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { roles, sources } from "../../state/metadata.ts";
import { type Action, actions, columnsOf, isEmptyFilter, permissionOf } from "./draft.ts";

export function Matrix({ source }: { readonly source: Source }) {
  const search = useSignal("");
  const names = [...new Set([...roles.value, ...newRoles.value])];
  const text = search.value.trim().toLowerCase();
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
          placeholder="Filter tables…"
          value={search.value}
          onInput={(value) => {
            search.value = value;
          }}
        />
        <NewRole />
        <span class="grow" />
        <Legend />
      </div>
      <DataTable
        label="Permissions by table and role"
        columns={columns}
        rows={shown}
        empty={<Empty title={source.tables.length === 0 ? "No tracked tables" : "No matches"} />}
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

// A cell has few elements and its marks are rendered once for each combination, because scrolling renders hundreds of cells
// in one frame.
function Cell({ source, table, role }: { readonly source: Source; readonly table: Table; readonly role: string }) {
  const extents = actions.map((action) => extentOf(table, action, role));
  const summary = actions.flatMap((action, at) => (extents[at] === "none" ? [] : `${action} (${extents[at]})`));
  const access = summary.join(", ") || "no access";
  const { schema, name } = table.table;
  return (
    <Link
      to={["permissions", source.name, schema, name, role]}
      class="matrix-cell"
      title={`${role} on ${name}: ${access}`}
    >
      {marksOf(extents)}
    </Link>
  );
}

const renderedMarks = new Map<string, readonly VNode[]>();

function marksOf(extents: readonly Extent[]): readonly VNode[] {
  const key = extents.join();
  const known = renderedMarks.get(key);
  if (known) return known;
  const marks = actions.map((action, at) => (
    <span key={action} class={`matrix-mark ${extents[at]}`} aria-hidden="true">
      {letters[action]}
    </span>
  ));
  renderedMarks.set(key, marks);
  return marks;
}

type Extent = "none" | "some" | "all";

/** Returns whether a permission covers all rows, some, or none. */
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
      <span class="matrix-mark all">S</span> All rows
      <span class="matrix-mark some">S</span> Some rows
      <span class="matrix-mark none">S</span> No access
    </p>
  );
}

function NewRole() {
  const name = useSignal("");
  const add = (): void => {
    const role = name.value.trim();
    if (role === "" || role === "admin") return;
    newRoles.value = [...new Set([...newRoles.value, role])];
    name.value = "";
  };
  return (
    <Form class="row" onSubmit={add}>
      <TextField
        label="New role name"
        isBare
        placeholder="New role"
        value={name.value}
        onInput={(value) => {
          name.value = value;
        }}
      />
      <Button icon="add" type="submit">
        Add role
      </Button>
    </Form>
  );
}

// Roles added on this page that have no permissions yet. The metadata stores a role only with its permissions.

const newRoles = signal<readonly string[]>([]);
