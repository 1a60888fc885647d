/** Calls of tools in the last hour. */
import { useState } from "preact/hooks";
import { type CallOutcome, callOutcomes, type ToolCall, toolCalls } from "../../http/agent-tools-api.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { shortTime } from "../health/activity-table.tsx";

const outcomes: Readonly<Record<CallOutcome, { readonly label: string; readonly class: string }>> = {
  success: { label: "Success", class: "badge good" },
  error: { label: "Error", class: "badge bad" },
  unconfirmed: { label: "Not confirmed", class: "badge warn" },
};

/** Empty texts stand for all calls. */
interface CallFilter {
  readonly tool: string;
  readonly role: string;
  readonly outcome: CallOutcome | "";
}

export function Calls() {
  const { value: calls, error, isLoading, reload } = useLoaded(toolCalls, "calls");
  const [filter, setFilter] = useState<CallFilter>({ tool: "", role: "", outcome: "" });
  const change = (part: Partial<CallFilter>): void => setFilter({ ...filter, ...part });
  const found = (calls ?? []).filter(
    ({ tool, role, outcome }) =>
      (filter.tool === "" || filter.tool === (tool ?? noTool)) &&
      (filter.role === "" || filter.role === role) &&
      (filter.outcome === "" || filter.outcome === outcome),
  );
  return (
    <div class="with-head">
      <div class="toolbar">
        <NameFilter
          label="Tool"
          all="All tools"
          names={(calls ?? []).map(({ tool }) => tool ?? noTool)}
          value={filter.tool}
          onChange={(tool) => change({ tool })}
        />
        <NameFilter
          label="Role"
          all="All roles"
          names={(calls ?? []).map(({ role }) => role)}
          value={filter.role}
          onChange={(role) => change({ role })}
        />
        <SelectField<CallOutcome | "">
          label="Outcome"
          isBare
          value={filter.outcome}
          choices={[
            { value: "", label: "All outcomes" },
            ...callOutcomes.map((value) => ({ value, label: outcomes[value].label })),
          ]}
          onChange={(outcome) => change({ outcome })}
        />
        <span class="muted" role="status">
          {calls && `${found.length.toLocaleString()} ${found.length === 1 ? "call" : "calls"} in the last hour`}
        </span>
        <span class="grow" />
        <Button kind="primary" icon="refresh" busy={isLoading} onClick={reload}>
          Refresh
        </Button>
      </div>
      <div class="calls-area">
        {error !== null && <ErrorBox error={error} />}
        {!calls && error === null && <Loading item="calls" />}
        {calls && (
          <DataTable
            label="Calls of tools"
            columns={columns}
            rows={found}
            empty={
              <Empty title={calls.length === 0 ? "No calls in the last hour" : "No calls match the filter"}>
                <p>Calls that assistants send to this process of the server appear here.</p>
              </Empty>
            }
          />
        )}
      </div>
    </div>
  );
}

/** Calls of a tool that the role does not have. */
const noTool = "Unknown tool";

interface NameFilterProps {
  readonly label: string;
  readonly all: string;
  readonly names: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function NameFilter({ label, all, names, value, onChange }: NameFilterProps) {
  const choices = [...new Set([...names, ...(value === "" ? [] : [value])])].sort();
  return (
    <SelectField
      label={label}
      isBare
      value={value}
      choices={[{ value: "", label: all }, ...choices.map((name) => ({ value: name, label: name }))]}
      onChange={onChange}
    />
  );
}

const columns: readonly Column<ToolCall>[] = [
  { key: "time", title: "Time", width: 110, cell: ({ at }) => new Date(at).toLocaleTimeString() },
  {
    key: "tool",
    title: "Tool",
    width: 200,
    cell: ({ tool }) => (tool === null ? <span class="muted">{noTool}</span> : <bdi>{tool}</bdi>),
  },
  { key: "role", title: "Role", width: 130, cell: ({ role }) => <bdi>{role}</bdi> },
  {
    key: "outcome",
    title: "Outcome",
    width: 120,
    cell: ({ outcome }) => <span class={outcomes[outcome].class}>{outcomes[outcome].label}</span>,
  },
  { key: "code", title: "Code", width: 160, cell: ({ code }) => code && <code>{code}</code> },
  { key: "duration", title: "Duration", width: 90, align: "end", cell: (call) => shortTime(call.execution_time) },
  { key: "client", title: "Client", width: 150, cell: ({ client }) => <bdi>{client}</bdi> },
  {
    key: "log",
    title: "Log",
    width: 90,
    cell: ({ request_id }) => (
      <Link to={["health", "log"]} query={{ text: request_id }} title={`Log lines of the request ${request_id}`}>
        Log lines
      </Link>
    ),
  },
];
