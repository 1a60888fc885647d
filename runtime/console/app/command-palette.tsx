/** Dialog that finds pages, tables, saved operations, commands and documentation by name. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { loadMetadata, metadata } from "../state/metadata.ts";
import { type Command, docsCommands, fixedCommands, found, metadataCommands } from "./commands.ts";

interface CommandPaletteProps {
  readonly onClose: () => void;
  /** Text to search for at first. */
  readonly initial?: string;
}

export function CommandPalette({ onClose, initial = "" }: CommandPaletteProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const search = useSignal(initial);
  const at = useSignal(0);
  const docs = useSignal<readonly Command[]>([]);
  useLayoutEffect(() => {
    const shown = element.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useEffect(() => {
    if (!metadata.value) void loadMetadata();
    void docsCommands().then((loaded) => {
      docs.value = loaded;
    });
  }, []);
  const known = useMemo(() => [...fixedCommands(), ...metadataCommands(), ...docs.value], [metadata.value, docs.value]);
  const shown = useMemo(() => found(known, search.value), [known, search.value]);
  const current = Math.min(at.value, shown.length - 1);
  useEffect(() => {
    element.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [current, shown]);
  const run = (command: Command): void => {
    onClose();
    command.run();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = shown[current];
    if (step !== undefined && shown.length > 0) at.value = (current + step + shown.length) % shown.length;
    else if (event.key === "Enter" && chosen && !event.isComposing) run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={element}
      class="dialog palette"
      aria-label="Search and run commands"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="palette-head">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(current >= 0 && { "aria-activedescendant": `${id}-${current}` })}
          placeholder="Search tables, operations, pages, commands and documentation"
          autocomplete="off"
          spellcheck={false}
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={press}
        />
      </div>
      <div class="palette-list" id={`${id}-list`} role="listbox" aria-label="Found">
        {shown.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
          <div
            key={each.key}
            id={`${id}-${index}`}
            class="palette-row"
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => run(each)}
            onPointerMove={() => {
              at.value = index;
            }}
          >
            <Icon name={each.icon} />
            <bdi class="palette-text">{each.text}</bdi>
            {each.note && <bdi class="palette-note">{each.note}</bdi>}
            <span class="palette-group">{each.group}</span>
          </div>
        ))}
      </div>
      <p class={shown.length === 0 ? "palette-empty" : "visually-hidden"} role="status">
        {shown.length === 0 ? "No matches. Search by the name of a table, page or operation." : `${shown.length} found`}
      </p>
    </dialog>
  );
}
