/** One tracked table: its rows, its columns, its relationships. */
import { useState } from "preact/hooks";
import { describeTable } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { Source, Table } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { tell } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { ComputedFields, functionsOf } from "./computed-fields.tsx";
import { databaseObjects, kindText } from "./database-objects.ts";
import { Relationships } from "./relationships.tsx";
import { Rows } from "./rows.tsx";
import { Structure } from "./structure.tsx";

interface TableViewProps {
  readonly source: Source;
  readonly table: Table;
}

type TableTab = "rows" | "structure" | "relationships" | "computed";

export function TableView({ source, table }: TableViewProps) {
  const [tab, setTab] = useState<TableTab>("rows");
  const [isUntracking, setUntracking] = useState(false);
  const place = { source: source.name, kind: source.kind, table: table.table };
  const { value: info, error, isLoading } = useLoaded(() => describeTable(place), JSON.stringify(place));
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
        <Button kind="quiet" onClick={() => setUntracking(true)}>
          Untrack
        </Button>
      </div>
      <Tabs<TableTab>
        label="Parts of the table"
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
        {!info && isLoading && <Loading what="the columns" />}
        {!info && !isLoading && error === null && <Empty title="The database has no such table any more." />}
        {info && tab === "rows" && <Rows place={place} info={info} />}
        {info && tab === "structure" && (
          <div class="page full">
            <Structure source={source} info={info} />
          </div>
        )}
        {tab === "computed" && <ComputedFields source={source} table={table} candidates={candidates} />}
        {tab === "relationships" && <Relationships source={source} table={table} />}
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
      tell(`${table.table.name} is not tracked any more.`);
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
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" onClick={() => void untrack()}>
            Untrack
          </Button>
        </>
      }
    >
      <p>
        It leaves the API, with its permissions and relationships and those that lead to it. The database keeps the
        table and its rows.
      </p>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
