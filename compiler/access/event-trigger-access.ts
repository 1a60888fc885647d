/** Yields the data that event triggers send out of a database, and its destination. */
import type { AnalysisOptions, AnalyzedSource } from "../2-analyze/analysis.ts";
import { eventTriggerInputs, lowerEventTrigger } from "../3-lower/event-triggers.ts";
import type { ChangeCondition, Condition, RecorderIr, SqlPart } from "../3-lower/ir.ts";
import { hash } from "../catalog/canonical.ts";
import { columnsOf } from "../dialects/recorder.ts";
import type { EventTriggerAccess, RecordingAccess } from "./model.ts";
import { accessKey } from "./table-access.ts";

export function* eventTriggerAccesses(
  source: AnalyzedSource,
  options: AnalysisOptions,
): Iterable<readonly [string, EventTriggerAccess]> {
  for (const table of source.tables.values()) {
    for (const [name, analyzed] of table.eventTriggers) {
      const { webhook, manual, recorders, ordering, cleanup } = lowerEventTrigger(
        eventTriggerInputs(source, table, analyzed, options),
      );
      const { url, headers, requestTransform, responseTransform, signingSecrets = [], retry } = webhook;
      const access: EventTriggerAccess = {
        table: accessKey(source.name, table.table.table),
        url: "fromEnv" in url ? `the address in ${url.fromEnv}` : url.template,
        manual,
        operations: Object.fromEntries(recorders.map((recorder) => [recorder.operation, recording(recorder)])),
        headers: hash(headers),
        requestTransform: hash(requestTransform ?? null),
        signedWith: signingSecrets,
        otherSettings: hash({ retry, ordering, cleanup, responseTransform }),
      };
      yield [accessKey(source.name, { schema: "", name, native: "query" }), access];
    }
  }
}

function recording({ operation, table, watched, payload, condition, onReplication }: RecorderIr): RecordingAccess {
  const names = (list: typeof watched): readonly string[] => columnsOf(table, list).map(({ name }) => name);
  return {
    payload: names(payload),
    watched: operation === "UPDATE" ? names(watched) : [],
    onReplication,
    ...(condition && { condition: plainCondition(condition.test) }),
  };
}

/** Replaces the row placeholders of a condition by the row names. */
function plainCondition(condition: ChangeCondition): Condition {
  switch (condition.kind) {
    case "all":
    case "any":
      return { kind: condition.kind, items: condition.items.map(plainCondition) };
    case "not":
      return { kind: "not", item: plainCondition(condition.item) };
    case "row":
      return withRow(condition.where, condition.row);
  }
}

function withRow(condition: Condition, row: string): Condition {
  const named = (parts: readonly SqlPart[]): readonly SqlPart[] =>
    parts.map((part) => (typeof part !== "string" && part.kind === "row" ? row : part));
  switch (condition.kind) {
    case "all":
    case "any":
      return { kind: condition.kind, items: condition.items.map((item) => withRow(item, row)) };
    case "not":
      return { kind: "not", item: withRow(condition.item, row) };
    case "exists":
      return { ...condition, from: named(condition.from), where: withRow(condition.where, row) };
    case "readable":
      return { ...condition, row: named(condition.row) };
    case "test":
      return { kind: "test", sql: named(condition.sql) };
  }
}
