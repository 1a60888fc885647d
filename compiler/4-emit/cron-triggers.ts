/** Emits `schedules/<trigger>.ts`. */
import type { CronTriggerIr } from "../3-lower/ir.ts";
import { stringLiteral } from "./escape.ts";
import { jsonCode } from "./json-code.ts";
import { call, object } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { cronTriggerPath, operationPath } from "./paths.ts";
import { member } from "./sources.ts";

export function emitCronTrigger(trigger: CronTriggerIr, slice: string): ModuleText {
  const { name, schedule, timezone, payload, comment, webhook, operation, toleranceSeconds, cleanup, ...rules } =
    trigger;
  const module = new ModuleBuilder(cronTriggerPath(name), { from: `cron trigger ${name}`, slice }, ["trigger"]);
  const json = (value: unknown) => jsonCode(module, value);
  const properties = [
    member("name", stringLiteral(name)),
    member("schedule", stringLiteral(schedule)),
    member("timezone", stringLiteral(timezone)),
    member("payload", stringLiteral(payload)),
    ...(comment === undefined ? [] : [member("comment", stringLiteral(comment))]),
    member("webhook", json(webhook)),
    ...(operation ? [member("operation", operationCode(module, operation))] : []),
    member("toleranceSeconds", json(toleranceSeconds)),
    member("missed", json(rules.missed)),
    member("overlap", json(rules.overlap)),
    ...(cleanup ? [member("cleanup", json(cleanup))] : []),
  ];
  const action = operation
    ? `runs ${operation.operation.name} of collection ${operation.operation.collection} as ${operation.role}`
    : `calls ${"fromEnv" in webhook.url ? `the address in ${webhook.url.fromEnv}` : webhook.url.template}`;
  module.export(
    [`Cron trigger ${name}: ${action} at \`${schedule}\` (${timezone}).`],
    "trigger",
    call(module.support("cronTrigger"), object(properties)),
  );
  return module.print();
}

function operationCode(module: ModuleBuilder, operation: NonNullable<CronTriggerIr["operation"]>) {
  return object([
    member("operation", module.import(operationPath(operation.operation), "operation")),
    member("role", stringLiteral(operation.role)),
    member("sessionVariables", jsonCode(module, operation.sessionVariables)),
  ]);
}
