/**
 * Tabs of operations in the local storage, each under its own key, so that a damaged one, or another window, affects no
 * other. They contain no headers and no tokens.
 */

export interface OperationTab {
  /** Time of its creation and a random part: ids sort by age. */
  readonly id: string;
  /** Chosen name; `null` for a name that is derived from the operation. */
  readonly name: string | null;
  readonly query: string;
  /** JSON text. */
  readonly variables: string;
}

export const maxTabs = 30;

/** Maximum length of the text of one stored tab, in characters. */
export const maxTextLength = 200_000;

export const maxNameLength = 80;

const prefix = "engine-console-operation-";
const idPattern = /^\d{13}-[a-z0-9]{1,8}$/;

export function newTab(content: Partial<Omit<OperationTab, "id">> = {}): OperationTab {
  const id = `${Date.now()}-${Math.random().toString(36).slice(2, 8) || "0"}`;
  return { id, name: null, query: "", variables: "", ...content };
}

export const isBlank = ({ name, query, variables }: OperationTab): boolean =>
  name === null && query.trim() === "" && variables.trim() === "";

/** Returns the stored tabs by age, the newest 30 if there are more. Damaged entries are ignored. */
export function readTabs(storage: Storage): readonly OperationTab[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  return keys
    .sort()
    .flatMap((key) => readEntry(key, storage.getItem(key)) ?? [])
    .slice(-maxTabs);
}

/** Returns the tab of an entry; `null` for other entries and damaged ones. */
export function readEntry(key: string, text: string | null): OperationTab | null {
  const id = idOfKey(key);
  if (id === null || text === null || text.length > 3 * maxTextLength) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { name = null, query, variables } = value as Readonly<Record<string, unknown>>;
  if (typeof query !== "string" || typeof variables !== "string") return null;
  return { id, name: typeof name === "string" ? name.slice(0, maxNameLength) : null, query, variables };
}

/** Returns the id of the tab that a key belongs to. */
export function idOfKey(key: string): string | null {
  const id = key.startsWith(prefix) ? key.slice(prefix.length) : "";
  return idPattern.test(id) ? id : null;
}

/** Stores a tab, or removes a blank one. Returns the reason if it is not stored. */
export function writeTab(storage: Storage, tab: OperationTab): string | null {
  const { id, ...content } = tab;
  if (isBlank(tab)) {
    removeTab(storage, id);
    return null;
  }
  if (tab.query.length + tab.variables.length > maxTextLength) {
    return `longer than ${maxTextLength.toLocaleString()} characters`;
  }
  try {
    storage.setItem(prefix + id, JSON.stringify(content));
    return null;
  } catch {
    return "the storage of the browser is full";
  }
}

export const removeTab = (storage: Storage, id: string): void => storage.removeItem(prefix + id);

/** Returns the chosen name, the name of the first operation, or its first field. */
export function titleOf({ name, query }: OperationTab): string {
  if (name !== null) return name;
  const text = query.slice(0, 2000).replace(/#.*/g, "");
  const [, operation] = /\b(?:query|mutation|subscription)\s+(\w+)/.exec(text) ?? [];
  const [, field] = /\{\s*(\w+)/.exec(text) ?? [];
  return operation ?? field ?? "Untitled";
}
