/** Button that redelivers the failed events of the selected time. */
import type { TimeRange } from "../../http/automation-api.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { notify } from "../../parts/toast.tsx";
import { shownTime } from "./invocations.tsx";

interface RedeliverFailedProps {
  readonly title: string;
  /** Sentence in the dialog. */
  readonly effect: string;
  readonly redeliver: () => Promise<{ readonly redelivered_events: number }>;
  readonly onDone: () => void;
}

export function RedeliverFailed({ title, effect, redeliver, onDone }: RedeliverFailedProps) {
  const confirm = async (): Promise<void> => {
    const { redelivered_events: count } = await redeliver();
    notify(count === 1 ? "Queued 1 event for redelivery" : `Queued ${count} events for redelivery`);
    onDone();
  };
  return (
    <ConfirmButton label="Redeliver failed events" title={title} onConfirm={confirm}>
      <p>{effect}</p>
    </ConfirmButton>
  );
}

/** Returns a clause about the range, such as ` that was created before …`; empty without limits. */
export function rangeText({ from, to }: TimeRange, verb: string): string {
  const texts = [from && `from ${shownTime(from)}`, to && `before ${shownTime(to)}`].filter((text) => text);
  return texts.length === 0 ? "" : ` that ${verb} ${texts.join(" and ")}`;
}
