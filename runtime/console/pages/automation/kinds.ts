/** What can be defined here: the operation that saves it, and the fields that a form has for it. */
import { type Operation, prefixOf } from "../../http/metadata-api.ts";
import type { EventTrigger, Json, JsonObject, Source, Table } from "../../http/metadata-types.ts";
import { sourceNamed } from "../../state/metadata.ts";
import { valueAt } from "./json-paths.ts";

interface FieldBase {
  readonly label: string;
  /** In the arguments of the operation. */
  readonly path: readonly string[];
  readonly hint?: string;
  /** It cannot be another one later. */
  readonly isFixed?: boolean;
}

export type DefinitionField =
  | (FieldBase & { readonly kind: "text" | "number" | "json" | "headers"; readonly isRequired?: boolean })
  /** @param on what stands there where it is ticked, and nothing else */
  | (FieldBase & { readonly kind: "check"; readonly on: Json })
  /** The first is what an absent one means. */
  | (FieldBase & { readonly kind: "choice"; readonly choices: readonly string[] });

export type KindName = "event" | "cron" | "one-off" | "action" | "remote-schema";

export interface DefinitionKind {
  readonly name: KindName;
  /** In a sentence: `an event trigger`. */
  readonly title: string;
  readonly initial: JsonObject;
  readonly fields: readonly DefinitionField[];
  /** Where a transform of requests is in the arguments; absent: there is none. */
  readonly transform?: readonly string[];
  /** Where the address of the webhook is. */
  readonly address: readonly string[];
  readonly save: (args: JsonObject, isNew: boolean) => Operation;
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const retries: readonly DefinitionField[] = [{ label: "Retries", path: ["retry_conf", "num_retries"], kind: "number" }];

const headers: DefinitionField = { label: "Headers", path: ["headers"], kind: "headers" };
const comment: DefinitionField = { label: "Comment", path: ["comment"], kind: "text" };

const allColumns: Json = { columns: "*" };
const templateHint = "{{NAME}} stands for an environment variable.";

export const kinds: readonly DefinitionKind[] = [
  {
    name: "event",
    title: "event trigger",
    initial: {
      name: "",
      source: "default",
      table: { schema: "", name: "" },
      webhook: "",
      insert: allColumns,
      retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
    },
    fields: [
      { label: "Name", path: ["name"], kind: "text", isRequired: true, isFixed: true },
      { label: "Source", path: ["source"], kind: "text", isRequired: true, isFixed: true },
      { label: "Schema", path: ["table", "schema"], kind: "text", isRequired: true, isFixed: true },
      { label: "Table", path: ["table", "name"], kind: "text", isRequired: true, isFixed: true },
      { label: "Webhook", path: ["webhook"], kind: "text", hint: templateHint },
      { label: "when rows are inserted", path: ["insert"], kind: "check", on: allColumns },
      { label: "when rows are updated", path: ["update"], kind: "check", on: allColumns },
      { label: "when rows are deleted", path: ["delete"], kind: "check", on: allColumns },
      { label: "by hand", path: ["enable_manual"], kind: "check", on: true },
      ...retries,
      { label: "Seconds between tries", path: ["retry_conf", "interval_sec"], kind: "number" },
      { label: "Seconds for an answer", path: ["retry_conf", "timeout_sec"], kind: "number" },
      headers,
    ],
    transform: ["request_transform"],
    address: ["webhook"],
    save: (args, isNew) => ({
      type: `${prefixOf(sourceNamed(textOf(valueAt(args, ["source"])))?.kind ?? "postgres")}_create_event_trigger`,
      args: { ...args, replace: !isNew },
    }),
  },
  {
    name: "cron",
    title: "cron trigger",
    initial: { name: "", webhook: "", schedule: "0 3 * * *", include_in_metadata: true, payload: {} },
    fields: [
      { label: "Name", path: ["name"], kind: "text", isRequired: true, isFixed: true },
      {
        label: "Schedule",
        path: ["schedule"],
        kind: "text",
        isRequired: true,
        hint: "Minute, hour, day, month, weekday; in UTC.",
      },
      { label: "Time zone", path: ["timezone"], kind: "text", hint: "Of the schedule, such as Europe/Vienna." },
      { label: "Webhook", path: ["webhook"], kind: "text", isRequired: true, hint: templateHint },
      { label: "Part of exported metadata", path: ["include_in_metadata"], kind: "check", on: true },
      { label: "Payload", path: ["payload"], kind: "json" },
      ...retries,
      { label: "Seconds between tries", path: ["retry_conf", "retry_interval_seconds"], kind: "number" },
      { label: "Seconds for an answer", path: ["retry_conf", "timeout_seconds"], kind: "number" },
      headers,
      comment,
    ],
    transform: ["request_transform"],
    address: ["webhook"],
    save: (args, isNew) => ({
      type: "create_cron_trigger",
      args: { include_in_metadata: false, ...args, replace: !isNew },
    }),
  },
  {
    name: "one-off",
    title: "one-off event",
    initial: { webhook: "", schedule_at: "", payload: {} },
    fields: [
      { label: "Webhook", path: ["webhook"], kind: "text", isRequired: true, hint: templateHint },
      {
        label: "Time",
        path: ["schedule_at"],
        kind: "text",
        isRequired: true,
        hint: "As 2030-01-31T12:00:00Z. One that passed more than six hours ago is too late.",
      },
      { label: "Payload", path: ["payload"], kind: "json" },
      ...retries,
      { label: "Seconds between tries", path: ["retry_conf", "retry_interval_seconds"], kind: "number" },
      { label: "Seconds for an answer", path: ["retry_conf", "timeout_seconds"], kind: "number" },
      headers,
      comment,
    ],
    transform: ["request_transform"],
    address: ["webhook"],
    save: (args) => ({ type: "create_scheduled_event", args }),
  },
  {
    name: "action",
    title: "action",
    initial: { name: "", definition: { type: "query", handler: "", output_type: "", arguments: [] } },
    fields: [
      { label: "Name", path: ["name"], kind: "text", isRequired: true, isFixed: true },
      { label: "Handler", path: ["definition", "handler"], kind: "text", isRequired: true, hint: templateHint },
      { label: "Type", path: ["definition", "type"], kind: "choice", choices: ["mutation", "query"] },
      { label: "Kind", path: ["definition", "kind"], kind: "choice", choices: ["synchronous", "asynchronous"] },
      {
        label: "Type of the answer",
        path: ["definition", "output_type"],
        kind: "text",
        isRequired: true,
        hint: "One of the custom types, or a scalar.",
      },
      { label: "Arguments", path: ["definition", "arguments"], kind: "json", hint: '[{"name": "id", "type": "Int!"}]' },
      { label: "Seconds for an answer", path: ["definition", "timeout"], kind: "number" },
      {
        label: "The client's headers go along",
        path: ["definition", "forward_client_headers"],
        kind: "check",
        on: true,
      },
      { ...headers, path: ["definition", "headers"] },
      comment,
    ],
    transform: ["definition", "request_transform"],
    address: ["definition", "handler"],
    save: (args, isNew) => ({ type: isNew ? "create_action" : "update_action", args }),
  },
  {
    name: "remote-schema",
    title: "remote schema",
    initial: { name: "", definition: { url: "" } },
    fields: [
      { label: "Name", path: ["name"], kind: "text", isRequired: true, isFixed: true },
      { label: "URL", path: ["definition", "url"], kind: "text", hint: templateHint },
      { label: "Seconds for an answer", path: ["definition", "timeout_seconds"], kind: "number" },
      {
        label: "The client's headers go along",
        path: ["definition", "forward_client_headers"],
        kind: "check",
        on: true,
      },
      { label: "Its subscriptions are served", path: ["definition", "subscriptions"], kind: "check", on: true },
      { ...headers, path: ["definition", "headers"] },
      { label: "Customization", path: ["definition", "customization"], kind: "json" },
      comment,
    ],
    address: ["definition", "url"],
    save: (args, isNew) => ({ type: isNew ? "add_remote_schema" : "update_remote_schema", args }),
  },
];

export const kindNamed = (name: string | undefined): DefinitionKind | undefined =>
  kinds.find((kind) => kind.name === name);

/** The arguments that would make this trigger. */
export function argumentsOfTrigger(source: Source, { table }: Table, trigger: EventTrigger): JsonObject {
  const { definition, name, ...rest } = trigger;
  return { name, source: source.name, table: { ...table }, ...definition, ...(rest as JsonObject) };
}

/** As `withKeys`: only what the operation takes. */
export const argumentsOf = (found: {
  readonly name: string;
  readonly definition: JsonObject;
  readonly comment?: string;
}): JsonObject => ({
  name: found.name,
  definition: found.definition,
  ...(found.comment !== undefined && { comment: found.comment }),
});
