/** Request of the API page. It is kept in session storage, except for its headers, which may be secret. */
import { computed, effect, signal } from "@preact/signals";
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";

export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

const key = "engine-console-request";

interface SavedRequest {
  readonly query: string;
  readonly variables: string;
  readonly role: string;
}

function readSavedRequest(): SavedRequest {
  const empty: SavedRequest = { query: "", variables: "", role: "" };
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(key) ?? "{}") };
  } catch {
    return empty;
  }
}

const saved = readSavedRequest();

export const query = signal(saved.query);
/** JSON text; empty for none. */
export const variables = signal(saved.variables);
/** Empty for admin. */
export const role = signal(saved.role);
export const headers = signal<readonly HeaderRow[]>([]);
/** Name of the operation to run; `null` for the first. */
export const operationName = signal<string | null>(null);

effect(() => {
  const text = JSON.stringify({ query: query.value, variables: variables.value, role: role.value });
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Too long for session storage.
  }
});

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

/** Headers to send, including the role. */
export const sentHeaders = computed<Readonly<Record<string, string>>>(() => {
  const found: Record<string, string> = {};
  if (role.value !== "") found["x-engine-role"] = role.value;
  for (const { name, value } of headers.value) if (name.trim() !== "") found[name.trim().toLowerCase()] = value;
  return found;
});

/** @throws Error if the variables are not valid JSON */
export function readVariables(): unknown {
  if (variables.value.trim() === "") return undefined;
  try {
    return JSON.parse(variables.value);
  } catch (error) {
    throw new Error(`The variables are not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Replaces the operation in the editor. Without a role in `request`, the selected role stays. */
export function openInEditor(request: {
  readonly query: string;
  readonly variables: string;
  readonly role?: string;
}): void {
  query.value = request.query;
  variables.value = request.variables;
  if (request.role !== undefined) role.value = request.role;
}
