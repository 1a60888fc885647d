/** Changes of tools for assistants as metadata operations, and the checks of their form. */
import type { Operation } from "../../http/metadata-api.ts";
import type { AgentTool } from "../../http/metadata-types.ts";

export interface ToolDraft {
  readonly collection: string;
  /** Name of the saved operation. */
  readonly query: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `null` for every role that can run the operation. */
  readonly roles: readonly string[] | null;
  /** Scopes separated by spaces. */
  readonly scopes: string;
  /** Texts of numbers; empty for the default. */
  readonly limits: Readonly<Record<LimitName, string>>;
  readonly comment: string;
}

const limitNames = ["rows", "bytes", "seconds"] as const;
export type LimitName = (typeof limitNames)[number];

export const limitBounds: Readonly<Record<LimitName, { readonly standard: number; readonly maximum: number }>> = {
  rows: { standard: 1000, maximum: 1_000_000 },
  bytes: { standard: 262_144, maximum: 67_108_864 },
  seconds: { standard: 30, maximum: 3600 },
};

const noLimits: ToolDraft["limits"] = { rows: "", bytes: "", seconds: "" };

export const newDraft = (collection: string, query: string): ToolDraft => ({
  collection,
  query,
  name: suggestedName(query),
  title: "",
  description: "",
  roles: null,
  scopes: "",
  limits: noLimits,
  comment: "",
});

export function draftOf(tool: AgentTool): ToolDraft {
  const { name, title = "", description = "", definition, roles = null, scopes = [], limits = {}, comment = "" } = tool;
  const { collection_name: collection, query_name: query } = definition.query;
  const texts = limitNames.map((each) => [each, limits[each] === undefined ? "" : String(limits[each])]);
  return {
    ...{ collection, query, name, title, description, roles, comment },
    scopes: scopes.join(" "),
    limits: { ...noLimits, ...Object.fromEntries(texts) },
  };
}

const maxNameLength = 64;

/** Returns a name for a new tool: that of its operation, with underscores for other signs: `BooksByAuthor` → `books_by_author`. */
export const suggestedName = (query: string): string =>
  query
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, maxNameLength);

/** Returns the reason that the server would refuse the name; `null` if there is none. An empty field is required. */
export function nameProblem(name: string, others: readonly string[]): string | null {
  if (name === "") return null;
  if (name.length > maxNameLength) return `A name has at most ${maxNameLength} characters.`;
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) return "A name contains only letters, digits, underscores, dots and hyphens.";
  return others.includes(name) ? `There is a tool ${name} already.` : null;
}

const scopesOf = (text: string): readonly string[] => text.split(/\s+/).filter((scope) => scope !== "");

export function scopesProblem(text: string): string | null {
  const scopes = scopesOf(text);
  const wrong = scopes.find((scope) => !/^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope));
  if (wrong !== undefined) return `A scope contains no quotes, backslashes or letters outside of ASCII: ${wrong}`;
  const repeated = scopes.find((scope, at) => scopes.indexOf(scope) !== at);
  return repeated === undefined ? null : `The scope ${repeated} occurs twice.`;
}

export function limitProblem(name: LimitName, text: string): string | null {
  if (text.trim() === "") return null;
  const { maximum } = limitBounds[name];
  const isValid = /^\d{1,9}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= maximum;
  return isValid ? null : `Enter a whole number from 1 to ${maximum.toLocaleString()}, or leave empty.`;
}

export function creation(draft: ToolDraft): Operation {
  const { collection, query, name, title, description, roles, comment } = draft;
  const scopes = scopesOf(draft.scopes);
  const limits = limitNames.flatMap((each) => {
    const text = draft.limits[each].trim();
    return text === "" ? [] : [[each, Number(text)] as const];
  });
  return {
    type: "create_agent_tool",
    args: {
      name,
      ...(title !== "" && { title }),
      ...(description !== "" && { description }),
      definition: { query: { collection_name: collection, query_name: query } },
      ...(roles !== null && { roles }),
      ...(scopes.length > 0 && { scopes }),
      ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
      ...(comment !== "" && { comment }),
    },
  };
}

export const deletion = (name: string): Operation => ({ type: "drop_agent_tool", args: { name } });

/** Returns one change: `bulk` applies all of its operations or none. */
export const replacement = (before: string, draft: ToolDraft): Operation => ({
  type: "bulk",
  args: [deletion(before), creation(draft)],
});

/** Returns the roles that may gain or lose the tool; `undefined` for all roles. */
export function concernedRoles(draft: ToolDraft, before: AgentTool | null): readonly string[] | undefined {
  if (draft.roles === null || (before !== null && before.roles === undefined)) return undefined;
  return [...new Set([...draft.roles, ...(before?.roles ?? [])])];
}
