/** Button with a menu of the parts that can be added to a filter. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";

export interface MenuItem {
  readonly label: string;
  readonly onSelect: () => void;
}

interface AddMenuProps {
  /** Accessible name. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

export function AddMenu({ label, items }: AddMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const itemsIn = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  useLayoutEffect(() => {
    if (!isOpen) return;
    itemsIn()[0]?.focus();
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    trigger.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const all = itemsIn();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) all[next % all.length]?.focus();
    else if (event.key === "Escape") close();
    else {
      if (event.key === "Tab") setOpen(false);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler receives keys of the buttons inside
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="button"
        ref={trigger}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="add" />
        <span>Add</span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <div class="menu-items" role="menu" aria-label={label}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              class="menu-item"
              tabIndex={-1}
              onClick={() => {
                close();
                item.onSelect();
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
