/** The health page: consistency, databases, instances, live queries, slow operations, roles, metrics, and the log. */
import "../../styles/health.css";
import { useEffect, useState } from "preact/hooks";
import { type LiveQuery, liveQueries, type SlowOperation, slowOperations } from "../../http/activity-api.ts";
import { type DatabaseHealth, sourcesHealth } from "../../http/health-api.ts";
import { inconsistentMetadata } from "../../http/metadata-api.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { loadMetadata, resourceVersion } from "../../state/metadata.ts";
import { openInEditor } from "../api/request-state.ts";
import { ActivityTable, shortTime } from "./activity-table.tsx";
import { Instances } from "./instances.tsx";
import { Plots } from "./plots.tsx";
import { Roles } from "./roles.tsx";

type HealthTab = "overview" | "log";

const tabs = [
  { name: "overview", label: "Overview" },
  { name: "log", label: "Log" },
] as const;

export default function HealthPage({ path }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const tab: HealthTab = path[0] === "log" ? "log" : "overview";
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Health</h1>
      </div>
      <Tabs<HealthTab>
        label="Health sections"
        tabs={tabs}
        current={tab}
        onChange={(next) => navigate(addressOf(next === "log" ? ["health", "log"] : ["health"]))}
      >
        {tab === "log" ? <LazyLog /> : <Overview />}
      </Tabs>
    </div>
  );
}

function LazyLog() {
  const { value: module, error } = useLoaded(() => import("./log.tsx"), "log");
  if (error !== null) return <ErrorBox error={error} />;
  return module ? <module.Log /> : <Loading item="log" />;
}

function Overview() {
  return (
    <div class="health">
      <div class="health-top">
        <Consistency />
        <Sources />
      </div>
      <Instances />
      <LiveQueries />
      <SlowOperations />
      <Roles />
      <section class="stack" aria-label="Metrics">
        <h2>Metrics</h2>
        <Plots />
      </section>
    </div>
  );
}

// Number of inconsistent objects, with a link to their page.

function Consistency() {
  const { value, error } = useLoaded(inconsistentMetadata, String(resourceVersion.value));
  return (
    <section class="stack" aria-label="Metadata">
      <h2>Metadata</h2>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading item="metadata status" />}
      {value?.length === 0 && (
        <p>
          <span class="badge good">Consistent</span> The metadata has no inconsistent objects.
        </p>
      )}
      {value && value.length > 0 && (
        <p>
          <span class="badge bad">Inconsistent</span>{" "}
          <Link to={["metadata", "inconsistent"]}>
            {value.length === 1 ? "1 inconsistent object" : `${value.length.toLocaleString()} inconsistent objects`}
          </Link>
        </p>
      )}
    </section>
  );
}

// Slow operations, which can be opened on the API page.

function SlowOperations() {
  return (
    <ActivityTable
      title="Slow operations"
      about="Over 100 ms since the server started"
      load={slowOperations}
      empty="No slow operations"
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
        { key: "count", title: "Count", width: 70, align: "end", cell: ({ count }) => count },
        { key: "failed", title: "Failed", width: 70, align: "end", cell: ({ failed }) => failed },
        { key: "last", title: "Last run", width: 190, cell: ({ last_at }) => new Date(last_at).toLocaleString() },
        {
          key: "open",
          title: <span class="visually-hidden">Open</span>,
          width: 48,
          cell: (row) => (
            <IconButton
              icon="api"
              label={`Open ${row.operation_name ?? "operation"} in API`}
              onClick={() => open(row)}
            />
          ),
        },
      ]}
    />
  );
}

/** Opens the operation on the API page, without its variables, which the server does not store. */
function open({ query, role }: SlowOperation): void {
  openInEditor({ query, variables: "", role: role === "admin" ? "" : role });
  navigate(addressOf(["api"]));
}

// Health of the databases.

function Sources() {
  const { value, error, isLoading, reload } = useLoaded(sourcesHealth, String(resourceVersion.value));
  return (
    <section class="stack" aria-label="Databases">
      <div class="spread">
        <h2>Databases</h2>
        <Button icon="refresh" busy={isLoading} onClick={reload}>
          Refresh
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading item="database status" />}
      {value && (
        <ul class="databases">
          {Object.entries(value.sources).map(([name, health]) => (
            <Database key={name} name={name} health={health} />
          ))}
          {value.metadata && <Database name="metadata" health={value.metadata} note="Metadata database" />}
        </ul>
      )}
    </section>
  );
}

interface DatabaseProps {
  readonly name: string;
  readonly health: DatabaseHealth;
  readonly note?: string;
}

function Database({ name, health: { status, error }, note }: DatabaseProps) {
  return (
    <li class="database">
      <span class={status === "OK" ? "badge good" : "badge bad"}>{status === "OK" ? "Healthy" : "Unhealthy"}</span>
      <bdi>{name}</bdi>
      {note !== undefined && <span class="muted">{note}</span>}
      {error !== undefined && <bdi class="muted">{error}</bdi>}
    </li>
  );
}

// Statements that subscriptions share.

function LiveQueries() {
  const [shown, setShown] = useState<LiveQuery | null>(null);
  return (
    <>
      <ActivityTable
        title="Live queries"
        about="In this process"
        load={liveQueries}
        empty="No active subscriptions"
        keyOf={({ generated_sql, role, source }) => `${source} ${role} ${generated_sql}`}
        columns={[
          {
            key: "name",
            title: "Operation",
            width: 260,
            cell: ({ operation_name }) => <bdi>{operation_name ?? "Unnamed"}</bdi>,
          },
          {
            key: "kind",
            title: "Kind",
            width: 100,
            cell: ({ kind }) => (kind === "streaming" ? "Streaming" : "Live query"),
          },
          { key: "role", title: "Role", width: 140, cell: ({ role }) => <bdi>{role}</bdi> },
          { key: "source", title: "Database", width: 140, cell: ({ source }) => <bdi>{source}</bdi> },
          { key: "subscribers", title: "Subscribers", width: 110, align: "end", cell: (row) => row.subscribers },
          {
            key: "time",
            title: "Last poll",
            width: 100,
            align: "end",
            cell: ({ last_poll }) => (last_poll === null ? "None yet" : shortTime(last_poll.total_time)),
          },
          {
            key: "state",
            title: "Status",
            width: 100,
            cell: ({ last_poll }) =>
              last_poll !== null && last_poll.failed > 0 ? (
                <span class="badge bad">Failing</span>
              ) : (
                <span class="badge good">Healthy</span>
              ),
          },
          {
            key: "sql",
            title: <span class="visually-hidden">SQL</span>,
            width: 48,
            cell: (row) => (
              <IconButton
                icon="code"
                label={`SQL of ${row.operation_name ?? "unnamed operation"}`}
                onClick={() => setShown(row)}
              />
            ),
          },
        ]}
      />
      {shown && (
        <Dialog title={shown.operation_name ?? "Live query"} isWide onClose={() => setShown(null)}>
          <div class="live-sql">
            <CodeView text={shown.generated_sql} language="sql" label="SQL shared by the subscriptions" />
          </div>
        </Dialog>
      )}
    </>
  );
}
