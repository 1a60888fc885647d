/** Button with a menu of actions. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  readonly label: string;
  /** Reason why the action is unavailable, as a sentence; false if it is available. */
  readonly unavailable?: string | false;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** Accessible name. */
  readonly label: string;
  /** Visible name. */
  readonly text: string;
  readonly icon?: IconName;
  readonly items: readonly MenuItem[];
}

export function Menu({ label, text, icon, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const itemsIn = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  useLayoutEffect(() => {
    if (!isOpen) return;
    keepInside(list.current);
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
        {icon && <Icon name={icon} />}
        <span>{text}</span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <div class="menu-items" role="menu" aria-label={label} ref={list}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              class="menu-item"
              tabIndex={-1}
              {...(item.unavailable
                ? { "aria-disabled": true, title: item.unavailable }
                : {
                    onClick: () => {
                      close();
                      item.onSelect();
                    },
                  })}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Distance from the edges of the window, in pixels. */
const margin = 8;

/** Moves a menu that would be cut off by the window. */
function keepInside(element: HTMLElement | null): void {
  if (!element) return;
  const { left, right } = element.getBoundingClientRect();
  const shift = left < margin ? margin - left : Math.min(0, innerWidth - margin - right);
  if (shift !== 0) element.style.translate = `${shift}px 0`;
}
