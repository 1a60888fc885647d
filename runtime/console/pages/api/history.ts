/** Operations that ran, the last one first. Their headers are not kept. */
import { signal } from "@preact/signals";

export interface HistoryEntry {
  readonly query: string;
  readonly variables: string;
  readonly role: string;
  /** ISO 8601. */
  readonly at: string;
}

const key = "engine-console-history";
const most = 50;

function read(): readonly HistoryEntry[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export const history = signal<readonly HistoryEntry[]>(read());

function keep(entries: readonly HistoryEntry[]): void {
  history.value = entries;
  try {
    localStorage.setItem(key, JSON.stringify(entries));
  } catch {
    // There is no room: it is kept while the page is open.
  }
}

export function remember(entry: Omit<HistoryEntry, "at">): void {
  const others = history.value.filter(
    ({ query, variables, role }) => query !== entry.query || variables !== entry.variables || role !== entry.role,
  );
  keep([{ ...entry, at: new Date().toISOString() }, ...others].slice(0, most));
}

export const forgetAll = (): void => keep([]);
