/** Log of one-off events or of a cron trigger's events. */
import { useState } from "preact/hooks";
import {
  deleteScheduledEvent,
  redeliverFailedScheduled,
  redeliverScheduledEvent,
  type ScheduledEvent,
  type ScheduledStatus,
  type ScheduleOfEvents,
  scheduledEvents,
  scheduledInvocations,
} from "../../http/automation-api.ts";
import { jsonText } from "../../http/json.ts";
import { Button } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useSubmission } from "../../parts/use-submission.ts";
import { Invocations, shownTime, triesText } from "./invocations.tsx";
import { LogTable } from "./log-table.tsx";
import { RedeliverFailed, rangeText } from "./redeliver-failed.tsx";
import { RetryGraph } from "./retry-graph.tsx";

/** Number of invocations shown per event, newest first. */
const maxInvocations = 50;

type Selection = "scheduled" | "failed" | "delivered" | "all";

const selections = [
  { value: "scheduled", label: "Scheduled" },
  { value: "failed", label: "Failed" },
  { value: "delivered", label: "Delivered" },
  { value: "all", label: "All events" },
] as const;

const statuses: Readonly<Record<Selection, readonly ScheduledStatus[]>> = {
  scheduled: ["scheduled", "locked"],
  failed: ["error", "dead"],
  delivered: ["delivered"],
  all: [],
};

const badges: Readonly<Record<ScheduledStatus, { readonly look: string; readonly text: string }>> = {
  scheduled: { look: "warn", text: "Scheduled" },
  locked: { look: "accent", text: "Delivering" },
  delivered: { look: "good", text: "Delivered" },
  error: { look: "bad", text: "Failed" },
  dead: { look: "bad", text: "Missed" },
};

function StateBadge({ event: { status } }: { readonly event: ScheduledEvent }) {
  const { look, text } = badges[status];
  return <span class={`badge ${look}`}>{text}</span>;
}

export function ScheduledEvents({ schedule }: { readonly schedule: ScheduleOfEvents }) {
  const [shown, setShown] = useState<ScheduledEvent | null>(null);
  const [reloadCount, setReloadCount] = useState(0);
  const columns: readonly Column<ScheduledEvent>[] = [
    { key: "state", title: "Status", width: 140, cell: (event) => <StateBadge event={event} /> },
    { key: "time", title: "Scheduled for (UTC)", width: 190, cell: ({ scheduled_time }) => shownTime(scheduled_time) },
    { key: "tries", title: "Attempts", width: 100, align: "end", cell: ({ tries }) => tries },
    { key: "next", title: "Next attempt (UTC)", width: 190, cell: ({ next_retry_at }) => shownTime(next_retry_at) },
    ...(schedule.type === "one_off" ? ofOneOff : []),
  ];
  const reload = (): void => setReloadCount((before) => before + 1);
  const close = (): void => {
    setShown(null);
    reload();
  };
  const owner = schedule.type === "cron" ? ` of ${schedule.trigger_name}` : "";
  return (
    <>
      <LogTable<ScheduledEvent, Selection>
        label="Events"
        columns={columns}
        keyOf={({ id }) => id}
        opener={{ label: "View event", open: setShown }}
        selections={selections}
        hasTimes
        // Scheduled events are sorted earliest first, other events latest first.
        load={(selection, page) =>
          scheduledEvents(schedule, statuses[selection], selection === "scheduled" ? "asc" : "desc", page)
        }
        empty="No events"
        reloadCount={reloadCount}
        actions={(range) => (
          <RedeliverFailed
            title={`Redeliver failed events${owner}?`}
            effect={`Each failed or missed event${rangeText(range, "was scheduled")} is delivered again.`}
            redeliver={() => redeliverFailedScheduled(schedule, range)}
            onDone={reload}
          />
        )}
      />
      {shown && <ScheduledEventDialog schedule={schedule} event={shown} onClose={close} />}
    </>
  );
}

const ofOneOff: readonly Column<ScheduledEvent>[] = [
  { key: "comment", title: "Comment", width: 160, cell: ({ comment }) => <bdi>{comment ?? ""}</bdi> },
  { key: "payload", title: "Payload", cell: ({ payload }) => <bdi>{cellText(jsonText(payload ?? null))}</bdi> },
];

interface ScheduledEventDialogProps {
  readonly schedule: ScheduleOfEvents;
  readonly event: ScheduledEvent;
  readonly onClose: () => void;
}

function ScheduledEventDialog({ schedule, event, onClose }: ScheduledEventDialogProps) {
  const { value, error } = useLoaded(() => scheduledInvocations(schedule, event.id, maxInvocations), event.id);
  const remove = async (): Promise<void> => {
    await deleteScheduledEvent(schedule, event.id);
    notify("Deleted the event");
    onClose();
  };
  const redelivery = useSubmission(async () => {
    await redeliverScheduledEvent(schedule, event.id);
    notify("Queued the event for redelivery");
    onClose();
  });
  const hasEnded = event.status !== "scheduled" && event.status !== "locked";
  return (
    <Dialog
      title="Event"
      isWide
      onClose={onClose}
      footer={
        <>
          <ConfirmButton label="Delete" icon="remove" title="Delete event?" onConfirm={remove}>
            <p>Its invocation log is deleted too. If the event is still pending, it will not be delivered.</p>
          </ConfirmButton>
          {hasEnded && (
            <Button kind="primary" icon="run" busy={redelivery.isBusy} onClick={() => void redelivery.submit()}>
              Redeliver
            </Button>
          )}
        </>
      }
    >
      {redelivery.error !== null && <ErrorBox error={redelivery.error} />}
      <p class="row">
        <StateBadge event={event} />
        <span class="muted">{`Scheduled for ${shownTime(event.scheduled_time)}, ${triesText(event.tries)}`}</span>
        <code class="muted">{event.id}</code>
      </p>
      {value && <RetryGraph start={event.scheduled_time} next={event.next_retry_at} invocations={value} />}
      {event.payload !== undefined && (
        <>
          <h3>Payload</h3>
          <JsonBlock label="Payload" value={event.payload} />
        </>
      )}
      <h3>Webhook invocations</h3>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading item="invocations" />}
      {value && <Invocations invocations={value} />}
    </Dialog>
  );
}
