/** Kinds of definitions with their form fields and the operation that saves them. */
import { type Operation, prefixOf } from "../../http/metadata-api.ts";
import type { EventTrigger, Json, JsonObject, QualifiedName, Source, Table } from "../../http/metadata-types.ts";
import { sourceNamed, sources } from "../../state/metadata.ts";
import { valueAt } from "./json-paths.ts";

interface FieldBase {
  readonly label: string;
  /** Path in the arguments of the operation. */
  readonly path: readonly string[];
  readonly hint?: string;
  /** True if the value cannot change after creation. */
  readonly isFixed?: boolean;
}

export type DefinitionField =
  | (FieldBase & {
      readonly kind: "text" | "number" | "json" | "headers" | "lines" | "instant";
      readonly isRequired?: boolean;
      /** Returns names that the field suggests, given the arguments of the operation. */
      readonly suggestions?: (args: JsonObject) => readonly string[];
    })
  /** `on` is the value while the box is checked; otherwise the member is absent. */
  | (FieldBase & { readonly kind: "check"; readonly on: Json })
  /** Columns of the table in the arguments. */
  | (FieldBase & { readonly kind: "columns" })
  /** The first choice is the default. */
  | (FieldBase & { readonly kind: "choice"; readonly choices: readonly string[] });

export type KindName = "event" | "cron" | "one-off" | "action" | "remote-schema";

export interface DefinitionKind {
  readonly name: KindName;
  /** Lower-case name, such as `event trigger`. */
  readonly title: string;
  readonly initial: JsonObject;
  readonly fields: readonly DefinitionField[];
  /** Path of the request transform in the arguments, if the kind has one. */
  readonly transform?: readonly string[];
  /** Path of the webhook URL in the arguments. */
  readonly address: readonly string[];
  /** Present if saving a definition can widen access: that of all roles, or of these. */
  readonly widens?: { readonly roles?: readonly string[] };
  /** Path of the cron expression in the arguments, if the kind has one. */
  readonly schedule?: readonly string[];
  readonly save: (args: JsonObject, isNew: boolean) => Operation;
}

/** Returns the tracked tables of the source in the arguments. */
const tablesIn = (args: JsonObject): readonly QualifiedName[] =>
  (sourceNamed(textOf(valueAt(args, ["source"])))?.tables ?? []).map(({ table }) => table);

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const retries: readonly DefinitionField[] = [{ label: "Retries", path: ["retry_conf", "num_retries"], kind: "number" }];

const headers: DefinitionField = { label: "Headers", path: ["headers"], kind: "headers" };
const comment: DefinitionField = { label: "Comment", path: ["comment"], kind: "text" };

const allColumns: Json = { columns: "*" };
const templateHint = "{{NAME}} is replaced by the environment variable NAME.";

export const actionKind: DefinitionKind = {
  name: "action",
  title: "action",
  initial: { definition: { handler: "" } },
  // The other members of the definition are in its SDL.
  fields: [
    { label: "Handler", path: ["definition", "handler"], kind: "text", isRequired: true, hint: templateHint },
    {
      label: "Kind",
      path: ["definition", "kind"],
      kind: "choice",
      choices: ["synchronous", "asynchronous"],
      hint: "Asynchronous mutations return an id at once; a query reads the result later.",
    },
    { label: "Timeout (seconds)", path: ["definition", "timeout"], kind: "number" },
    { label: "Retries of asynchronous calls (retry_conf)", path: ["definition", "retry_conf"], kind: "json" },
    comment,
    { label: "Forward client headers", path: ["definition", "forward_client_headers"], kind: "check", on: true },
    { ...headers, path: ["definition", "headers"] },
    {
      label: "Client headers that are not forwarded",
      path: ["definition", "ignored_client_headers"],
      kind: "lines",
      hint: "One name per line.",
    },
    { label: "Request transform", path: ["definition", "request_transform"], kind: "json" },
    { label: "Response transform", path: ["definition", "response_transform"], kind: "json" },
  ],
  transform: ["definition", "request_transform"],
  widens: {},
  address: ["definition", "handler"],
  save: (args, isNew) => ({ type: isNew ? "create_action" : "update_action", args }),
};

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
      {
        label: "Source",
        path: ["source"],
        kind: "text",
        isRequired: true,
        isFixed: true,
        suggestions: () => sources.value.map((source) => source.name),
      },
      {
        label: "Schema",
        path: ["table", "schema"],
        kind: "text",
        isRequired: true,
        isFixed: true,
        suggestions: (args) => [...new Set(tablesIn(args).map(({ schema }) => schema))],
      },
      {
        label: "Table",
        path: ["table", "name"],
        kind: "text",
        isRequired: true,
        isFixed: true,
        suggestions: (args) => {
          const schema = textOf(valueAt(args, ["table", "schema"]));
          return tablesIn(args).flatMap((table) => (table.schema === schema ? [table.name] : []));
        },
      },
      { label: "Webhook", path: ["webhook"], kind: "text", hint: templateHint },
      { label: "On insert", path: ["insert"], kind: "check", on: allColumns },
      { label: "On update", path: ["update"], kind: "check", on: allColumns },
      { label: "On delete", path: ["delete"], kind: "check", on: allColumns },
      { label: "Columns whose update fires the trigger", path: ["update", "columns"], kind: "columns" },
      { label: "Manual invocation", path: ["enable_manual"], kind: "check", on: true },
      ...retries,
      { label: "Retry interval (seconds)", path: ["retry_conf", "interval_sec"], kind: "number" },
      { label: "Timeout (seconds)", path: ["retry_conf", "timeout_sec"], kind: "number" },
      headers,
    ],
    transform: ["request_transform"],
    // A webhook receives rows, whatever roles may read.
    widens: { roles: [] },
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
        hint: "Cron expression: minute, hour, day of month, month, day of week.",
      },
      {
        label: "Time zone",
        path: ["timezone"],
        kind: "text",
        hint: "IANA name, for example Europe/Vienna. Empty for UTC.",
      },
      { label: "Webhook", path: ["webhook"], kind: "text", isRequired: true, hint: templateHint },
      { label: "Include in exported metadata", path: ["include_in_metadata"], kind: "check", on: true },
      { label: "Payload", path: ["payload"], kind: "json" },
      ...retries,
      { label: "Retry interval (seconds)", path: ["retry_conf", "retry_interval_seconds"], kind: "number" },
      { label: "Timeout (seconds)", path: ["retry_conf", "timeout_seconds"], kind: "number" },
      headers,
      comment,
    ],
    transform: ["request_transform"],
    address: ["webhook"],
    schedule: ["schedule"],
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
        label: "Time (UTC)",
        path: ["schedule_at"],
        kind: "instant",
        isRequired: true,
        hint: "Events more than six hours overdue are not delivered.",
      },
      { label: "Payload", path: ["payload"], kind: "json" },
      ...retries,
      { label: "Retry interval (seconds)", path: ["retry_conf", "retry_interval_seconds"], kind: "number" },
      { label: "Timeout (seconds)", path: ["retry_conf", "timeout_seconds"], kind: "number" },
      headers,
      comment,
    ],
    transform: ["request_transform"],
    address: ["webhook"],
    save: (args) => ({ type: "create_scheduled_event", args }),
  },
  actionKind,
  {
    name: "remote-schema",
    title: "remote schema",
    initial: { name: "", definition: { url: "" } },
    fields: [
      { label: "Name", path: ["name"], kind: "text", isRequired: true, isFixed: true },
      { label: "URL", path: ["definition", "url"], kind: "text", hint: templateHint },
      { label: "Timeout (seconds)", path: ["definition", "timeout_seconds"], kind: "number" },
      {
        label: "Forward client headers",
        path: ["definition", "forward_client_headers"],
        kind: "check",
        on: true,
      },
      { label: "Expose subscriptions", path: ["definition", "subscriptions"], kind: "check", on: true },
      { ...headers, path: ["definition", "headers"] },
      { label: "Customization", path: ["definition", "customization"], kind: "json" },
      comment,
    ],
    widens: {},
    address: ["definition", "url"],
    save: (args, isNew) => ({ type: isNew ? "add_remote_schema" : "update_remote_schema", args }),
  },
];

export const kindNamed = (name: string | undefined): DefinitionKind | undefined =>
  kinds.find((kind) => kind.name === name);

/** Returns the arguments of the operation that creates the trigger. */
export function argumentsOfTrigger(source: Source, { table }: Table, trigger: EventTrigger): JsonObject {
  const { definition, name, ...rest } = trigger;
  return { name, source: source.name, table: { ...table }, ...definition, ...(rest as JsonObject) };
}

/** Returns the arguments of the operation that creates the object. */
export const argumentsOf = (found: {
  readonly name: string;
  readonly definition: JsonObject;
  readonly comment?: string;
}): JsonObject => ({
  name: found.name,
  definition: found.definition,
  ...(found.comment !== undefined && { comment: found.comment }),
});
