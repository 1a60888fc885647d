/** The migrations of a project for one database: their state, their SQL, and the changes of `engine migrate`. */
import "../../../styles/migrations.css";
import { useMemo, useState } from "preact/hooks";
import type { Source } from "../../../http/metadata-types.ts";
import { type ListedMigration, listMigrations, type MigrationChange } from "../../../http/migrations-api.ts";
import { Button } from "../../../parts/button.tsx";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Empty, Loading } from "../../../parts/empty.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { TextField } from "../../../parts/field.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { resourceVersion } from "../../../state/metadata.ts";
import { MigrationDialog } from "./migration-dialog.tsx";
import { creationTime, titleOf } from "./migration-texts.ts";
import { PlanDialog } from "./plan-dialog.tsx";

type Opened = { readonly version: string } | { readonly change: MigrationChange };

export function Migrations({ source }: { readonly source: Source }) {
  const key = `${source.name} ${resourceVersion.value}`;
  const { value, error, isLoading, reload } = useLoaded(() => listMigrations(source.name), key);
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<Opened | null>(null);
  const all = value?.migrations ?? [];
  const shown = useMemo(() => newestFirst(all, search), [value, search]);
  const applied = all.filter(({ state }) => state === "applied").length;
  const pending = all.filter(({ state }) => state === "pending").length;
  const close = () => setOpened(null);
  const found = opened !== null && "version" in opened && all.find(({ version }) => version === opened.version);
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Migrations</h1>
        <span class="muted">{source.name}</span>
        <TextField
          label="Filter migrations"
          isBare
          type="search"
          placeholder="Filter migrations…"
          value={search}
          onInput={setSearch}
        />
        {value && (
          <span class="muted" role="status">
            {`${applied.toLocaleString()} of ${all.length.toLocaleString()} applied`}
          </span>
        )}
        <span class="grow" />
        <Button icon="refresh" busy={isLoading && value !== null} onClick={reload}>
          Refresh
        </Button>
        <Button
          kind="primary"
          icon="run"
          unavailable={value !== null && pending === 0 && "No migration is pending."}
          onClick={() => setOpened({ change: { kind: "apply" } })}
        >
          {pending === 0 ? "Apply" : `Apply ${pending.toLocaleString()}`}
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!value && isLoading && <Loading item="migrations" />}
      {value && (
        <DataTable
          label="Migrations"
          columns={columns}
          rows={shown}
          opener={{ label: "View migration", open: ({ version }) => setOpened({ version }) }}
          empty={<NoMigrations isFiltered={all.length > 0} folder={value.folder} />}
        />
      )}
      {found && (
        <MigrationDialog
          source={source}
          migration={found}
          all={all}
          onChange={(change) => setOpened({ change })}
          onClose={close}
        />
      )}
      {opened !== null && "change" in opened && (
        <PlanDialog source={source} change={opened.change} onClose={close} onRun={reload} />
      )}
    </div>
  );
}

function newestFirst(all: readonly ListedMigration[], search: string): readonly ListedMigration[] {
  const text = search.trim().toLowerCase();
  return all.filter((each) => titleOf(each).toLowerCase().includes(text)).reverse();
}

const columns: readonly Column<ListedMigration>[] = [
  { key: "state", title: "State", width: 110, cell: ({ state }) => <StateBadge state={state} /> },
  { key: "version", title: "Version", width: 160, cell: ({ version }) => <bdi class="code">{version}</bdi> },
  {
    key: "name",
    title: "Name",
    cell: ({ name }) => (name === null ? <span class="muted">No files in the project</span> : <bdi>{name}</bdi>),
  },
  { key: "created", title: "Created", width: 190, cell: ({ version }) => creationTime(version) },
  {
    key: "down",
    title: "Down migration",
    width: 140,
    cell: ({ can_revert: canRevert }) => (canRevert ? "Yes" : <span class="muted">None</span>),
  },
];

function StateBadge({ state }: Pick<ListedMigration, "state">) {
  if (state === "applied") return <span class="badge good">Applied</span>;
  return state === "pending" ? (
    <span class="badge accent">Pending</span>
  ) : (
    <span class="badge bad" title="It was interrupted while its SQL ran.">
      Unfinished
    </span>
  );
}

function NoMigrations({ isFiltered, folder }: { readonly isFiltered: boolean; readonly folder: string }) {
  if (isFiltered) return <Empty title="No migrations match the filter" />;
  return (
    <Empty title="No migrations">
      <p class="empty-text">
        Each change of a table in this console becomes a migration in <code>{folder}</code>.{" "}
        <code>engine migrate create</code> writes one too.
      </p>
    </Empty>
  );
}
