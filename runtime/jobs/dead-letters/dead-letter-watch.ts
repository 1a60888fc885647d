/** Measures the dead letters of schedules and asynchronous actions for metrics. */
import type { Meters } from "../../ports/metrics.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { measureOnRead } from "../delivery/measure-on-read.ts";
import { countScheduledLetters } from "./scheduled-letters.ts";

/** Maximum count per trigger, which limits the cost of the query. */
const maxCounted = 10_000;

/** @param actions returns the names of the asynchronous actions */
export function watchDeadLetters(
  meters: Meters,
  database: Pick<AutomationDatabase, "query">,
  actions: () => readonly string[],
): void {
  measureOnRead(meters, async () => {
    const range = { from: undefined, to: undefined };
    // While the database fails, the gauge keeps its values.
    const counts = await countScheduledLetters(database, actions(), range, maxCounted).catch(() => undefined);
    if (counts === undefined) return;
    meters.automationDeadLetters.clear();
    for (const { kind, name, count } of counts) meters.automationDeadLetters.set(count, { kind, trigger_name: name });
  });
}
