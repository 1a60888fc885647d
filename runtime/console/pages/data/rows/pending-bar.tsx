/** Bar above the rows while edits are pending: their number, a review, and the buttons that save or discard them. */
import { useState } from "preact/hooks";
import type { TableInfo, TableLocation } from "../../../http/data-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { notify } from "../../../parts/toast.tsx";
import { useSubmission } from "../../../parts/use-submission.ts";
import { typedText } from "../typed-value.ts";
import {
  countText,
  type PendingEdits,
  pendingEdits,
  rowName,
  savePendingEdits,
  setPendingEdits,
  withoutRow,
} from "./pending-edits.ts";

interface PendingBarProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly onSaved: () => void;
}

export function PendingBar({ location, info, onSaved }: PendingBarProps) {
  const [isReviewing, setReviewing] = useState(false);
  const edits = pendingEdits(location);
  const { isBusy, error, submit } = useSubmission(async () => {
    await savePendingEdits(location, info);
    notify(`Saved ${countText(edits)}`);
    onSaved();
  });
  const discard = (): void => {
    setPendingEdits(location, new Map());
    notify(`Discarded ${countText(edits)}`, { undo: async () => setPendingEdits(location, edits) });
  };
  return (
    <>
      <section class="pending-bar" aria-label="Pending edits">
        <span role="status">{`${countText(edits)} not saved`}</span>
        <span class="grow" />
        <Button kind="quiet" onClick={() => setReviewing(true)}>
          Review
        </Button>
        <Button kind="quiet" onClick={discard}>
          Discard
        </Button>
        <Button kind="primary" icon="check" busy={isBusy} onClick={() => void submit()}>
          Save edits
        </Button>
      </section>
      {error !== null && !isReviewing && <ErrorBox error={error} />}
      {isReviewing && (
        <Review
          location={location}
          info={info}
          edits={edits}
          error={error}
          isBusy={isBusy}
          onSave={submit}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  );
}

interface ReviewProps extends Omit<PendingBarProps, "onSaved"> {
  readonly edits: PendingEdits;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
}

function Review({ location, info, edits, error, isBusy, onSave, onClose }: ReviewProps) {
  return (
    <Dialog
      title={`Pending edits of ${location.table.name}`}
      isWide
      onClose={onClose}
      onSubmit={onSave}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={isBusy} unavailable={edits.size === 0 && "There are no edits."}>
            Save edits
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="muted">All rows are saved in one transaction, or none.</p>
        {error !== null && <ErrorBox error={error} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section class="card table-card pending-list" tabIndex={0} aria-label="Edits">
          <table class="plain-table" aria-label="Edits">
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Column</th>
                <th scope="col">Loaded value</th>
                <th scope="col">New value</th>
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {[...edits].map(([key, { row, values, refusal }]) =>
                Object.entries(values).map(([column, value], at) => (
                  <tr key={`${key} ${column}`}>
                    <th scope="row">
                      <bdi>{rowName(row, info)}</bdi>
                      {at === 0 && refusal !== undefined && <div class="field-error">{`Refused: ${refusal}.`}</div>}
                    </th>
                    <td>
                      <bdi class="code">{column}</bdi>
                    </td>
                    <td>
                      <Value value={row[column]} />
                    </td>
                    <td>
                      <Value value={value} />
                    </td>
                    <td>
                      {at === 0 && (
                        <Button
                          kind="quiet"
                          title={`Discard the edits of the row ${rowName(row, info)}`}
                          onClick={() => setPendingEdits(location, withoutRow(edits, key))}
                        >
                          Discard
                        </Button>
                      )}
                    </td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </section>
      </div>
    </Dialog>
  );
}

/** Longer texts are cut off in the list. */
const maxLength = 200;

function Value({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <span class="null">null</span>;
  const text = typedText(value, "text");
  if (text === "") return <span class="null">empty text</span>;
  return <bdi>{text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}</bdi>;
}
