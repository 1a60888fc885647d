/** One database: its tables and views, tracked or not; many at once are tracked, and taken out of the API. */
import { useMemo, useState } from "preact/hooks";
import type { DatabaseTable } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { tell } from "../../parts/toast.tsx";
import { Link } from "../../routing/link.tsx";
import { changeMetadata } from "../../state/metadata.ts";
import { CreateTable } from "./create-table.tsx";
import { databaseObjects, keyOf, kindText, loadDatabaseObjects } from "./database-objects.ts";

interface ListedTable extends Omit<DatabaseTable, "kind"> {
  readonly key: string;
  /** `null`: the database does not have it. */
  readonly kind: string | null;
  readonly isTracked: boolean;
}

const views = [
  { value: "all", label: "tracked or not" },
  { value: "tracked", label: "tracked" },
  { value: "untracked", label: "not tracked" },
] as const;

type View = (typeof views)[number]["value"];

export function SourceView({ source }: { readonly source: Source }) {
  const [opened, setOpened] = useState<"create" | "untrack" | null>(null);
  const [wanted, setWanted] = useState("");
  const [view, setView] = useState<View>("all");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const known = databaseObjects.value[source.name];
  const all = useMemo(() => listTables(source, known?.tables ?? []), [source, known]);
  const shown = useMemo(() => filterTables(all, wanted, view), [all, wanted, view]);
  const taken = all.filter(({ key }) => chosen.has(key));
  const untracked = taken.filter(({ isTracked }) => !isTracked);
  const tracked = taken.filter(({ isTracked }) => isTracked);
  const choose = (tables: readonly ListedTable[], isChosen: boolean): void => {
    const next = new Set(chosen);
    for (const { key } of tables) isChosen ? next.add(key) : next.delete(key);
    setChosen(next);
  };
  const change = async (operation: string, tables: readonly ListedTable[], said: string): Promise<void> => {
    setError(null);
    setBusy(true);
    try {
      const list = tables.map(({ schema, name }) => ({
        source: source.name,
        table: { schema, name },
        ...(operation === "untrack_tables" && { cascade: true }),
      }));
      // All of them or none: what cannot be tracked is named by the error.
      const args = { tables: list, allow_warnings: false };
      await changeMetadata({ type: `${prefixOf(source.kind)}_${operation}`, args });
      tell(`${counted(tables.length)} ${said}`);
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
          placeholder="Filter tables …"
          value={wanted}
          onInput={setWanted}
        />
        <SelectField<View> label="Which tables" isBare value={view} choices={views} onChange={setView} />
        <span class="muted" role="status">
          {`${source.tables.length} tracked, ${all.length - source.tables.length} not`}
        </span>
        <span class="grow" />
        <Button
          disabled={untracked.length === 0}
          busy={isBusy}
          onClick={() => void change("track_tables", untracked, "tracked.")}
        >
          {untracked.length === 0 ? "Track" : `Track ${untracked.length}`}
        </Button>
        <Button disabled={tracked.length === 0} onClick={() => setOpened("untrack")}>
          {tracked.length === 0 ? "Untrack" : `Untrack ${tracked.length}`}
        </Button>
        <IconButton icon="refresh" label="Look again" onClick={() => void loadDatabaseObjects(source)} />
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
          empty={<Empty title={all.length === 0 ? "The database has no tables yet." : "No table is like that."} />}
        />
      ) : (
        <Loading what="the tables of the database" />
      )}
      {opened === "create" && <CreateTable source={source} onClose={() => setOpened(null)} />}
      {opened === "untrack" && (
        <Dialog
          title={`Untrack ${counted(tracked.length)}?`}
          onClose={() => setOpened(null)}
          footer={
            <>
              <Button onClick={() => setOpened(null)}>Keep them</Button>
              <Button
                kind="danger"
                busy={isBusy}
                onClick={() => void change("untrack_tables", tracked, "not tracked any more.")}
              >
                Untrack
              </Button>
            </>
          }
        >
          <p>
            They leave the API, with their permissions and relationships and those that lead to them. The database keeps
            the tables and their rows.
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

function filterTables(all: readonly ListedTable[], wanted: string, view: View): readonly ListedTable[] {
  const text = wanted.trim().toLowerCase();
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
          label={hidden("Choose all that are shown")}
          checked={shown.length > 0 && shown.every(({ key }) => chosen.has(key))}
          onChange={(isChosen) => choose(shown, isChosen)}
        />
      ),
      cell: (table) => (
        <CheckField
          label={hidden(`Choose ${table.name}`)}
          checked={chosen.has(table.key)}
          onChange={(isChosen) => choose([table], isChosen)}
        />
      ),
    },
    {
      key: "name",
      title: "Table",
      cell: (table) => (
        <Link to={["data", source.name, table.schema, table.name]}>
          <bdi>{shownName(source.kind, table)}</bdi>
        </Link>
      ),
    },
    { key: "kind", title: "Kind", width: 160, cell: ({ kind }) => (kind === null ? "missing" : kindText(kind)) },
    {
      key: "state",
      title: "API",
      width: 120,
      cell: ({ isTracked }) => (isTracked ? "tracked" : <span class="muted">untracked</span>),
    },
  ];
}
