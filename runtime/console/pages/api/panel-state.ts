/** The panel beside the editor, which the browser remembers, and the visited pages of the schema's documentation. */
import { signal } from "@preact/signals";

export const panelNames = ["explorer", "documentation"] as const;
export type PanelName = (typeof panelNames)[number];

const key = "engine-console-api-panel";

/** Narrower windows begin without a panel. */
const minWidth = 1200;

const stored = localStorage.getItem(key);
const initial = stored === null && innerWidth >= minWidth ? "explorer" : stored;

/** `null` if no panel is open. */
export const openedPanel = signal<PanelName | null>(panelNames.find((name) => name === initial) ?? null);

export function showPanel(name: PanelName | null): void {
  openedPanel.value = name;
  localStorage.setItem(key, name ?? "none");
}

/** A page of the documentation: a type, or one of its fields. */
export interface Entry {
  /** `null` for the start page. */
  readonly type: string | null;
  readonly field?: string;
}

const start: Entry = { type: null };

/** Visited pages; the last one is shown. */
export const visited = signal<readonly Entry[]>([start]);

export function showDocumentation(entry: Entry): void {
  const last = visited.value.at(-1) ?? start;
  if (last.type !== entry.type || last.field !== entry.field) visited.value = [...visited.value, entry];
  showPanel("documentation");
}

export function goBack(): void {
  if (visited.value.length > 1) visited.value = visited.value.slice(0, -1);
}
