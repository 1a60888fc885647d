/** Pager of a table's rows, which counts them and goes to a row by its number. */
import { useState } from "preact/hooks";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { TextField } from "../../../parts/field.tsx";
import { Pager, rangeText } from "../../../parts/pager.tsx";
import type { Paging } from "./keyset.ts";
import type { LoadedRows, RowCount, RowsPage } from "./use-rows.ts";

interface RowsPagerProps {
  readonly loaded: LoadedRows;
  readonly paging: Paging;
  readonly pageSize: number;
}

export function RowsPager({ loaded, paging, pageSize }: RowsPagerProps) {
  const [isJumping, setJumping] = useState(false);
  const { page, count, isLoading, goTo } = loaded;
  if (!page) return null;
  const { rows, hasPrevious, hasNext } = page;
  const from = firstPosition(page, count);
  const goPrevious = (): void => {
    const [row] = rows;
    if (paging.isKeyset && row) goTo({ kind: "before", row });
    else goTo({ kind: "at", offset: Math.max(0, (from ?? 1) - 1 - pageSize) });
  };
  const goNext = (): void => {
    const row = rows.at(-1);
    if (paging.isKeyset && row) goTo({ kind: "after", row });
    else goTo({ kind: "at", offset: (from ?? 1) - 1 + rows.length });
  };
  const goLast = (): void => {
    if (paging.order.length > 0 && paging.isKeyset) goTo({ kind: "last" });
    else goTo({ kind: "at", offset: Math.max(0, (count?.value ?? 0) - pageSize) });
  };
  const canGoLast = hasNext && (paging.isKeyset || count?.isExact === true);
  return (
    <>
      <Pager
        label="Pages of rows"
        position={positionText(page, count)}
        onFirst={hasPrevious ? () => goTo({ kind: "first" }) : null}
        onPrevious={hasPrevious && !isLoading ? goPrevious : null}
        onNext={hasNext && !isLoading ? goNext : null}
        onLast={canGoLast ? goLast : null}
        beside={
          count &&
          !count.isExact && (
            <Button kind="quiet" onClick={loaded.countExactly} title="Count all rows, which may take a while">
              Count
            </Button>
          )
        }
      >
        <Button
          kind="quiet"
          onClick={() => setJumping(true)}
          unavailable={!hasPrevious && !hasNext && "All rows are shown."}
        >
          Go to row
        </Button>
      </Pager>
      {isJumping && (
        <JumpDialog
          onJump={(offset) => {
            setJumping(false);
            goTo({ kind: "at", offset });
          }}
          onClose={() => setJumping(false)}
        />
      )}
    </>
  );
}

/** Returns the position of the page's first row; `null` if unknown. */
function firstPosition({ rows, from, hasNext }: RowsPage, count: RowCount | null): number | null {
  if (!hasNext && count?.isExact) return count.value - rows.length + 1;
  return from;
}

function positionText(page: RowsPage, count: RowCount | null): string {
  const { length } = page.rows;
  const from = firstPosition(page, count);
  // A role without aggregations has no count, but its last page ends the rows.
  const end = page.hasNext || from === null ? "…" : (from + length - 1).toLocaleString();
  const total = count === null ? end : `${count.isExact ? "" : "about "}${count.value.toLocaleString()}`;
  if (length === 0) return `0 of ${count?.isExact === false ? "0" : total} rows`;
  if (from === null) return `Last ${length.toLocaleString()} of ${total} rows`;
  return `${rangeText(from, length)} of ${total} rows`;
}

function JumpDialog({ onJump, onClose }: { readonly onJump: (offset: number) => void; readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const jump = (): void => {
    const position = Number(text.replaceAll(/[\s,.']/g, ""));
    if (Number.isSafeInteger(position) && position > 0) onJump(position - 1);
    else setError("Enter a number from 1.");
  };
  return (
    <Dialog
      title="Go to row"
      onClose={onClose}
      onSubmit={jump}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Go
          </Button>
        </>
      }
    >
      <TextField
        label="Number of the row"
        value={text}
        onInput={(next) => {
          setText(next);
          setError(null);
        }}
        error={error}
        hint="In the current order, beginning with 1. High numbers take longer than the next page."
      />
    </Dialog>
  );
}
