/** Roles of functions, actions and remote schemas, with links to their pages. */
import { useMemo, useState } from "preact/hooks";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { Link } from "../../routing/link.tsx";
import { metadata } from "../../state/metadata.ts";

interface ApiObject {
  readonly kind: "Function" | "Action" | "Remote schema";
  readonly name: string;
  /** Source of a function. */
  readonly source: string;
  readonly roles: readonly string[];
  /** Page that changes the permissions. */
  readonly to: readonly string[];
}

export function OtherObjects() {
  const [search, setSearch] = useState("");
  const objects = useMemo(() => objectsIn(metadata.value), [metadata.value]);
  const text = search.trim().toLowerCase();
  const shown = objects.filter(({ name, roles }) => [name, ...roles].some((each) => each.toLowerCase().includes(text)));
  return (
    <div class="with-head">
      <div class="toolbar">
        <TextField
          label="Filter by name or role"
          isBare
          type="search"
          placeholder="Filter by name or role…"
          value={search}
          onInput={setSearch}
        />
        <span class="muted">
          While function permissions are inferred, a role may also call each function whose rows it may select.
        </span>
      </div>
      <DataTable
        label="Permissions of functions, actions and remote schemas"
        columns={columns}
        rows={shown}
        empty={
          <Empty title={objects.length === 0 ? "No functions, actions or remote schemas" : "No matches"}>
            {objects.length === 0 && (
              <p class="empty-text">
                Track a function on the page Data, or create an action or a remote schema on the page Automation.
              </p>
            )}
          </Empty>
        }
      />
    </div>
  );
}

const columns: readonly Column<ApiObject>[] = [
  { key: "kind", title: "Kind", width: 140, cell: ({ kind }) => kind },
  {
    key: "name",
    title: "Name",
    width: 260,
    cell: ({ name, to }) => (
      <Link to={to} title={name}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { key: "source", title: "Source", width: 140, cell: ({ source }) => <bdi>{source}</bdi> },
  {
    key: "roles",
    title: "Roles",
    cell: ({ roles }) =>
      roles.length === 0 ? (
        <span class="muted">Only admin</span>
      ) : (
        <bdi title={roles.join(", ")}>{roles.join(", ")}</bdi>
      ),
  },
];

function objectsIn(value: typeof metadata.value): readonly ApiObject[] {
  const rolesOf = (list: readonly { readonly role: string }[] = []): readonly string[] =>
    list.map(({ role }) => role).sort();
  return [
    ...(value?.sources ?? []).flatMap(({ name: source, kind, functions = [] }) =>
      functions.map(
        (each): ApiObject => ({
          kind: "Function",
          name: shownName(kind, each.function),
          source,
          roles: rolesOf(each.permissions),
          to: ["data", source, "functions"],
        }),
      ),
    ),
    ...(value?.actions ?? []).map(
      ({ name, permissions }): ApiObject => ({
        kind: "Action",
        name,
        source: "",
        roles: rolesOf(permissions),
        to: ["automation", "action", name],
      }),
    ),
    ...(value?.remote_schemas ?? []).map(
      ({ name, permissions }): ApiObject => ({
        kind: "Remote schema",
        name,
        source: "",
        roles: rolesOf(permissions),
        to: ["automation", "remote-schema", name],
      }),
    ),
  ];
}
