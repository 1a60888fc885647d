/** One-off events, or those of a cron trigger: due, delivered and failed. */
import { useState } from "preact/hooks";
import {
  deleteScheduledEvent,
  type ScheduledEvent,
  type ScheduledStatus,
  type ScheduleOfEvents,
  scheduledEvents,
  scheduledInvocations,
} from "../../http/automation-api.ts";
import { jsonText } from "../../http/json.ts";
import { IconButton } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { tell } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Invocations, shownTime, triesText } from "./invocations.tsx";
import { LogTable } from "./log-table.tsx";

/** The last calls of an event that are shown. */
const mostCalls = 50;

type Selection = "due" | "failed" | "delivered" | "all";

const selections = [
  { value: "due", label: "Due" },
  { value: "failed", label: "Failed" },
  { value: "delivered", label: "Delivered" },
  { value: "all", label: "All events" },
] as const;

const statuses: Readonly<Record<Selection, readonly ScheduledStatus[]>> = {
  due: ["scheduled", "locked"],
  failed: ["error", "dead"],
  delivered: ["delivered"],
  all: [],
};

const badges: Readonly<Record<ScheduledStatus, { readonly look: string; readonly text: string }>> = {
  scheduled: { look: "warn", text: "due" },
  locked: { look: "accent", text: "being delivered" },
  delivered: { look: "good", text: "delivered" },
  error: { look: "bad", text: "failed" },
  dead: { look: "bad", text: "too late" },
};

function StateBadge({ event: { status } }: { readonly event: ScheduledEvent }) {
  const { look, text } = badges[status];
  return <span class={`badge ${look}`}>{text}</span>;
}

export function ScheduledEvents({ schedule }: { readonly schedule: ScheduleOfEvents }) {
  const [shown, setShown] = useState<ScheduledEvent | null>(null);
  const [turn, setTurn] = useState(0);
  const columns: readonly Column<ScheduledEvent>[] = [
    {
      key: "details",
      title: <span class="visually-hidden">Details</span>,
      width: 52,
      cell: (event) => <IconButton icon="search" label="Look at this event" onClick={() => setShown(event)} />,
    },
    { key: "state", title: "State", width: 140, cell: (event) => <StateBadge event={event} /> },
    { key: "time", title: "Due at", width: 190, cell: ({ scheduled_time }) => shownTime(scheduled_time) },
    { key: "tries", title: "Tries", width: 60, align: "end", cell: ({ tries }) => tries },
    { key: "next", title: "Next try", width: 190, cell: ({ next_retry_at }) => shownTime(next_retry_at) },
    ...(schedule.type === "one_off" ? ofOneOff : []),
  ];
  const close = (): void => {
    setShown(null);
    setTurn((before) => before + 1);
  };
  return (
    <>
      <LogTable<ScheduledEvent, Selection>
        label="Events"
        columns={columns}
        keyOf={({ id }) => id}
        selections={selections}
        // What is due next stands first, of the rest what was last.
        load={(selection, page) =>
          scheduledEvents(schedule, statuses[selection], selection === "due" ? "asc" : "desc", page)
        }
        empty="There are no such events."
        turn={turn}
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
  const { value, error } = useLoaded(() => scheduledInvocations(schedule, event.id, mostCalls), event.id);
  const remove = async (): Promise<void> => {
    await deleteScheduledEvent(schedule, event.id);
    tell("The event is deleted.");
    onClose();
  };
  return (
    <Dialog
      title="Event"
      isWide
      onClose={onClose}
      footer={
        <ConfirmButton label="Delete" icon="remove" title="Delete this event?" onConfirm={remove}>
          <p>It goes with the log of its calls. One that is due will not be delivered.</p>
        </ConfirmButton>
      }
    >
      <p class="row">
        <StateBadge event={event} />
        <span class="muted">{`due ${shownTime(event.scheduled_time)}, ${triesText(event.tries)}`}</span>
        <code class="muted">{event.id}</code>
      </p>
      {event.payload !== undefined && (
        <>
          <h3>Payload</h3>
          <JsonBlock label="Payload" value={event.payload} />
        </>
      )}
      <h3>Calls of the webhook</h3>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading what="the calls" />}
      {value && <Invocations invocations={value} />}
    </Dialog>
  );
}
