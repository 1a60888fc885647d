/** Emits `events/<source>/<trigger>.ts`: the SQL that records the events of a table, and the delivery settings. */
import type { ConfiguredUrl, EventRecorder } from "../../runtime/model/definitions/events/event-trigger.ts";
import type { ChangeCondition, EventTriggerIr, RecorderIr } from "../3-lower/ir.ts";
import { label } from "../3-lower/table-names.ts";
import { dialectOf } from "../dialects/index.ts";
import type { ConditionNames } from "../dialects/recorder.ts";
import { conditionText } from "./conditions.ts";
import { stringLiteral, templateLines } from "./escape.ts";
import { jsonCode } from "./json-code.ts";
import { call, group, object } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { eventTriggerPath } from "./paths.ts";
import { member } from "./sources.ts";

export function emitEventTrigger(trigger: EventTriggerIr, slice: string): ModuleText {
  const { source, kind, name, table, manual, webhook, ordering, cleanup, recorders } = trigger;
  const from = `event trigger ${name} on table ${label(table)} (source ${source})`;
  const module = new ModuleBuilder(eventTriggerPath(source, name), { from, slice }, ["trigger"]);
  const names = recorders.map((recorder) => declareRecorder(module, recorder, recorderOf(recorder, kind)));
  const properties = [
    member("source", stringLiteral(source)),
    member("name", stringLiteral(name)),
    member("table", jsonCode(module, { schema: table.schema, name: table.name })),
    member("manual", String(manual)),
    member("webhook", jsonCode(module, webhook)),
    ...(ordering ? [member("ordering", jsonCode(module, ordering))] : []),
    ...(cleanup ? [member("cleanup", jsonCode(module, cleanup))] : []),
    member("recorders", group("[", names, "]")),
  ];
  module.export(
    [`Event trigger ${name} of table ${label(table)}: ${deliveryText(trigger)}.`],
    "trigger",
    call(module.support("eventTrigger"), object(properties)),
  );
  return module.print();
}

function recorderOf({ condition, ...plan }: RecorderIr, kind: EventTriggerIr["kind"]): EventRecorder {
  const printed = condition && {
    text: (names: ConditionNames) => changeText(condition.test, names),
    types: condition.types,
  };
  return dialectOf(kind).recorder({ ...plan, ...(printed && { condition: printed }) });
}

function changeText(condition: ChangeCondition, names: ConditionNames): string {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.items
        .map((item) => `(${changeText(item, names)})`)
        .join(condition.kind === "all" ? " and " : " or ");
    case "not":
      return `not (${changeText(condition.item, names)})`;
    case "row":
      return conditionText(condition.where, names[condition.row], names.constant);
  }
}

/** Declares the recorder of one operation and returns its name. */
function declareRecorder(module: ModuleBuilder, recorder: RecorderIr, sql: EventRecorder): string {
  const name = module.local(recordingNames[sql.operation]);
  const type = module.supportType("EventRecorder");
  const statements = sql.statements.map((statement) => `\`${templateLines(statement)}\``);
  const properties = [
    member("operation", stringLiteral(sql.operation)),
    member("name", stringLiteral(sql.name)),
    member("hash", stringLiteral(sql.hash)),
    member("statements", group("[", statements, "]")),
  ];
  module.declare([recordingText(recorder)], name, object(properties), type);
  return name;
}

const recordingNames = { INSERT: "onInsert", UPDATE: "onUpdate", DELETE: "onDelete" } as const;

function recordingText({ operation, watched, payload, condition, orderingKey }: RecorderIr): string {
  const rows = { INSERT: "Inserted rows", UPDATE: "Updated rows", DELETE: "Deleted rows" }[operation];
  const where = operation === "UPDATE" && watched !== "*" ? ` where one of ${watched.join(", ")} changes` : "";
  const delivered = payload === "*" ? "all columns" : payload.join(", ");
  return [
    `${rows}${where}, ${delivered}`,
    ...(condition ? [", if they meet its condition"] : []),
    ...(orderingKey ? [`; in order by ${orderingKey.join(", ")}`] : []),
    ".",
  ].join("");
}

function deliveryText({ manual, recorders, webhook }: EventTriggerIr): string {
  const sources = [...recorders.map(({ operation }) => operation.toLowerCase()), ...(manual ? ["manual calls"] : [])];
  return `${sources.join(", ") || "nothing"} → ${urlText(webhook.url)}`;
}

const urlText = (url: ConfiguredUrl): string => ("fromEnv" in url ? `the address in ${url.fromEnv}` : url.template);
