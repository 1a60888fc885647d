/**
 * Request of the API page, in tabs. Documents and variables are kept in local storage, the role and the current tab in
 * session storage. Headers and the token, which may be secret, are not kept.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import { messageOf } from "../../../values/message-of.ts";
import type { Caller } from "../../http/send.ts";
import { notify } from "../../parts/toast.tsx";
import {
  idOfKey,
  isBlank,
  maxTabs,
  newTab,
  type OperationTab,
  readEntry,
  readTabs,
  removeTab,
  titleOf,
  writeTab,
} from "./tab-store.ts";

export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

const key = "engine-console-request";

interface SavedRequest {
  readonly role: string;
  /** Id of the current tab. */
  readonly tab: string | null;
}

function readSavedRequest(): SavedRequest {
  try {
    const { role, tab } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    return { role: typeof role === "string" ? role : "", tab: typeof tab === "string" ? tab : null };
  } catch {
    return { role: "", tab: null };
  }
}

const saved = readSavedRequest();
const stored = readTabs(localStorage);
const opened = stored.find(({ id }) => id === saved.tab) ?? stored.at(-1) ?? newTab();

/** Tabs by age. The signals below have the content of the current one. */
const allTabs = signal<readonly OperationTab[]>(stored.length === 0 ? [opened] : stored);
export const currentTab = signal(opened.id);
export const query = signal(opened.query);
/** JSON text; empty for none. */
export const variables = signal(opened.variables);
/** Reason that the current tab is not stored; `null` if it is. */
export const notStored = signal<string | null>(null);

/** Empty for admin. */
export const role = signal(saved.role);
export const headers = signal<readonly HeaderRow[]>([]);
/** Text of a JSON Web Token; empty for none. */
export const token = signal("");
/** True if the token, instead of the admin secret, authenticates the request. */
export const usesToken = signal(false);
/** Name of the operation to run; `null` for the first. */
export const operationName = signal<string | null>(null);

effect(() => sessionStorage.setItem(key, JSON.stringify({ role: role.value, tab: currentTab.value })));

// Tabs.

export const tabs = computed<readonly OperationTab[]>(() =>
  allTabs.value.map((tab) =>
    tab.id === currentTab.value ? { ...tab, query: query.value, variables: variables.value } : tab,
  ),
);

effect(() => {
  const current = tabs.value.find(({ id }) => id === currentTab.value);
  if (current) notStored.value = writeTab(localStorage, current);
});

// Changes of other windows. The current tab keeps what the user sees.
addEventListener("storage", ({ key: changed, newValue }) => {
  const id = changed === null ? null : idOfKey(changed);
  if (changed === null || id === null || id === currentTab.value) return;
  const tab = readEntry(changed, newValue);
  allTabs.value = withTabs(
    allTabs.value.filter((each) => each.id !== id),
    tab ? [tab] : [],
  );
});

const withTabs = (before: readonly OperationTab[], added: readonly OperationTab[]): readonly OperationTab[] =>
  [...before, ...added].sort((a, b) => (a.id < b.id ? -1 : 1));

function show(all: readonly OperationTab[], tab: OperationTab): void {
  batch(() => {
    allTabs.value = all;
    currentTab.value = tab.id;
    query.value = tab.query;
    variables.value = tab.variables;
    operationName.value = null;
  });
}

export function selectTab(id: string): void {
  const tab = tabs.value.find((each) => each.id === id);
  if (tab && id !== currentTab.value) show(tabs.value, tab);
}

/** Opens a tab. Returns false if there are too many tabs, which a notification states. */
export function addTab(content: Partial<Omit<OperationTab, "id">> = {}): boolean {
  if (tabs.value.length >= maxTabs) {
    notify(`There are ${maxTabs} tabs. Close one to open another.`);
    return false;
  }
  const tab = newTab(content);
  show(withTabs(tabs.value, [tab]), tab);
  return true;
}

/** Closes a tab, with a notification that can open it again. The last tab is replaced by a blank one. */
export function closeTab(id: string): void {
  const index = tabs.value.findIndex((each) => each.id === id);
  const closed = tabs.value[index];
  if (!closed) return;
  const others = tabs.value.filter((each) => each !== closed);
  const rest = others.length === 0 ? [newTab()] : others;
  const next = rest[index] ?? rest.at(-1);
  if (id === currentTab.value && next) show(rest, next);
  else allTabs.value = rest;
  removeTab(localStorage, id);
  if (!isBlank(closed)) notify(`Closed the tab ${titleOf(closed)}`, { undo: async () => reopen(closed) });
}

function reopen(closed: OperationTab): void {
  const isLeft = (tab: OperationTab): boolean => tab.id === currentTab.value && isBlank(tab);
  show(
    withTabs(
      tabs.value.filter((tab) => !isLeft(tab)),
      [closed],
    ),
    closed,
  );
}

/** @param name empty for the name of the operation */
export function renameTab(id: string, name: string): void {
  const chosen = name.trim() === "" ? null : name.trim();
  allTabs.value = tabs.value.map((tab) => (tab.id === id ? { ...tab, name: chosen } : tab));
  const renamed = tabs.value.find((tab) => tab.id === id);
  if (renamed) writeTab(localStorage, renamed);
}

const document = computed<DocumentNode | null>(() => {
  try {
    return parse(query.value, { noLocation: true });
  } catch {
    return null;
  }
});

export const operations = computed<readonly OperationDefinitionNode[]>(() =>
  (document.value?.definitions ?? []).filter((each) => each.kind === Kind.OPERATION_DEFINITION),
);

/** The operation to run. */
export const operation = computed<OperationDefinitionNode | null>(() => {
  const named = operations.value.find(({ name }) => name?.value === operationName.value);
  return named ?? operations.value[0] ?? null;
});

/** The token to send; `null` if the admin secret authenticates the request. */
export const sentToken = computed(() => (usesToken.value && token.value !== "" ? token.value : null));

/** Headers to send, including the role. With a token, the server reads session variables from its claims only. */
export const sentHeaders = computed<Readonly<Record<string, string>>>(() => {
  const found: Record<string, string> = {};
  const isSent = (name: string): boolean =>
    name !== "" && (sentToken.value === null || !/^(?:authorization$|x-engine-)/.test(name));
  if (role.value !== "") found["x-engine-role"] = role.value;
  for (const { name, value } of headers.value) {
    const lower = name.trim().toLowerCase();
    if (isSent(lower)) found[lower] = value;
  }
  return found;
});

/** Identity that the request runs with. */
export const caller = computed<Caller>(() => ({ headers: sentHeaders.value, token: sentToken.value }));

/** @throws Error if the variables are not valid JSON */
export function readVariables(): unknown {
  if (variables.value.trim() === "") return undefined;
  try {
    return JSON.parse(variables.value);
  } catch (error) {
    throw new Error(`The variables are not valid JSON: ${messageOf(error)}`);
  }
}

/**
 * Opens an operation: in the tab that has it already, in the current tab if that is blank, or else in a new tab. Without
 * a role in `request`, the selected role stays.
 */
export function openInEditor(request: {
  readonly query: string;
  readonly variables: string;
  readonly role?: string;
}): void {
  const same = tabs.value.find((tab) => tab.query === request.query && tab.variables === request.variables);
  const current = tabs.value.find(({ id }) => id === currentTab.value);
  if (same) selectTab(same.id);
  else if (current && isBlank(current)) {
    query.value = request.query;
    variables.value = request.variables;
  } else if (!addTab({ query: request.query, variables: request.variables })) return;
  if (request.role !== undefined) role.value = request.role;
}
