/** Calls of an asynchronous action, each with its input, output and errors. */
import { useState } from "preact/hooks";
import { type ActionCall, actionCall, actionCalls, type CallStatus } from "../../http/automation-api.ts";
import { jsonText } from "../../http/json.ts";
import { Button } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import type { Column } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { usePolling } from "../../parts/use-polling.ts";
import { shownTime } from "./invocations.tsx";
import { LogTable } from "./log-table.tsx";
import { ShownHeaders } from "./shown-headers.tsx";

type Selection = "all" | "running" | "completed" | "failed";

const selections = [
  { value: "all", label: "All calls" },
  { value: "running", label: "Running" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
] as const;

const statuses: Readonly<Record<Selection, readonly CallStatus[]>> = {
  all: [],
  running: ["created", "processing"],
  completed: ["completed"],
  failed: ["error"],
};

const badges: Readonly<Record<CallStatus, { readonly look: string; readonly text: string }>> = {
  created: { look: "warn", text: "Waiting" },
  processing: { look: "accent", text: "Running" },
  completed: { look: "good", text: "Completed" },
  error: { look: "bad", text: "Failed" },
};

function CallBadge({ call: { status } }: { readonly call: ActionCall }) {
  const { look, text } = badges[status];
  return <span class={`badge ${look}`}>{text}</span>;
}

const columns: readonly Column<ActionCall>[] = [
  { key: "state", title: "Status", width: 140, cell: (call) => <CallBadge call={call} /> },
  { key: "created", title: "Called at (UTC)", width: 190, cell: ({ created_at }) => shownTime(created_at) },
  { key: "ended", title: "Ended at (UTC)", width: 190, cell: (call) => shownTime(call.response_received_at) },
  { key: "role", title: "Role", width: 130, cell: ({ role }) => <bdi>{role ?? ""}</bdi> },
  { key: "input", title: "Input", cell: ({ input }) => <bdi>{cellText(jsonText(input))}</bdi> },
];

export function ActionCalls({ action }: { readonly action: string }) {
  const [shown, setShown] = useState<ActionCall | null>(null);
  const [reloadCount, setReloadCount] = useState(0);
  const close = (): void => {
    setShown(null);
    setReloadCount((before) => before + 1);
  };
  return (
    <>
      <LogTable<ActionCall, Selection>
        label="Calls"
        columns={columns}
        keyOf={({ id }) => id}
        opener={{ label: "View call", open: setShown }}
        selections={selections}
        hasTimes
        load={(selection, page) => actionCalls(action, statuses[selection], page)}
        empty="No calls"
        reloadCount={reloadCount}
      />
      {shown && <CallDialog call={shown} onClose={close} />}
    </>
  );
}

interface CallDialogProps {
  /** The call in the list, which may have ended since. */
  readonly call: ActionCall;
  readonly onClose: () => void;
}

function CallDialog({ call: listed, onClose }: CallDialogProps) {
  const { value, error, isLoading, reload } = useLoaded(() => actionCall(listed.id), listed.id);
  const call = value ?? listed;
  const hasEnded = call.response_received_at !== null;
  usePolling(reload, !isLoading && !hasEnded);
  const ended = hasEnded ? `, ended ${shownTime(call.response_received_at)}` : "";
  return (
    <Dialog
      title="Call"
      isWide
      onClose={onClose}
      footer={
        <Button icon="refresh" onClick={reload}>
          Refresh
        </Button>
      }
    >
      {error !== null && <ErrorBox error={error} />}
      <p class="row">
        <CallBadge call={call} />
        <span class="muted">{`Called ${shownTime(call.created_at)}${ended}`}</span>
        {call.role !== null && (
          <span class="muted">
            Role <bdi>{call.role}</bdi>
          </span>
        )}
        <code class="muted">{call.id}</code>
      </p>
      <h3>Input</h3>
      <JsonBlock label="Input" value={call.input} />
      {call.status === "completed" && (
        <>
          <h3>Output</h3>
          <JsonBlock label="Output" value={call.output} />
        </>
      )}
      {call.status === "error" && (
        <ShownHeaders>
          {(shown) => (
            <>
              <h3>Errors</h3>
              <JsonBlock label="Errors" value={shown(call.errors)} />
            </>
          )}
        </ShownHeaders>
      )}
    </Dialog>
  );
}
