/** The data page: a list of databases and tables, and the selected one. */
import "../../styles/relationships.css";
import "../../styles/rows.css";
import "../../styles/structure.css";
import { useEffect, useMemo, useState } from "preact/hooks";
import { describeTable } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { QualifiedName, Source, Table } from "../../http/metadata-types.ts";
import { AdviceLink } from "../../parts/advice-link.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { type SideItem, SideList } from "../../parts/side-list.tsx";
import { keyOf, shownName } from "../../parts/table-name.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { parameters } from "../../routing/router.ts";
import { isProjectConsole } from "../../state/change-database.ts";
import {
  changeMetadata,
  loadMetadata,
  metadata,
  metadataError,
  sourceNamed,
  sources,
  tableNamed,
} from "../../state/metadata.ts";
import { ComputedFields, functionsOf } from "./computed-fields.tsx";
import { databaseObjects, kindText, loadDatabaseObjects, untrackedTables } from "./database-objects.ts";
import { FunctionsView } from "./functions-view.tsx";
import { Relationships } from "./relationships.tsx";
import { Rows } from "./rows.tsx";
import { SourceView } from "./source-view.tsx";
import { SourceDialog } from "./sources/source-dialog.tsx";
import { SqlView } from "./sql-view.tsx";
import { Structure } from "./structure.tsx";

/** Address segments in the position of the schema name. Addresses of tables have one more segment. */
const sqlSegment = "sql";
const functionsSegment = "functions";
const diagramSegment = "diagram";
const migrationsSegment = "migrations";

const Diagram = lazy("page", async () => (await import("./diagram/index.tsx")).Diagram);
const Migrations = lazy("migrations", async () => (await import("./migrations/index.tsx")).Migrations);

export default function DataPage({ path }: { readonly path: readonly string[] }) {
  useEffect(() => {
    void loadMetadata().then(() => Promise.all(sources.value.map(loadDatabaseObjects)));
  }, []);
  const [isConnecting, setConnecting] = useState(false);
  const current = path.join("/");
  const known = databaseObjects.value;
  const items = useMemo(
    () => sources.value.flatMap((source) => itemsOf(source, current)),
    [sources.value, known, current],
  );
  if (!metadata.value) {
    return metadataError.value ? <ErrorBox error={metadataError.value} /> : <Loading item="metadata" />;
  }
  return (
    <div class="with-side">
      <SideList label="Tables" items={items} empty="No databases connected">
        <Button icon="add" onClick={() => setConnecting(true)}>
          Connect database
        </Button>
      </SideList>
      <Content path={path} />
      {isConnecting && <SourceDialog source={null} onClose={() => setConnecting(false)} />}
    </div>
  );
}

function itemsOf(source: Source, current: string): readonly SideItem[] {
  const item = (text: string, to: readonly string[], rest: Partial<SideItem> = {}): SideItem => ({
    key: to.join("\u0000"),
    text,
    to,
    isCurrent: to.slice(1).join("/") === current,
    ...rest,
  });
  const label = (schema: string, name: string): string => shownName(source.kind, { schema, name });
  return [
    { key: source.name, text: source.name, to: null, note: source.kind },
    item("Overview", ["data", source.name]),
    item("Diagram", ["data", source.name, diagramSegment]),
    item("SQL", ["data", source.name, sqlSegment]),
    ...(isProjectConsole ? [item("Migrations", ["data", source.name, migrationsSegment])] : []),
    ...(hasFunctions(source) ? [item("Functions", ["data", source.name, functionsSegment])] : []),
    ...source.tables.map(({ table: { schema, name } }) =>
      item(label(schema, name), ["data", source.name, schema, name]),
    ),
    ...untrackedTables(source).map(({ schema, name, kind }) =>
      item(label(schema, name), ["data", source.name, schema, name], {
        isMuted: true,
        note: `Untracked ${kindText(kind).toLowerCase()}`.trim(),
      }),
    ),
  ];
}

const hasFunctions = ({ name, functions = [] }: Source): boolean =>
  functions.length > 0 || (databaseObjects.value[name]?.functions ?? []).length > 0;

function Content({ path }: { readonly path: readonly string[] }) {
  const [sourceName, schema, name] = path;
  const source = sourceName === undefined ? sources.value[0] : sourceNamed(sourceName);
  if (!source) return <Empty title={sourceName === undefined ? "No databases connected" : "Source not found"} isPage />;
  if (schema === undefined) return <SourceView key={source.name} source={source} />;
  if (name === undefined && schema === functionsSegment) return <FunctionsView key={source.name} source={source} />;
  if (name === undefined && schema === diagramSegment) return <Diagram key={source.name} source={source} />;
  if (name === undefined && schema === migrationsSegment && isProjectConsole) {
    return <Migrations key={source.name} source={source} />;
  }
  if (name === undefined) return <SqlView key={source.name} source={source} />;
  const table = tableNamed(source.name, schema, name);
  if (!table) return <UntrackedTable key={path.join("/")} source={source} table={{ schema, name }} />;
  // A foreign key can link to another row of the same table, which must reset the view.
  const followed = parameters.value.get("where") ?? "";
  return <TableView key={`${path.join("/")}?${followed}`} source={source} table={table} />;
}

// Page of an untracked table.

function UntrackedTable({ source, table }: { readonly source: Source; readonly table: QualifiedName }) {
  const [error, setError] = useState<unknown>(null);
  const location = { source: source.name, kind: source.kind, table };
  const info = useLoaded(() => describeTable(location), JSON.stringify(location));
  const track = async (): Promise<void> => {
    try {
      await changeMetadata({ type: `${prefixOf(source.kind)}_track_table`, args: { source: source.name, table } });
      notify(`Tracked ${table.name}`);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div class="page full">
      <div class="spread">
        <h1>
          <bdi>{table.name}</bdi> <span class="badge">Untracked</span>
          {info.value && info.value.kind !== "table" && <span class="badge">{kindText(info.value.kind)}</span>}
        </h1>
        <Button kind="primary" icon="add" onClick={() => void track()}>
          Track table
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {info.error !== null && <ErrorBox error={info.error} />}
      {info.isLoading && <Loading item="columns" />}
      {info.value && <Structure source={source} table={table} info={info.value} onChanged={info.reload} />}
      {!info.value && !info.isLoading && info.error === null && <Empty title="Table not found in the database" />}
    </div>
  );
}

// Page of a tracked table.

interface TableViewProps {
  readonly source: Source;
  readonly table: Table;
}

type TableTab = "rows" | "structure" | "relationships" | "computed";

function TableView({ source, table }: TableViewProps) {
  const [tab, setTab] = useState<TableTab>("rows");
  const [isUntracking, setUntracking] = useState(false);
  const location = { source: source.name, kind: source.kind, table: table.table };
  const { value: info, error, isLoading, reload } = useLoaded(() => describeTable(location), JSON.stringify(location));
  const candidates = functionsOf(databaseObjects.value[source.name]?.functions ?? [], table.table);
  const hasComputed = candidates.length > 0 || (table.computed_fields ?? []).length > 0;
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>
          <bdi>{table.table.name}</bdi>
        </h1>
        <span class="muted">{`${source.name} · ${table.table.schema}`}</span>
        {info && info.kind !== "table" && <span class="badge">{kindText(info.kind)}</span>}
        <span class="grow" />
        <Link to={["data", source.name, diagramSegment]} query={{ table: keyOf(table.table) }}>
          Show in diagram
        </Link>
        <AdviceLink source={source.name} table={table.table} />
        <Button kind="quiet" onClick={() => setUntracking(true)}>
          Untrack
        </Button>
      </div>
      <Tabs<TableTab>
        label="Table sections"
        tabs={[
          { name: "rows", label: "Rows" },
          { name: "structure", label: "Structure" },
          { name: "relationships", label: "Relationships" },
          ...(hasComputed ? [{ name: "computed", label: "Computed fields" } as const] : []),
        ]}
        current={tab}
        onChange={setTab}
      >
        {error !== null && <ErrorBox error={error} />}
        {!info && isLoading && <Loading item="columns" />}
        {!info && !isLoading && error === null && <Empty title="Table no longer exists in the database" />}
        {info && tab === "rows" && <Rows location={location} info={info} />}
        {info && tab === "structure" && (
          <div class="page full">
            <Structure source={source} table={table.table} info={info} onChanged={reload} />
          </div>
        )}
        {tab === "computed" && <ComputedFields source={source} table={table} candidates={candidates} />}
        {info && tab === "relationships" && <Relationships source={source} table={table} info={info} />}
      </Tabs>
      {isUntracking && <Untrack source={source} table={table} onClose={() => setUntracking(false)} />}
    </div>
  );
}

function Untrack({ source, table, onClose }: TableViewProps & { readonly onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const untrack = async (): Promise<void> => {
    try {
      const args = { source: source.name, table: table.table, cascade: true };
      await changeMetadata({ type: `${prefixOf(source.kind)}_untrack_table`, args });
      notify(`Untracked ${table.table.name}`);
      onClose();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Dialog
      title={`Untrack ${table.table.name}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" onClick={() => void untrack()}>
            Untrack
          </Button>
        </>
      }
    >
      <p>
        The table is removed from the API with its permissions, its relationships and all relationships to it. The
        database keeps the table and its rows.
      </p>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
