/** Editor inside a cell: Enter saves and moves down, Tab saves and moves on, Escape cancels, leaving the cell saves. */

import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../../values/message-of.ts";
import type { ColumnInfo } from "../../../http/data-api.ts";
import type { Json } from "../../../http/metadata-types.ts";
import type { Editor } from "./editors.ts";
import { editableText, type Typed, valueToSend } from "./row-values.ts";
import { ValueInput } from "./value-input.tsx";

/** Cell to move to after the change is saved. */
export type Move = "down" | "next" | "previous" | "stay";

interface CellEditorProps {
  readonly column: ColumnInfo;
  readonly editor: Editor;
  readonly value: unknown;
  /** Text that replaces the value, as typed on the cell; `null` for null, `undefined` to edit the value. */
  readonly seed: Typed;
  /** @throws Error if the change is not saved; the editor then stays open and shows the reason */
  readonly onSave: (value: Json) => Promise<void>;
  readonly onClose: (move: Move | null) => void;
}

/** Longer texts, and texts of several lines, have a text area. */
const maxLineLength = 80;

/** Returns an editor with one line for a short text, so that Enter saves it. */
function fitted(editor: Editor, value: unknown): Editor {
  const isShort = typeof value !== "string" || (value.length <= maxLineLength && !value.includes("\n"));
  return editor.kind === "long" && isShort ? { kind: "text" } : editor;
}

export function CellEditor({ column, editor: wanted, value, seed, onSave, onClose }: CellEditorProps) {
  const [typed, setTyped] = useState<Typed>(seed);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const isDone = useRef(false);
  const id = useId();
  const editor = fitted(wanted, value);
  const isNull = typed === null || (typed === undefined && value === null);
  const isLong = editor.kind === "long" || editor.kind === "json";
  useLayoutEffect(() => {
    const input = control(root.current);
    input?.focus();
    if (!(input instanceof HTMLSelectElement) && seed === undefined) input?.select();
  }, []);
  const save = async (move: Move): Promise<void> => {
    if (isDone.current || isSaving) return;
    try {
      const next = valueToSend(typed, column, false);
      if (next !== undefined && !(next === null && value === null)) {
        setSaving(true);
        await onSave(next);
      }
      isDone.current = true;
      onClose(move);
    } catch (thrown) {
      setSaving(false);
      setError(messageOf(thrown));
      control(root.current)?.focus();
    }
  };
  const cancel = (): void => {
    isDone.current = true;
    onClose(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    let isSubmitted = true;
    const isSubmit = event.key === "Enter" && (!isLong || event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (isSubmit) void save("down");
    else if (event.key === "Tab") void save(event.shiftKey ? "previous" : "next");
    else if (event.key === "Escape") cancel();
    else isSubmitted = false;
    if (isSubmitted) event.preventDefault();
    // Keys in the editor are not keys of the grid.
    event.stopPropagation();
  };
  const onFocusOut = (event: FocusEvent): void => {
    const isInside = event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget);
    // A cell with an error stays open, so that leaving it loses no text.
    if (!isInside && document.hasFocus() && error === null) void save("stay");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the input inside
    <span
      ref={root}
      class={isLong ? "cell-editor long" : "cell-editor"}
      aria-busy={isSaving}
      onKeyDown={onKeyDown}
      onFocusOut={onFocusOut}
    >
      <ValueInput
        editor={editor}
        type={column.type}
        value={isNull ? null : (typed ?? editableText(value, column))}
        onInput={(text) => {
          setTyped(text);
          setError(null);
        }}
        control={{
          class: "input code",
          "aria-label": `Value of ${column.name}`,
          "aria-invalid": error !== null,
          "aria-describedby": `${id}-about`,
          spellcheck: false,
          ...(isNull && { placeholder: "null" }),
        }}
      />
      {column.nullable && !isNull && (
        <button
          type="button"
          class="null-button"
          title="Set to null"
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            setTyped(null);
            setError(null);
          }}
        >
          Null
        </button>
      )}
      <span
        id={`${id}-about`}
        class={error === null ? "cell-hint" : "cell-hint bad"}
        role={error === null ? "note" : "alert"}
      >
        <bdi>{error ?? (isLong ? "Ctrl+Enter saves, Escape cancels" : "Enter saves, Escape cancels")}</bdi>
      </span>
    </span>
  );
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const control = (root: HTMLElement | null): Control | null =>
  root?.querySelector<Control>("input, select, textarea") ?? null;
