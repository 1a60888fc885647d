/** Requests of each role. */
import { roleUsage } from "../../http/activity-api.ts";
import { ActivityTable, shortTime } from "./activity-table.tsx";

export function Roles() {
  return (
    <ActivityTable
      title="Roles"
      about="Requests to this process since it started"
      load={roleUsage}
      empty="No requests"
      keyOf={({ role }) => JSON.stringify(role)}
      columns={[
        { key: "role", title: "Role", width: 260, cell: ({ role }) => <bdi>{role ?? "Other roles"}</bdi> },
        { key: "count", title: "Requests", width: 110, align: "end", cell: ({ count }) => count.toLocaleString() },
        {
          key: "failed",
          title: "Failed",
          width: 150,
          align: "end",
          cell: ({ failed, count }) =>
            failed === 0 ? 0 : `${failed.toLocaleString()} (${percentage(failed / count)})`,
        },
        { key: "mean", title: "Mean", width: 90, align: "end", cell: (row) => shortTime(row.total_time / row.count) },
        { key: "total", title: "Total time", width: 110, align: "end", cell: (row) => shortTime(row.total_time) },
        { key: "bytes", title: "Sent", width: 110, align: "end", cell: (row) => sizeText(row.response_bytes) },
      ]}
    />
  );
}

const percentage = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power > 0 && value < 10 ? 1 : 0)} ${units[power]}`;
}
