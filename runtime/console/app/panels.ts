/** Dialogs that every page has, and the keys that open them. */
import { signal } from "@preact/signals";

type Panel = "palette" | "keyboard" | "settings" | "changes";

/** `null` if none is open. */
export const openedPanel = signal<Panel | null>(null);

const isMac = /mac/i.test(navigator.platform);

/** Returns the panel that a key opens. Ctrl+K deletes to the end of the line on macOS, so Cmd+K is the key there. */
export function shortcutOf(event: KeyboardEvent): Panel | null {
  const { key, altKey, shiftKey } = event;
  const hasModifier = isMac ? event.metaKey : event.ctrlKey;
  if (key.toLowerCase() === "k" && hasModifier && !altKey && !shiftKey) return "palette";
  const isPlain = !event.ctrlKey && !event.metaKey && !altKey;
  return key === "?" && isPlain && !isTyping(event.target) ? "keyboard" : null;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
