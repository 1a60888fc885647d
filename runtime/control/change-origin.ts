/** Origin of a metadata change, for the history: the caller and the types of the operations. */
import { isObject } from "../values/is-object.ts";
import type { Session } from "../values/session.ts";

export interface ChangeOrigin {
  /** `null` for a change that the server makes by itself. */
  readonly role: string | null;
  /** Session variable `x-engine-user-id` of the caller; `null` without it. */
  readonly user: string | null;
  /** Types of the operations as in the request, each once, without those of bulks. */
  readonly operations: readonly string[];
}

export const unknownOrigin: ChangeOrigin = { role: null, user: null, operations: [] };

/** Limits of what the history stores of a request. */
const maxOperations = 20;
const maxTextLength = 200;

/** @param body a valid request of `/v1/metadata`, `/v1/query` or `/v2/query` */
export function originOf(body: unknown, { role, variables }: Session): ChangeOrigin {
  const types = new Set<string>();
  collectTypes(body, types);
  return {
    role: role.slice(0, maxTextLength),
    user: variables.get("x-engine-user-id")?.slice(0, maxTextLength) ?? null,
    operations: [...types].slice(0, maxOperations),
  };
}

function collectTypes(body: unknown, types: Set<string>): void {
  if (!isObject(body) || typeof body.type !== "string") return;
  if (!isBulk(body.type)) types.add(body.type.slice(0, maxTextLength));
  else if (Array.isArray(body.args)) for (const item of body.args) collectTypes(item, types);
}

const isBulk = (type: string): boolean => type === "concurrent_bulk" || type.startsWith("bulk");
