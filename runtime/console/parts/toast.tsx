/** Temporary notifications, announced by screen readers. */
import { signal } from "@preact/signals";
import { Icon } from "./icon.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
}

const shown = signal<readonly Toast[]>([]);
let last = 0;

const milliseconds = 5000;

export function notify(text: string): void {
  last += 1;
  const id = last;
  shown.value = [...shown.value, { id, text }];
  setTimeout(() => {
    shown.value = shown.value.filter((toast) => toast.id !== id);
  }, milliseconds);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text }) => (
        <div key={id} class="toast">
          <Icon name="check" />
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
