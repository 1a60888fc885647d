/** The health page: inconsistent objects, databases, live queries, slow operations, metrics. */
import { useEffect, useState } from "preact/hooks";
import { type DatabaseHealth, sourcesHealth } from "../../http/health-api.ts";
import { runOperation } from "../../http/metadata-api.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { usePolling } from "../../parts/use-polling.ts";
import { addressOf, navigate } from "../../routing/router.ts";
import { loadMetadata, resourceVersion } from "../../state/metadata.ts";
import { openInEditor } from "../api/request-state.ts";
import { Inconsistent } from "./inconsistent.tsx";
import { Plots } from "./plots.tsx";

export default function HealthPage() {
  useEffect(() => void loadMetadata(), []);
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Health</h1>
      </div>
      <div class="health">
        <div class="health-top">
          <Inconsistent />
          <Sources />
        </div>
        <LiveQueries />
        <SlowOperations />
        <section class="stack" aria-label="Metrics">
          <h2>Metrics</h2>
          <Plots />
        </section>
      </div>
    </div>
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

// Table of server activity that reloads periodically.

interface ActivityTableProps<Row> {
  readonly title: string;
  /** Scope of the data, next to the title. */
  readonly about: string;
  readonly load: () => Promise<readonly Row[]>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
}

function ActivityTable<Row>({ title, about, load, columns, keyOf, empty }: ActivityTableProps<Row>) {
  const { value, error, isLoading, reload } = useLoaded(load, title);
  usePolling(reload, !isLoading);
  return (
    <section class="stack" aria-label={title}>
      <div class="row">
        <h2>{title}</h2>
        <span class="muted">{about}</span>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading item={title.toLowerCase()} />}
      {value?.length === 0 && <p class="muted">{empty}</p>}
      {value && value.length > 0 && (
        <div class="activity card">
          <DataTable label={`Table: ${title}`} columns={columns} rows={value} keyOf={keyOf} />
        </div>
      )}
    </section>
  );
}

/** @param seconds duration in seconds */
function shortTime(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const milliseconds = seconds * 1000;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** A row of `get_slow_operations`. Times are in seconds. */
export interface SlowOperation {
  readonly role: string;
  readonly operation_name: string | null;
  readonly query: string;
  readonly count: number;
  readonly failed: number;
  readonly slowest: number;
  readonly mean: number;
  /** ISO 8601. */
  readonly last_at: string;
}

export interface LiveQuery {
  readonly kind: "live-query" | "streaming";
  readonly operation_name: string | null;
  readonly role: string;
  readonly source: string;
  readonly subscribers: number;
  readonly generated_sql: string;
  /** `null` before the first poll. */
  readonly last_poll: { readonly at: string; readonly total_time: number; readonly failed: number } | null;
}

export const slowOperations = (): Promise<readonly SlowOperation[]> =>
  runOperation({ type: "get_slow_operations", args: {} });

export const liveQueries = (): Promise<readonly LiveQuery[]> => runOperation({ type: "get_live_queries", args: {} });
