/** Events of an event trigger, each with its invocations. */
import { useState } from "preact/hooks";
import {
  redeliverEvent,
  redeliverFailed,
  type TriggerEvent,
  type TriggerEventStatus,
  type TriggerLocation,
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
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { usePolling } from "../../parts/use-polling.ts";
import { Invocations, shownTime, triesText } from "./invocations.tsx";
import { LogTable } from "./log-table.tsx";

/** Number of invocations shown per event, newest first. */
const maxInvocations = 50;

type Selection = "all" | TriggerEventStatus;

const selections = [
  { value: "all", label: "All events" },
  { value: "pending", label: "Pending" },
  { value: "processed", label: "Delivered or failed" },
] as const;

function EventBadge({ event }: { readonly event: TriggerEvent }) {
  if (event.delivered) return <span class="badge good">Delivered</span>;
  if (event.error) return <span class="badge bad">Failed</span>;
  if (event.archived) return <span class="badge">Archived</span>;
  if (event.locked !== null) return <span class="badge accent">Delivering</span>;
  return <span class="badge warn">{event.tries > 0 ? "Retrying" : "Pending"}</span>;
}

export function TriggerEvents({ location }: { readonly location: TriggerLocation }) {
  const [shown, setShown] = useState<string | null>(null);
  const [reloadCount, setReloadCount] = useState(0);
  const columns: readonly Column<TriggerEvent>[] = [
    {
      key: "details",
      title: <span class="visually-hidden">Details</span>,
      width: 52,
      cell: ({ id }) => <IconButton icon="search" label="View event" onClick={() => setShown(id)} />,
    },
    { key: "state", title: "Status", width: 150, cell: (event) => <EventBadge event={event} /> },
    { key: "created", title: "Created at", width: 170, cell: ({ created_at }) => shownTime(created_at) },
    { key: "tries", title: "Attempts", width: 100, align: "end", cell: ({ tries }) => tries },
    { key: "next", title: "Next attempt", width: 170, cell: ({ next_retry_at }) => shownTime(next_retry_at) },
    { key: "payload", title: "Payload", cell: ({ payload }) => <bdi>{cellText(jsonText(payload))}</bdi> },
  ];
  const redeliverAll = async (): Promise<void> => {
    const { redelivered_events: count } = await redeliverFailed(location);
    notify(count === 1 ? "Queued 1 event for redelivery" : `Queued ${count} events for redelivery`);
    setReloadCount((before) => before + 1);
  };
  return (
    <>
      <LogTable<TriggerEvent, Selection>
        label="Events"
        columns={columns}
        keyOf={({ id }) => id}
        selections={selections}
        load={(selection, page) => triggerEvents(location, selection === "all" ? null : selection, page)}
        empty="No events"
        reloadCount={reloadCount}
        actions={
          <ConfirmButton label="Redeliver failed events" title="Redeliver failed events?" onConfirm={redeliverAll}>
            <p>The webhook is called again for each failed event.</p>
          </ConfirmButton>
        }
      />
      {shown !== null && (
        <EventDialog
          location={location}
          id={shown}
          onClose={() => {
            setShown(null);
            setReloadCount((before) => before + 1);
          }}
        />
      )}
    </>
  );
}

interface EventDialogProps {
  readonly location: TriggerLocation;
  readonly id: string;
  readonly onClose: () => void;
}

function EventDialog({ location, id, onClose }: EventDialogProps) {
  const { value, error, isLoading, reload } = useLoaded(() => triggerEvent(location, id, maxInvocations), id);
  const [failure, setFailure] = useState<unknown>(null);
  usePolling(reload, !isLoading);
  const redeliver = async (): Promise<void> => {
    setFailure(null);
    try {
      await redeliverEvent(location, id);
      notify("Queued the event for redelivery");
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
      {!value && error === null && <Loading item="event" />}
      {value && (
        <>
          <p class="row">
            <EventBadge event={value.event} />
            <span class="muted">{`Created ${shownTime(value.event.created_at)}, ${triesText(value.event.tries)}`}</span>
            <code class="muted">{value.event.id}</code>
          </p>
          <h3>Payload</h3>
          <JsonBlock label="Payload" value={value.event.payload} />
          <h3>Webhook invocations</h3>
          <Invocations invocations={value.invocations} />
        </>
      )}
    </Dialog>
  );
}
