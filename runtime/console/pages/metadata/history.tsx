/** History of the metadata: a list of changes. */
import { type HistoryEntry, metadataHistory } from "../../http/metadata-history-api.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { resourceVersion } from "../../state/metadata.ts";
import { callerOf, operationsOf, partsOf } from "./history-texts.ts";
import { VersionView } from "./version-view.tsx";

/** @param version version in the address; absent for the list */
export function History({ version }: { readonly version: string | undefined }) {
  const { value, error } = useLoaded(metadataHistory, String(resourceVersion.value));
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="history" />;
  if (version !== undefined && !/^\d{1,9}$/.test(version)) return <Empty title="Page not found" isPage />;
  if (version !== undefined) return <VersionView key={version} version={Number(version)} history={value} />;
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>History</h1>
        <p class="muted">{`Version ${value.resource_version} is current`}</p>
      </div>
      <DataTable
        label="Changes of the metadata"
        columns={columns}
        rows={value.changes}
        keyOf={({ resource_version }) => resource_version}
        empty={
          <Empty title="No changes in the history">
            <p>
              The server stores each change of the metadata from now on, with time and caller. If it was started with{" "}
              <code>--metadata-history-size 0</code>, it stores none.
            </p>
          </Empty>
        }
      />
    </div>
  );
}

const columns: readonly Column<HistoryEntry>[] = [
  {
    key: "version",
    title: "Version",
    width: 90,
    cell: ({ resource_version: version }) => (
      <Link to={["metadata", "history", String(version)]} title={`Changes of version ${version}`}>
        {version}
      </Link>
    ),
  },
  { key: "time", title: "Time", width: 190, cell: ({ changed_at }) => new Date(changed_at).toLocaleString() },
  { key: "caller", title: "Caller", width: 180, cell: (entry) => <bdi>{callerOf(entry)}</bdi> },
  { key: "operations", title: "Operations", width: 320, cell: (entry) => <bdi>{operationsOf(entry)}</bdi> },
  { key: "parts", title: "Changed", cell: (entry) => <bdi>{partsOf(entry)}</bdi> },
];
