/** Event triggers: their columns exist, and so does what they take from the environment (`metadata-api.md` 2.9, 6.3). */
import type { EventTrigger, Json, JsonObject } from "../../catalog/model.ts";
import { rejectUnknown } from "../rejection.ts";
import type { ColumnEntry, TableFields } from "../table-fields.ts";
import type { Uses } from "../uses.ts";
import { checkHeaders, checkUrl, checkVariable, type Environment } from "./environment.ts";

/** @throws Rejection */
export function checkEventTrigger(
  table: TableFields,
  trigger: EventTrigger,
  environment: Environment,
  uses: Uses,
): void {
  for (const operation of ["insert", "update", "delete"]) {
    const { columns, payload } = (trigger.definition[operation] ?? {}) as JsonObject;
    for (const name of [...namesIn(columns), ...namesIn(payload)]) uses.column(columnOf(table, name));
  }
  if (trigger.webhook_from_env !== undefined) checkVariable(trigger.webhook_from_env, environment);
  checkUrl(trigger.webhook ?? "", environment);
  checkHeaders(trigger.headers, environment);
}

/** `*` and an absent list name no column. */
function namesIn(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? list : [];
}

function columnOf({ columns }: TableFields, name: string): ColumnEntry {
  return columns.get(name) ?? rejectUnknown(`"${name}" does not exist`, name, columns.keys());
}
