/** Bar below paged rows: their position, the page size of all pages of the console, and buttons that turn pages. */
import type { ComponentChildren } from "preact";
import { chooseRowsPerPage, pageSizes, rowsPerPage } from "../state/preferences.ts";
import { IconButton } from "./button.tsx";
import { SelectField } from "./field.tsx";
import type { IconName } from "./icon.tsx";

/** Turns to another page; `null` if there is none. */
type Turn = (() => void) | null;

interface PagerProps {
  /** Accessible name. */
  readonly label: string;
  /** Position of the shown rows, such as `1–50 of 240 rows`. */
  readonly position: string;
  /** Absent for rows whose first and last page have no button. */
  readonly onFirst?: Turn;
  readonly onPrevious: Turn;
  readonly onNext: Turn;
  readonly onLast?: Turn;
  /** Controls beside the position. */
  readonly beside?: ComponentChildren;
  /** Controls beside the buttons. */
  readonly children?: ComponentChildren;
}

export function Pager({ label, position, onFirst, onPrevious, onNext, onLast, beside, children }: PagerProps) {
  return (
    <nav class="pager" aria-label={label}>
      <span role="status" class="muted">
        {position}
      </span>
      {beside}
      <span class="grow" />
      <SelectField<string>
        label="Rows per page"
        isBare
        value={String(rowsPerPage.value)}
        choices={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
        onChange={(size) => chooseRowsPerPage(Number(size))}
      />
      {children}
      <span class="row pager-buttons">
        {onFirst !== undefined && <TurnButton icon="first" label="First page" turn={onFirst} />}
        <TurnButton icon="left" label="Previous page" turn={onPrevious} />
        <TurnButton icon="right" label="Next page" turn={onNext} />
        {onLast !== undefined && <TurnButton icon="last" label="Last page" turn={onLast} />}
      </span>
    </nav>
  );
}

const TurnButton = ({
  icon,
  label,
  turn,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly turn: Turn;
}) => <IconButton icon={icon} label={label} disabled={turn === null} onClick={() => turn?.()} />;

/** Returns a range of rows as text, such as `51–100`. @param length at least 1 */
export function rangeText(from: number, length: number): string {
  const first = from.toLocaleString();
  return length === 1 ? first : `${first}–${(from + length - 1).toLocaleString()}`;
}
