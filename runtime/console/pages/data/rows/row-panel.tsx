/** Panel next to the grid with all values of a row in full. It follows the active cell. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ColumnInfo, Row, TableInfo, TableLocation } from "../../../http/data-api.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { JsonBlock } from "../../../parts/json-block.tsx";
import { notify } from "../../../parts/toast.tsx";
import { clipboardText, foreignKeyOf, NotInApi, ReferenceLink } from "./cell-value.tsx";

interface RowPanelProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly row: Row;
  /** Column of the active cell, which is scrolled into view. */
  readonly column: string | null;
  /** Absent if the row cannot be edited. */
  readonly onEdit?: () => void;
  /** Explains access to the row, or to a cell of it. */
  readonly onWhy: (column?: string) => void;
  readonly onClose: () => void;
}

export function RowPanel({ location, info, row, column, onEdit, onWhy, onClose }: RowPanelProps) {
  const body = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const field = [...(body.current?.children ?? [])].find(
      (each) => each instanceof HTMLElement && each.dataset.column === column,
    );
    field?.scrollIntoView({ block: "nearest" });
  }, [column, row]);
  return (
    <section class="row-panel" aria-label="Row" onKeyDown={(event) => event.key === "Escape" && onClose()}>
      <header class="row-panel-head">
        <h2>Row</h2>
        <span class="grow" />
        <Button kind="quiet" icon="help" title="Explain which role sees this row" onClick={() => onWhy()}>
          Why?
        </Button>
        {onEdit && (
          <Button kind="quiet" icon="edit" onClick={onEdit}>
            Edit
          </Button>
        )}
        <IconButton icon="close" label="Close the row" onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section class="row-panel-body" ref={body} tabIndex={0} aria-label="Values of the row">
        {info.columns.map((each) => (
          <div
            key={each.name}
            class={each.name === column ? "full-value active" : "full-value"}
            data-column={each.name}
          >
            <FullValue location={location} info={info} column={each} row={row} onWhy={() => onWhy(each.name)} />
          </div>
        ))}
      </section>
    </section>
  );
}

interface FullValueProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly column: ColumnInfo;
  readonly row: Row;
  readonly onWhy: () => void;
}

/** Maximum length of a shown text in characters. */
const maxLength = 100_000;

function FullValue({ location, info, column, row, onWhy }: FullValueProps) {
  const { name, type } = column;
  const value = row[name];
  const reference = foreignKeyOf(info, name);
  const text = clipboardText(value);
  const isStructure = typeof value === "object" && value !== null && column.value !== "number";
  const copy = (): void => void navigator.clipboard?.writeText(text).then(() => notify("Copied"));
  return (
    <>
      <div class="value-head">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <span class="field-hint code">{type}</span>
        <span class="grow" />
        {reference && value !== null && <ReferenceLink location={location} reference={reference} row={row} />}
        <IconButton icon="help" label={`Why? Explain access to ${name}`} onClick={onWhy} />
        {value !== null && value !== undefined && <IconButton icon="copy" label={`Copy ${name}`} onClick={copy} />}
      </div>
      {value === undefined && <NotInApi />}
      {value === null && <span class="null">null</span>}
      {isStructure && <JsonBlock label={`Value of ${name}`} value={value} />}
      {!isStructure && value !== null && value !== undefined && (
        <div class="full-text">
          {text === "" ? <span class="null">empty text</span> : <bdi>{text.slice(0, maxLength)}</bdi>}
          {text.length > maxLength && (
            <p class="muted">{`First ${maxLength.toLocaleString()} of ${text.length.toLocaleString()} characters`}</p>
          )}
        </div>
      )}
    </>
  );
}
