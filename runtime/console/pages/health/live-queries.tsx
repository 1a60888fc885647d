/** Statements that subscriptions share: who waits for their answers, and how long the last ones took. */
import { useState } from "preact/hooks";
import { type LiveQuery, liveQueries } from "../../http/activity-api.ts";
import { IconButton } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { shortTime } from "../../parts/short-time.ts";
import { ActivityTable } from "./activity-table.tsx";

export function LiveQueries() {
  const [shown, setShown] = useState<LiveQuery | null>(null);
  return (
    <>
      <ActivityTable
        title="Live queries"
        about="of the server that answers here"
        load={liveQueries}
        empty="Nobody is subscribed to anything in a database."
        keyOf={({ generated_sql, role, source }) => `${source} ${role} ${generated_sql}`}
        columns={[
          {
            key: "name",
            title: "Operation",
            width: 260,
            cell: ({ operation_name }) => <bdi>{operation_name ?? "without a name"}</bdi>,
          },
          { key: "kind", title: "Kind", width: 100, cell: ({ kind }) => kind },
          { key: "role", title: "Role", width: 140, cell: ({ role }) => <bdi>{role}</bdi> },
          { key: "source", title: "Database", width: 140, cell: ({ source }) => <bdi>{source}</bdi> },
          { key: "subscribers", title: "Subscribers", width: 110, align: "end", cell: (row) => row.subscribers },
          {
            key: "time",
            title: "Last poll",
            width: 100,
            align: "end",
            cell: ({ last_poll }) => (last_poll === null ? "none yet" : shortTime(last_poll.total_time)),
          },
          {
            key: "state",
            title: "State",
            width: 100,
            cell: ({ last_poll }) =>
              last_poll !== null && last_poll.failed > 0 ? (
                <span class="badge bad">fails</span>
              ) : (
                <span class="badge good">works</span>
              ),
          },
          {
            key: "sql",
            title: <span class="visually-hidden">SQL</span>,
            width: 48,
            cell: (row) => (
              <IconButton icon="code" label={`SQL of ${row.operation_name ?? "it"}`} onClick={() => setShown(row)} />
            ),
          },
        ]}
      />
      {shown && (
        <Dialog title={shown.operation_name ?? "A live query"} isWide onClose={() => setShown(null)}>
          <div class="live-sql">
            <CodeView text={shown.generated_sql} language="sql" label="SQL, for many subscriptions at once" />
          </div>
        </Dialog>
      )}
    </>
  );
}
