/** Events of an event trigger, each with its invocations. */
import { useState } from "preact/hooks";
import {
  type EventSelection,
  redeliverEvent,
  redeliverFailed,
  type TriggerEvent,
  type TriggerLocation,
  triggerEvent,
  triggerEvents,
} from "../../http/automation-api.ts";
import { jsonText } from "../../http/json.ts";
import { Button } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
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
import { RedeliverFailed, rangeText } from "./redeliver-failed.tsx";
import { RetryGraph } from "./retry-graph.tsx";

/** Number of invocations shown per event, newest first. */
const maxInvocations = 50;

type Selection = "all" | "pending" | "delivered" | "failed";

const selections = [
  { value: "all", label: "All events" },
  { value: "pending", label: "Pending" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
] as const;

const filters: Readonly<Record<Selection, EventSelection>> = {
  all: null,
  pending: { status: "pending" },
  delivered: { outcome: "delivered" },
  failed: { outcome: "error" },
};

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
    { key: "state", title: "Status", width: 150, cell: (event) => <EventBadge event={event} /> },
    { key: "created", title: "Created at", width: 170, cell: ({ created_at }) => shownTime(created_at) },
    { key: "tries", title: "Attempts", width: 100, align: "end", cell: ({ tries }) => tries },
    { key: "next", title: "Next attempt", width: 170, cell: ({ next_retry_at }) => shownTime(next_retry_at) },
    { key: "payload", title: "Payload", cell: ({ payload }) => <bdi>{cellText(jsonText(payload))}</bdi> },
  ];
  return (
    <>
      <LogTable<TriggerEvent, Selection>
        label="Events"
        columns={columns}
        keyOf={({ id }) => id}
        opener={{ label: "View event", open: ({ id }) => setShown(id) }}
        selections={selections}
        hasTimes
        load={(selection, page) => triggerEvents(location, filters[selection], page)}
        empty="No events"
        reloadCount={reloadCount}
        actions={(range) => (
          <RedeliverFailed
            title={`Redeliver failed events of ${location.name}?`}
            effect={`The webhook is called again for each failed event${rangeText(range, "was created")}.`}
            redeliver={() => redeliverFailed(location, range)}
            onDone={() => setReloadCount((before) => before + 1)}
          />
        )}
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
          <Button
            kind="primary"
            icon="run"
            unavailable={!value && "The event is not loaded."}
            onClick={() => void redeliver()}
          >
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
          <RetryGraph start={value.event.created_at} next={value.event.next_retry_at} invocations={value.invocations} />
          <h3>Payload</h3>
          <JsonBlock label="Payload" value={value.event.payload} />
          <h3>Webhook invocations</h3>
          <Invocations invocations={value.invocations} />
        </>
      )}
    </Dialog>
  );
}
