/** Operations that took long, with the way to their plan. */
import { type SlowOperation, slowOperations } from "../../http/activity-api.ts";
import { IconButton } from "../../parts/button.tsx";
import { shortTime } from "../../parts/short-time.ts";
import { addressOf, navigate } from "../../routing/router.ts";
import { takeUp } from "../api/request-state.ts";
import { ActivityTable } from "./activity-table.tsx";

export function SlowOperations() {
  return (
    <ActivityTable
      title="Slow operations"
      about="longer than 100 ms, since the server began"
      load={slowOperations}
      empty="No operation has taken longer than 100 ms."
      keyOf={({ role, operation_name, query }) => `${role} ${operation_name} ${query}`}
      columns={[
        {
          key: "name",
          title: "Operation",
          width: 320,
          cell: ({ operation_name, query }) => (
            <bdi title={query}>{operation_name ?? query.replace(/\s+/g, " ").trim()}</bdi>
          ),
        },
        { key: "role", title: "Role", width: 140, cell: ({ role }) => <bdi>{role}</bdi> },
        { key: "slowest", title: "Slowest", width: 90, align: "end", cell: ({ slowest }) => shortTime(slowest) },
        { key: "mean", title: "Mean", width: 90, align: "end", cell: ({ mean }) => shortTime(mean) },
        { key: "count", title: "Slow", width: 70, align: "end", cell: ({ count }) => count },
        { key: "failed", title: "Failed", width: 70, align: "end", cell: ({ failed }) => failed },
        { key: "last", title: "Last", width: 170, cell: ({ last_at }) => new Date(last_at).toLocaleString() },
        {
          key: "open",
          title: <span class="visually-hidden">Open</span>,
          width: 48,
          cell: (row) => (
            <IconButton icon="api" label={`Open ${row.operation_name ?? "it"} in API`} onClick={() => open(row)} />
          ),
        },
      ]}
    />
  );
}

/** Its variables were not kept. */
function open({ query, role }: SlowOperation): void {
  takeUp({ query, variables: "", role: role === "admin" ? "" : role });
  navigate(addressOf(["api"]));
}
