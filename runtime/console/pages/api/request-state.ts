/** What the API page would send: kept while the tab is open, except headers, which may be secret. */
import { computed, effect, signal } from "@preact/signals";
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";

export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

const key = "engine-console-request";

interface Kept {
  readonly query: string;
  readonly variables: string;
  readonly role: string;
}

function readKept(): Kept {
  const empty: Kept = { query: "", variables: "", role: "" };
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(key) ?? "{}") };
  } catch {
    return empty;
  }
}

const kept = readKept();

export const query = signal(kept.query);
/** JSON text; empty: none. */
export const variables = signal(kept.variables);
/** Empty: admin. */
export const role = signal(kept.role);
export const headers = signal<readonly HeaderRow[]>([]);
/** Which operation of several; `null`: the first. */
export const operationName = signal<string | null>(null);

effect(() => {
  const text = JSON.stringify({ query: query.value, variables: variables.value, role: role.value });
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Too long to be kept.
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

/** The operation that would run. */
export const operation = computed<OperationDefinitionNode | null>(() => {
  const named = operations.value.find(({ name }) => name?.value === operationName.value);
  return named ?? operations.value[0] ?? null;
});

/** Role and headers as they are sent. */
export const sentHeaders = computed<Readonly<Record<string, string>>>(() => {
  const found: Record<string, string> = {};
  if (role.value !== "") found["x-engine-role"] = role.value;
  for (const { name, value } of headers.value) if (name.trim() !== "") found[name.trim().toLowerCase()] = value;
  return found;
});

/** @throws Error that says what is wrong with the variables */
export function readVariables(): unknown {
  if (variables.value.trim() === "") return undefined;
  try {
    return JSON.parse(variables.value);
  } catch (error) {
    throw new Error(`The variables are not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Puts an operation into the editor, in place of what is there. @param taken without a role: that of now stays */
export function takeUp(taken: { readonly query: string; readonly variables: string; readonly role?: string }): void {
  query.value = taken.query;
  variables.value = taken.variables;
  if (taken.role !== undefined) role.value = taken.role;
}
