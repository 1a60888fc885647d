/** Instances on the metadata database, with their workers and the version of the metadata that each serves. */
import { type InstanceProcess, instanceProcesses } from "../../http/activity-api.ts";
import { resourceVersion } from "../../state/metadata.ts";
import { ActivityTable } from "./activity-table.tsx";

/** Each list opens a connection and notifies all instances. */
const refreshInterval = 30_000;

export function Instances() {
  return (
    <ActivityTable
      title="Instances"
      about="Processes on this metadata database"
      load={instanceProcesses}
      empty="No instances"
      interval={refreshInterval}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "host",
          title: "Host",
          width: 260,
          cell: (each) => (
            <>
              <bdi title={`Instance ${each.instance_id}`}>{each.host}</bdi>{" "}
              {each.is_this && <span class="badge accent">This process</span>}
            </>
          ),
        },
        { key: "process", title: "Process", width: 90, align: "end", cell: ({ process_id }) => process_id },
        { key: "worker", title: "Worker", width: 90, cell: ({ worker, workers }) => `${worker} of ${workers}` },
        { key: "version", title: "Version", width: 100, cell: ({ version }) => <bdi>{version}</bdi> },
        { key: "metadata", title: "Metadata", width: 130, cell: (each) => <Served instance={each} /> },
        { key: "started", title: "Started", width: 190, cell: ({ started_at }) => timeText(started_at) },
        { key: "response", title: "Last response", width: 190, cell: (each) => timeText(each.last_response_at) },
        {
          key: "state",
          title: "Status",
          width: 130,
          cell: ({ is_responding }) => (
            <span class={is_responding ? "badge good" : "badge bad"}>
              {is_responding ? "Responding" : "Not responding"}
            </span>
          ),
        },
      ]}
    />
  );
}

/** Version of the metadata, with a mark if a newer one is known. */
function Served({ instance: { resource_version: served } }: { readonly instance: InstanceProcess }) {
  const isBehind = resourceVersion.value !== null && served < resourceVersion.value;
  return (
    <>
      {served} {isBehind && <span class="badge warn">Behind</span>}
    </>
  );
}

const timeText = (time: string): string => new Date(time).toLocaleString();
