/** Temporary notifications, announced by screen readers, and optionally with a button that undoes the reported change. */

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { messageOf } from "../../values/message-of.ts";
import { Icon } from "./icon.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  readonly undo?: () => Promise<unknown>;
}

export interface NotifyOptions {
  /** Reverts the change. The notification then has an *Undo* button. A rejection is shown. */
  readonly undo?: () => Promise<unknown>;
}

const shown = signal<readonly Toast[]>([]);
let last = 0;

const milliseconds = 5000;

/** Longer, because the user has to decide. */
const undoMilliseconds = 12_000;

export function notify(text: string, { undo }: NotifyOptions = {}): void {
  add({ text, isError: false, ...(undo && { undo }) }, undo ? undoMilliseconds : milliseconds);
}

function add(toast: Omit<Toast, "id">, duration: number): void {
  last += 1;
  const id = last;
  shown.value = [...shown.value, { id, ...toast }];
  setTimeout(() => remove(id), duration);
}

function remove(id: number): void {
  shown.value = shown.value.filter((toast) => toast.id !== id);
}

async function runUndo({ id, text, undo }: Toast): Promise<void> {
  remove(id);
  try {
    await undo?.();
    notify(`Undone: ${text}`);
  } catch (thrown) {
    const reason = messageOf(thrown);
    add({ text: `Not undone: ${reason}`, isError: true }, undoMilliseconds);
  }
}

let list: HTMLElement | null = null;

/** Moves the notifications above all dialogs. The element shown last is at the top. */
export function raiseToasts(): void {
  if (!list?.isConnected || typeof list.showPopover !== "function") return;
  if (list.matches(":popover-open")) list.hidePopover();
  list.showPopover();
}

export function Toasts() {
  const element = useRef<HTMLDivElement>(null);
  const toasts = shown.value;
  useLayoutEffect(() => {
    list = element.current;
    raiseToasts();
  }, [toasts]);
  return (
    <div class="toasts" ref={element} role="status" aria-live="polite" popover="manual">
      {toasts.map((toast) => (
        <div key={toast.id} class={toast.isError ? "toast toast-bad" : "toast"}>
          <Icon name={toast.isError ? "warning" : "check"} />
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" class="button quiet" onClick={() => void runUndo(toast)}>
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
