/** Tabs with arrow key navigation, which can be closed and renamed if the page allows it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface Tab<T extends string> {
  readonly name: T;
  readonly label: ComponentChildren;
}

interface TabsProps<T extends string> {
  /** Accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly current: T;
  readonly onChange: (name: T) => void;
  /** Content of the current tab. */
  readonly children: ComponentChildren;
  /** Content at the end of the tab row. */
  readonly aside?: ComponentChildren;
  /** Closes a tab: by its mark, the middle mouse button or the Delete key. */
  readonly onClose?: (name: T) => void;
  /** Renames a tab: by a double click or F2. */
  readonly onRename?: (name: T) => void;
}

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

export function Tabs<T extends string>({ label, tabs, current, onChange, children, aside, ...more }: TabsProps<T>) {
  const { onClose, onRename } = more;
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  // On narrow screens, the tabs scroll horizontally.
  useEffect(() => {
    row.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  const focus = (name: T | undefined): void => document.getElementById(`${id}-${name}`)?.focus();
  const close = (name: T): void => {
    const hasFocus = row.current?.contains(document.activeElement) ?? false;
    onClose?.(name);
    // The tab that is shown next has the focus then.
    if (hasFocus) requestAnimationFrame(() => row.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = { Delete: onClose && close, F2: onRename }[event.key];
    if (act) {
      event.preventDefault();
      act(current);
      return;
    }
    const step = steps[event.key];
    const index = tabs.findIndex(({ name }) => name === current);
    const next = step ? tabs[step(index, tabs.length)] : undefined;
    if (!next) return;
    event.preventDefault();
    onChange(next.name);
    focus(next.name);
  };
  return (
    <div class="tabs">
      <div class="tab-row">
        <div class="tab-list" role="tablist" tabIndex={-1} aria-label={label} ref={row} onKeyDown={onKeyDown}>
          {tabs.map(({ name, label: text }) => (
            <button
              key={name}
              id={`${id}-${name}`}
              type="button"
              role="tab"
              class="tab"
              aria-selected={name === current}
              {...(name === current && { "aria-controls": `${id}-panel` })}
              tabIndex={name === current ? 0 : -1}
              {...(onClose && { "aria-keyshortcuts": onRename ? "Delete F2" : "Delete" })}
              onClick={(event) => {
                if (event.target instanceof Element && event.target.closest(".tab-close")) close(name);
                else onChange(name);
              }}
              onAuxClick={(event) => {
                if (onClose && event.button === 1) close(name);
              }}
              onDblClick={() => onRename?.(name)}
            >
              {text}
              {onClose && (
                <span class="tab-close" aria-hidden="true" title="Close (Delete)">
                  <Icon name="close" />
                </span>
              )}
            </button>
          ))}
        </div>
        {aside && <div class="tab-aside">{aside}</div>}
      </div>
      <div id={`${id}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  );
}
