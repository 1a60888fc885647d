/** Tabs with arrow key navigation. */
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

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
}

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

export function Tabs<T extends string>({ label, tabs, current, onChange, children, aside }: TabsProps<T>) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    const index = tabs.findIndex(({ name }) => name === current);
    const next = step ? tabs[step(index, tabs.length)] : undefined;
    if (!next) return;
    event.preventDefault();
    onChange(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
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
              onClick={() => onChange(name)}
            >
              {text}
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
