/** Inherited roles: their parents as a drawing, and the origin of each permission. */
import { useState } from "preact/hooks";
import { inconsistentMetadata } from "../../http/metadata-api.ts";
import type { InheritedRole, Json, Source, Table } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { metadata, resourceVersion } from "../../state/metadata.ts";
import { type Action, actions } from "./draft.ts";
import { conflictsOf, isConflict, originsOf, type Parents, parentsOf } from "./inheritance.ts";
import { InheritanceDiagram } from "./inheritance-diagram.tsx";
import { InheritedRoleDeletion, InheritedRoleDialog } from "./inherited-role-dialogs.tsx";
import { actionTitles } from "./kind-choice.tsx";

export function InheritedRoles({ source }: { readonly source: Source }) {
  const list = metadata.value?.inherited_roles ?? [];
  const parents = parentsOf(list);
  const [name, setName] = useState<string | null>(null);
  const [open, setOpen] = useState<"new" | "change" | "delete" | null>(null);
  const current = list.find((each) => each.role_name === name) ?? list[0];
  const close = (): void => setOpen(null);
  const createButton = (
    <Button icon="add" kind="primary" onClick={() => setOpen("new")}>
      Create inherited role
    </Button>
  );
  return (
    <div class="with-head">
      {current && (
        <div class="toolbar">
          <SelectField
            label="Inherited role"
            isBare
            value={current.role_name}
            choices={list.map(({ role_name: each }) => ({ value: each, label: each }))}
            onChange={setName}
          />
          <Button icon="edit" onClick={() => setOpen("change")}>
            Change role
          </Button>
          <Button kind="danger" icon="remove" onClick={() => setOpen("delete")}>
            Delete
          </Button>
          <span class="grow" />
          {createButton}
        </div>
      )}
      {current ? (
        <RoleView key={current.role_name} source={source} role={current} parents={parents} />
      ) : (
        <Empty title="No inherited roles">
          <p class="empty-text">
            An inherited role has the permissions of several roles, its parents: the rows and columns that at least one
            of them may read.
          </p>
          {createButton}
        </Empty>
      )}
      {(open === "new" || open === "change") && (
        <InheritedRoleDialog
          role={open === "change" && current ? current : null}
          parents={parents}
          onSaved={setName}
          onClose={close}
        />
      )}
      {open === "delete" && current && <InheritedRoleDeletion role={current} onClose={close} />}
    </div>
  );
}

interface RoleViewProps {
  readonly source: Source;
  readonly role: InheritedRole;
  readonly parents: Parents;
}

function RoleView({ source, role: { role_name: role, merge = false }, parents }: RoleViewProps) {
  const { value } = useLoaded(inconsistentMetadata, String(resourceVersion.value));
  const conflicts = conflictsOf(role, value ?? []);
  const tables = source.tables.filter((table) =>
    actions.some((action) => originsOf(table, action, role, parents).length > 0),
  );
  const columns: readonly Column<Table>[] = [
    {
      key: "table",
      title: "Table",
      width: 200,
      cell: ({ table }) => (
        <Link to={["permissions", source.name, table.schema, table.name, role]}>
          <bdi>{shownName(source.kind, table)}</bdi>
        </Link>
      ),
    },
    ...actions.map((action) => ({
      key: action,
      title: actionTitles[action],
      cell: (table: Table) => <Origin {...{ source, table, action, role, parents, conflicts }} />,
    })),
  ];
  return (
    <div class="with-head">
      <div class="stack inherited-role">
        <InheritanceDiagram role={role} parents={parents} />
        {merge && (
          <p>
            <span class="badge accent">Merged</span> The role may make each change of a row that one of its parents
            permits alone.
          </p>
        )}
        {conflicts.length > 0 && (
          <p class="plan-widening" role="status">
            {conflicts.length === 1
              ? "1 write permission is not inherited, because the parents have different ones."
              : `${conflicts.length} write permissions are not inherited, because the parents have different ones.`}{" "}
            {merge
              ? "They cannot be merged: open the table and define a permission of the role itself."
              : "Merge them with Change role, or open the table and define a permission of the role itself."}
          </p>
        )}
      </div>
      <DataTable
        label={`Origin of the permissions of ${role}`}
        columns={columns}
        rows={tables}
        empty={<Empty title="The parents have no permissions in this database" />}
      />
    </div>
  );
}

interface OriginProps {
  readonly source: Source;
  readonly table: Table;
  readonly action: Action;
  readonly role: string;
  readonly parents: Parents;
  readonly conflicts: readonly Json[];
}

function Origin({ source, table, action, role, parents, conflicts }: OriginProps) {
  const origins = originsOf(table, action, role, parents);
  if (origins.length === 0) return <span class="muted">–</span>;
  const names = origins.join(", ");
  if (isConflict(conflicts, source.name, table.table, action)) {
    return (
      <span title={`${names}: different permissions`}>
        <span class="badge bad">Conflict</span> <bdi>{names}</bdi>
      </span>
    );
  }
  return origins.includes(role) ? <span class="badge accent">Own</span> : <bdi title={names}>{names}</bdi>;
}
