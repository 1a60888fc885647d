/**
 * JSON types of the payloads that the engine sends (`docs/how-to/event-triggers.md`, `docs/how-to/schedules.md`, `docs/how-to/actions.md`).
 */
import { type JsonMember, type JsonType, nullable } from "../dialects/json-type.ts";

const text: JsonType = { kind: "string" };
const literal = (value: string): JsonType => ({ kind: "literal", value });
const member = (name: string, type: JsonType): JsonMember => ({ name, type });
const object = (...members: readonly JsonMember[]): JsonType => ({ kind: "object", members });

const sharedTypes = {
  sessionVariables: { kind: "named", name: "SessionVariables" },
  traceContext: { kind: "named", name: "TraceContext" },
  deliveryInfo: { kind: "named", name: "DeliveryInfo" },
} as const satisfies Readonly<Record<string, JsonType>>;

/** @param isAsynchronous true for a payload without the client's GraphQL document */
export function actionPayload(
  name: string,
  input: JsonType,
  { isAsynchronous }: { isAsynchronous: boolean },
): JsonType {
  return object(
    member("action", object(member("name", literal(name)))),
    member("input", input),
    member("session_variables", sharedTypes.sessionVariables),
    member("request_query", isAsynchronous ? { kind: "null" } : text),
  );
}

/** An event of one operation; `MANUAL` is sent by an administrator. */
export interface EventVariant {
  readonly operation: "INSERT" | "UPDATE" | "DELETE" | "MANUAL";
  readonly old: JsonType;
  readonly new: JsonType;
}

export interface EventPayloadParts {
  readonly trigger: string;
  readonly table: { readonly schema: string; readonly name: string };
  readonly variants: readonly EventVariant[];
}

export function eventPayload({ trigger, table, variants }: EventPayloadParts): JsonType {
  const events = variants.map((variant) =>
    object(
      member("op", literal(variant.operation)),
      member("data", object(member("old", variant.old), member("new", variant.new))),
      // Not every database kind records the session of a change.
      { ...member("session_variables", nullable(sharedTypes.sessionVariables)), optional: true },
      { ...member("trace_context", nullable(sharedTypes.traceContext)), optional: true },
    ),
  );
  const [only] = events;
  return object(
    member("id", text),
    member("created_at", { kind: "string", format: "timestamp" }),
    member("trigger", object(member("name", literal(trigger)))),
    member("table", object(member("schema", literal(table.schema)), member("name", literal(table.name)))),
    member("event", events.length === 1 && only ? only : { kind: "union", of: events }),
    member("delivery_info", sharedTypes.deliveryInfo),
  );
}

export function cronPayload(name: string, payload: JsonType): JsonType {
  return object(
    member("id", { kind: "string", format: "uuid" }),
    member("name", literal(name)),
    member("scheduled_time", { kind: "string", format: "timestamptz" }),
    member("payload", payload),
    { ...member("comment", text), optional: true },
  );
}
