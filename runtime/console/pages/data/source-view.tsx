/** Tables and views of a database, with bulk tracking and untracking. */
import { useMemo, useState } from "preact/hooks";
import type { DatabaseTable } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { AdviceCount } from "../../parts/advice-count.tsx";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { Menu } from "../../parts/menu.tsx";
import { keyOf, shownName } from "../../parts/table-name.ts";
import { notify } from "../../parts/toast.tsx";
import { Link } from "../../routing/link.tsx";
import { useAdviceCounts } from "../../state/advice-counts.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { CreateTable } from "./create-table.tsx";
import { databaseObjects, kindText, loadDatabaseObjects } from "./database-objects.ts";
import { Suggestions } from "./relationships/suggestions.tsx";
import { SourceDialog } from "./sources/source-dialog.tsx";

interface ListedTable extends Omit<DatabaseTable, "kind"> {
  readonly key: string;
  /** `null` if the table is missing in the database. */
  readonly kind: string | null;
  readonly isTracked: boolean;
}

const views = [
  { value: "all", label: "All tables" },
  { value: "tracked", label: "Tracked" },
  { value: "untracked", label: "Untracked" },
] as const;

type View = (typeof views)[number]["value"];

export function SourceView({ source }: { readonly source: Source }) {
  const [opened, setOpened] = useState<"create" | "untrack" | "suggest" | "connection" | null>(null);
  const [search, setSearch] = useState("");
  const [view, setView] = useState<View>("all");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useAdviceCounts();
  const known = databaseObjects.value[source.name];
  const all = useMemo(() => listTables(source, known?.tables ?? []), [source, known]);
  const shown = useMemo(() => filterTables(all, search, view), [all, search, view]);
  const selected = all.filter(({ key }) => chosen.has(key));
  const untracked = selected.filter(({ isTracked }) => !isTracked);
  const tracked = selected.filter(({ isTracked }) => isTracked);
  const choose = (tables: readonly ListedTable[], isChosen: boolean): void => {
    const next = new Set(chosen);
    for (const { key } of tables) isChosen ? next.add(key) : next.delete(key);
    setChosen(next);
  };
  const change = async (operation: string, tables: readonly ListedTable[], done: string): Promise<void> => {
    setError(null);
    setBusy(true);
    try {
      const list = tables.map(({ schema, name }) => ({
        source: source.name,
        table: { schema, name },
        ...(operation === "untrack_tables" && { cascade: true }),
      }));
      // Atomic: the error names the tables that cannot be tracked.
      const args = { tables: list, allow_warnings: false };
      await changeMetadata({ type: `${prefixOf(source.kind)}_${operation}`, args });
      notify(`${done} ${counted(tables.length)}`);
      choose(tables, false);
      setOpened(null);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>
          <bdi>{source.name}</bdi> <span class="badge">{source.kind}</span>
        </h1>
        <TextField
          label="Filter tables"
          isBare
          type="search"
          placeholder="Filter tables…"
          value={search}
          onInput={setSearch}
        />
        <SelectField<View> label="Filter by status" isBare value={view} choices={views} onChange={setView} />
        <span class="muted" role="status">
          {`${source.tables.length} of ${all.length} tracked`}
        </span>
        <span class="grow" />
        {untracked.length > 0 && (
          <Button busy={isBusy} onClick={() => void change("track_tables", untracked, "Tracked")}>
            {`Track ${untracked.length}`}
          </Button>
        )}
        {tracked.length > 0 && <Button onClick={() => setOpened("untrack")}>{`Untrack ${tracked.length}`}</Button>}
        <Menu
          label="More actions"
          text="More"
          items={[
            {
              label: "Suggest relationships",
              unavailable: source.tables.length === 0 && "Track tables first.",
              onSelect: () => setOpened("suggest"),
            },
            { label: "Edit connection", onSelect: () => setOpened("connection") },
            { label: "Refresh", onSelect: () => void loadDatabaseObjects(source) },
          ]}
        />
        <Button icon="add" kind="primary" onClick={() => setOpened("create")}>
          Create table
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {known?.error && <ErrorBox error={known.error} />}
      {known ? (
        <DataTable
          label="Tables and views"
          columns={columnsFor(source, { shown, chosen, choose })}
          rows={shown}
          empty={<Empty title={all.length === 0 ? "No tables" : "No matches"} />}
        />
      ) : (
        <Loading item="tables" />
      )}
      {opened === "create" && <CreateTable source={source} onClose={() => setOpened(null)} />}
      {opened === "connection" && <SourceDialog source={source} onClose={() => setOpened(null)} />}
      {opened === "suggest" && (
        <Dialog title="Suggest relationships" onClose={() => setOpened(null)} isWide>
          <Suggestions source={source} table={null} onAdded={() => setOpened(null)} />
        </Dialog>
      )}
      {opened === "untrack" && (
        <Dialog
          title={`Untrack ${counted(tracked.length)}?`}
          onClose={() => setOpened(null)}
          footer={
            <>
              <Button onClick={() => setOpened(null)}>Cancel</Button>
              <Button kind="danger" busy={isBusy} onClick={() => void change("untrack_tables", tracked, "Untracked")}>
                Untrack
              </Button>
            </>
          }
        >
          <p>
            The tables are removed from the API with their permissions, their relationships and all relationships to
            them. The database keeps the tables and their rows.
          </p>
          {error !== null && <ErrorBox error={error} />}
        </Dialog>
      )}
    </div>
  );
}

const counted = (count: number): string => (count === 1 ? "1 table" : `${count} tables`);

function listTables(source: Source, found: readonly DatabaseTable[]): readonly ListedTable[] {
  const kinds = new Map(found.map((table) => [keyOf(table), table.kind]));
  const tracked = source.tables.map(({ table }): ListedTable => {
    const key = keyOf(table);
    return { ...table, key, kind: kinds.get(key) ?? null, isTracked: true };
  });
  const isTracked = new Set(tracked.map(({ key }) => key));
  const others = found.flatMap((table): readonly ListedTable[] => {
    const key = keyOf(table);
    return isTracked.has(key) ? [] : [{ ...table, key, isTracked: false }];
  });
  return [...tracked, ...others];
}

function filterTables(all: readonly ListedTable[], search: string, view: View): readonly ListedTable[] {
  const text = search.trim().toLowerCase();
  return all.filter(
    ({ schema, name, isTracked }) =>
      (view === "all" || isTracked === (view === "tracked")) && `${schema}.${name}`.toLowerCase().includes(text),
  );
}

interface Choosing {
  readonly shown: readonly ListedTable[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (tables: readonly ListedTable[], isChosen: boolean) => void;
}

function columnsFor(source: Source, { shown, chosen, choose }: Choosing): readonly Column<ListedTable>[] {
  const hidden = (text: string) => <span class="visually-hidden">{text}</span>;
  return [
    {
      key: "choice",
      width: 44,
      title: (
        <CheckField
          label={hidden("Select all")}
          checked={shown.length > 0 && shown.every(({ key }) => chosen.has(key))}
          onChange={(isChosen) => choose(shown, isChosen)}
        />
      ),
      cell: (table) => (
        <CheckField
          label={hidden(`Select ${table.name}`)}
          checked={chosen.has(table.key)}
          onChange={(isChosen) => choose([table], isChosen)}
        />
      ),
    },
    {
      key: "name",
      title: "Table",
      cell: (table) => (
        <>
          <Link to={["data", source.name, table.schema, table.name]}>
            <bdi>{shownName(source.kind, table)}</bdi>
          </Link>
          <AdviceCount source={source.name} table={table} />
        </>
      ),
    },
    { key: "kind", title: "Kind", width: 160, cell: ({ kind }) => (kind === null ? "Missing" : kindText(kind)) },
    {
      key: "state",
      title: "Status",
      width: 120,
      cell: ({ isTracked }) => (isTracked ? "Tracked" : <span class="muted">Untracked</span>),
    },
  ];
}
