/** The events of an event trigger: waiting, delivered and failed, and each with its calls. */
import { useState } from "preact/hooks";
import {
  redeliverEvent,
  redeliverFailed,
  type TriggerEvent,
  type TriggerEventStatus,
  type TriggerPlace,
  triggerEvent,
  triggerEvents,
} from "../../http/automation-api.ts";
import { jsonText } from "../../http/json.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { tell } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useRefreshed } from "../../parts/use-refreshed.ts";
import { Invocations, shownTime, triesText } from "./invocations.tsx";
import { LogTable } from "./log-table.tsx";

/** The last calls of an event that are shown. */
const mostCalls = 50;

type Selection = "all" | TriggerEventStatus;

const selections = [
  { value: "all", label: "All events" },
  { value: "pending", label: "Waiting" },
  { value: "processed", label: "Delivered or failed" },
] as const;

function EventBadge({ event }: { readonly event: TriggerEvent }) {
  if (event.delivered) return <span class="badge good">delivered</span>;
  if (event.error) return <span class="badge bad">failed</span>;
  if (event.archived) return <span class="badge">left out</span>;
  if (event.locked !== null) return <span class="badge accent">being delivered</span>;
  return <span class="badge warn">{event.tries > 0 ? "will be tried again" : "waiting"}</span>;
}

export function TriggerEvents({ place }: { readonly place: TriggerPlace }) {
  const [shown, setShown] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const columns: readonly Column<TriggerEvent>[] = [
    {
      key: "details",
      title: <span class="visually-hidden">Details</span>,
      width: 52,
      cell: ({ id }) => <IconButton icon="search" label="Look at this event" onClick={() => setShown(id)} />,
    },
    { key: "state", title: "State", width: 150, cell: (event) => <EventBadge event={event} /> },
    { key: "created", title: "Made at", width: 170, cell: ({ created_at }) => shownTime(created_at) },
    { key: "tries", title: "Tries", width: 60, align: "end", cell: ({ tries }) => tries },
    { key: "next", title: "Next try", width: 170, cell: ({ next_retry_at }) => shownTime(next_retry_at) },
    { key: "payload", title: "Payload", cell: ({ payload }) => <bdi>{cellText(jsonText(payload))}</bdi> },
  ];
  const redeliverAll = async (): Promise<void> => {
    const { redelivered_events: count } = await redeliverFailed(place);
    tell(count === 1 ? "1 event will be delivered again." : `${count} events will be delivered again.`);
    setTurn((before) => before + 1);
  };
  return (
    <>
      <LogTable<TriggerEvent, Selection>
        label="Events"
        columns={columns}
        keyOf={({ id }) => id}
        selections={selections}
        load={(selection, page) => triggerEvents(place, selection === "all" ? null : selection, page)}
        empty="There are no events."
        turn={turn}
        actions={
          <ConfirmButton
            label="Redeliver all that failed"
            title="Deliver all failed events again?"
            onConfirm={redeliverAll}
          >
            <p>The webhook is called for each of them as if it were new.</p>
          </ConfirmButton>
        }
      />
      {shown !== null && (
        <EventDialog
          place={place}
          id={shown}
          onClose={() => {
            setShown(null);
            setTurn((before) => before + 1);
          }}
        />
      )}
    </>
  );
}

interface EventDialogProps {
  readonly place: TriggerPlace;
  readonly id: string;
  readonly onClose: () => void;
}

function EventDialog({ place, id, onClose }: EventDialogProps) {
  const { value, error, isLoading, reload } = useLoaded(() => triggerEvent(place, id, mostCalls), id);
  const [failure, setFailure] = useState<unknown>(null);
  useRefreshed(reload, !isLoading);
  const redeliver = async (): Promise<void> => {
    setFailure(null);
    try {
      await redeliverEvent(place, id);
      tell("The event will be delivered again.");
    } catch (thrown) {
      setFailure(thrown);
    }
    reload();
  };
  return (
    <Dialog
      title="Event"
      isWide
      onClose={onClose}
      footer={
        <>
          <Button icon="refresh" onClick={reload}>
            Refresh
          </Button>
          <Button kind="primary" icon="run" disabled={!value} onClick={() => void redeliver()}>
            Redeliver
          </Button>
        </>
      }
    >
      {failure !== null && <ErrorBox error={failure} />}
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading what="the event" />}
      {value && (
        <>
          <p class="row">
            <EventBadge event={value.event} />
            <span class="muted">{`made ${shownTime(value.event.created_at)}, ${triesText(value.event.tries)}`}</span>
            <code class="muted">{value.event.id}</code>
          </p>
          <h3>Payload</h3>
          <JsonBlock label="Payload" value={value.event.payload} />
          <h3>Calls of the webhook</h3>
          <Invocations invocations={value.invocations} />
        </>
      )}
    </Dialog>
  );
}
