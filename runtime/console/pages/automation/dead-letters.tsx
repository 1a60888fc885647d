/** Dead letters of all queues: failed events and calls with their reasons, and their replay. */
import { useState } from "preact/hooks";
import {
  type DeadLetter,
  type DeadLetterKind,
  deadLetters,
  replayFailed,
  replayLetter,
  type TimeRange,
} from "../../http/automation-api.ts";
import { cellText } from "../../parts/cell-text.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { notify } from "../../parts/toast.tsx";
import { shownTime } from "./invocations.tsx";
import { LogTable } from "./log-table.tsx";
import { rangeText } from "./redeliver-failed.tsx";

type Selection = "all" | DeadLetterKind;

const kindLabels: Readonly<Record<DeadLetterKind, string>> = {
  event: "Event trigger",
  cron: "Cron trigger",
  one_off: "One-off event",
  action: "Action",
};

const selections = [
  { value: "all", label: "All kinds" },
  { value: "event", label: "Event triggers" },
  { value: "cron", label: "Cron triggers" },
  { value: "one_off", label: "One-off events" },
  { value: "action", label: "Actions" },
] as const;

const reasonText = ({ reason: { status, message }, status: state }: DeadLetter): string => {
  const texts = [status === null ? "" : `HTTP ${status}`, message ?? (state === "dead" ? "Not attempted" : "")];
  return texts.filter((text) => text !== "").join(": ");
};

const columns: readonly Column<DeadLetter>[] = [
  { key: "kind", title: "Kind", width: 130, cell: ({ kind }) => kindLabels[kind] },
  { key: "name", title: "Name", width: 180, cell: ({ name }) => <bdi>{name ?? ""}</bdi> },
  { key: "created", title: "Time (UTC)", width: 190, cell: ({ created_at }) => shownTime(created_at) },
  { key: "tries", title: "Attempts", width: 90, cell: ({ tries }) => String(tries) },
  { key: "reason", title: "Reason", cell: (letter) => <bdi>{cellText(reasonText(letter))}</bdi> },
];

export function DeadLetters() {
  const [shown, setShown] = useState<DeadLetter | null>(null);
  const [selected, setSelected] = useState<Selection>("all");
  const [reloadCount, setReloadCount] = useState(0);
  const reload = (): void => setReloadCount((before) => before + 1);
  const replayAll = async (range: TimeRange): Promise<void> => {
    const { replayed } = await replayFailed(selected === "all" ? null : selected, range);
    notify(replayed === 1 ? "Queued 1 letter for delivery" : `Queued ${replayed} letters for delivery`);
    reload();
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Dead letters</h1>
      </div>
      <LogTable<DeadLetter, Selection>
        label="Dead letters"
        columns={columns}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        opener={{ label: "View letter", open: setShown }}
        selections={selections}
        hasTimes
        load={(selection, page) => {
          setSelected(selection);
          return deadLetters(selection === "all" ? null : selection, page);
        }}
        empty="No dead letters"
        reloadCount={reloadCount}
        actions={(range) => (
          <ConfirmButton label="Replay all" title="Replay dead letters" onConfirm={() => replayAll(range)}>
            <p>{`Delivers every letter of the selected kinds again${rangeText(range, "was created")}.`}</p>
          </ConfirmButton>
        )}
      />
      {shown && (
        <LetterDialog
          letter={shown}
          onClose={() => setShown(null)}
          onReplayed={() => {
            setShown(null);
            reload();
          }}
        />
      )}
    </div>
  );
}

interface LetterDialogProps {
  readonly letter: DeadLetter;
  readonly onClose: () => void;
  readonly onReplayed: () => void;
}

function LetterDialog({ letter, onClose, onReplayed }: LetterDialogProps) {
  const replay = async (): Promise<void> => {
    const { replayed } = await replayLetter(letter);
    notify(replayed === 1 ? "Queued the letter for delivery" : "The letter is not dead any more");
    onReplayed();
  };
  return (
    <Dialog
      title="Dead letter"
      isWide
      onClose={onClose}
      footer={
        <ConfirmButton label="Replay" title="Replay dead letter" onConfirm={replay}>
          <p>Delivers the letter again.</p>
        </ConfirmButton>
      }
    >
      <p class="row">
        <span class="badge bad">{kindLabels[letter.kind]}</span>
        {letter.name !== null && <bdi>{letter.name}</bdi>}
        {letter.source !== null && (
          <span class="muted">
            in <bdi>{letter.source}</bdi>
          </span>
        )}
        <span class="muted">{`Failed ${shownTime(letter.failed_at)}`}</span>
        <code class="muted">{letter.id}</code>
      </p>
      <h3>Reason</h3>
      <p>
        <bdi>{reasonText(letter)}</bdi>
      </p>
      <h3>Payload</h3>
      <JsonBlock label="Payload" value={letter.payload} />
    </Dialog>
  );
}
