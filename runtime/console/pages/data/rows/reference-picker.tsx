/** Text field for a foreign key that suggests rows of the referenced table. */
import { useEffect, useId, useState } from "preact/hooks";
import { cellText } from "../../../parts/cell-text.ts";
import { findReferenced, type Reference, type ReferencedRow } from "./editors.ts";

/** Attributes that the surrounding field or cell sets. */
interface ControlAttributes {
  readonly id?: string;
  readonly class: string;
  readonly "aria-label"?: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby"?: string;
  readonly "aria-required"?: boolean;
  readonly placeholder?: string;
  readonly spellcheck: boolean;
  readonly disabled?: boolean;
}

export interface InputProps {
  /** `null` shows the empty control with its placeholder. */
  readonly value: string | null;
  readonly onInput: (value: string) => void;
  readonly control: ControlAttributes;
}

/** Delay of a search after a keystroke, in milliseconds. */
const searchDelay = 150;

export function ReferencePicker({ reference, ...props }: InputProps & { readonly reference: Reference }) {
  const { value, onInput, control } = props;
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<readonly ReferencedRow[] | null>(null);
  const [active, setActive] = useState(-1);
  const id = useId();
  const text = value ?? "";
  useEffect(() => {
    if (!isOpen) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      // Without suggestions the field still accepts a key.
      findReferenced(reference, text, abort.signal).then(setFound, () => !abort.signal.aborted && setFound([]));
    }, searchDelay);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isOpen, text]);
  const choose = (row: ReferencedRow): void => {
    onInput(row.key);
    setOpen(false);
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = found?.length ?? 0;
    const chosen = found?.[active];
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count > 0) {
      setOpen(true);
      setActive((active + (event.key === "ArrowDown" ? 1 : count - 1) + (active < 0 ? count : 0)) % count);
    } else if (event.key === "Enter" && isOpen && chosen) choose(chosen);
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span class="reference-picker">
      <input
        {...control}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(isOpen && active >= 0 && { "aria-activedescendant": `${id}-${active}` })}
        type="text"
        value={text}
        autocomplete="off"
        onInput={(event) => {
          setOpen(true);
          setActive(-1);
          onInput(event.currentTarget.value);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-list`}
        class="reference-list"
        role="listbox"
        hidden={!isOpen || found === null}
        aria-label={`Rows of ${reference.table.table.name}`}
      >
        {found?.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys of its list
          <div
            key={row.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The list must not take the focus, which closes it.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(row)}
          >
            <bdi class="code">{cellText(row.key)}</bdi>
            {row.label !== null && <bdi class="muted">{cellText(row.label)}</bdi>}
          </div>
        ))}
        {found?.length === 0 && (
          <div role="option" tabIndex={-1} aria-selected="false" aria-disabled="true" class="muted">
            No rows found
          </div>
        )}
      </div>
    </span>
  );
}
