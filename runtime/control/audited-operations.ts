/**
 * Describes a request of an administrator for the audit log: the types of its operations and the names of the objects
 * that they change. Only members that contain names are read, so that no value of a secret can enter the log.
 */
import type { DecodedCall } from "../../compiler/metadata/dispatch.ts";
import { isObject } from "../values/is-object.ts";

interface AuditedOperation {
  readonly type: string;
  /** Member of the arguments → name. */
  readonly objects: Readonly<Record<string, string>>;
}

export interface AuditedRequest {
  /** The first operations, without bulks. */
  readonly operations: readonly AuditedOperation[];
  readonly count: number;
}

/** Limits of what is stored of a request. */
const maxOperations = 100;
const maxTextLength = 200;

/** Returns a text of limited length without characters that PostgreSQL cannot store: NUL and halves of surrogate pairs. */
export const storedText = (text: string): string => text.slice(0, maxTextLength).replace(/[\0\p{Surrogate}]/gu, "");

/** Members of arguments that contain names of objects. */
const nameMembers = [
  ...["name", "source", "table", "function", "role", "role_name", "type", "action", "relationship", "remote_schema"],
  ...["collection", "collection_name", "query_name", "operation_name", "trigger_name", "event_trigger_name"],
  ...["event_id", "kind", "permission", "computed_field", "logical_model", "native_query", "stored_procedure"],
];

/** Operations that change rows of the metadata database, and are not marked as writes. */
const otherChanges: ReadonlySet<string> = new Set(["create_scheduled_event", "delete_scheduled_event"]);

/** @param body a valid request, from which `call` was decoded */
export function auditedRequest(body: unknown, call: DecodedCall): AuditedRequest {
  const operations = [...changesOf(body, call)];
  return { operations: operations.slice(0, maxOperations), count: operations.length };
}

function* changesOf(body: unknown, call: DecodedCall): Iterable<AuditedOperation> {
  if (!isObject(body) || typeof body.type !== "string") return;
  if (call.effect === "bulk") {
    const items = Array.isArray(body.args) ? body.args : [];
    for (const [index, item] of call.items.entries()) yield* changesOf(items[index], item);
    return;
  }
  const changes =
    call.effect === "change" || (call.effect === "io" && (call.writes === true || otherChanges.has(call.operation)));
  if (changes) yield { type: storedText(body.type), objects: namesIn(body.args) };
}

function namesIn(args: unknown): Readonly<Record<string, string>> {
  if (!isObject(args)) return typeof args === "string" ? { name: storedText(args) } : {};
  const names = nameMembers.flatMap((member) => {
    const name = nameOf(args[member]);
    return name === undefined ? [] : [[member, storedText(name)] as const];
  });
  return Object.fromEntries(names);
}

/** Returns a name, or the parts of a qualified name with dots; `undefined` for any other value. */
function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value) || typeof value.name !== "string") return undefined;
  return typeof value.schema === "string" ? `${value.schema}.${value.name}` : value.name;
}
