/** Invocation log of an event trigger, newest first. */
import { useState } from "preact/hooks";
import { type Invocation, type TriggerLocation, triggerInvocations } from "../../http/automation-api.ts";
import { jsonText } from "../../http/json.ts";
import { cellText } from "../../parts/cell-text.ts";
import type { Column } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { InvocationTexts, StatusBadge, shownTime } from "./invocations.tsx";
import { LogTable } from "./log-table.tsx";

const selections = [{ value: "all", label: "All invocations" }] as const;

export function TriggerCalls({ location }: { readonly location: TriggerLocation }) {
  const [shown, setShown] = useState<Invocation | null>(null);
  const columns: readonly Column<Invocation>[] = [
    { key: "status", title: "Status", width: 110, cell: (call) => <StatusBadge invocation={call} /> },
    { key: "created", title: "Time", width: 170, cell: ({ created_at }) => shownTime(created_at) },
    { key: "response", title: "Response", cell: ({ response }) => <bdi>{cellText(jsonText(response))}</bdi> },
  ];
  return (
    <>
      <LogTable<Invocation, "all">
        label="Invocations"
        columns={columns}
        keyOf={({ id }) => id}
        opener={{ label: "View invocation", open: setShown }}
        selections={selections}
        load={(_selection, page) => triggerInvocations(location, page)}
        empty="No invocations yet"
      />
      {shown && (
        <Dialog title="Webhook invocation" isWide onClose={() => setShown(null)}>
          <p class="row">
            <StatusBadge invocation={shown} />
            <span class="muted">{shownTime(shown.created_at)}</span>
          </p>
          <InvocationTexts invocation={shown} />
        </Dialog>
      )}
    </>
  );
}
