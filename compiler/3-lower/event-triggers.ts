/** Lowers event triggers to the IR of `events/<source>/<trigger>.ts`. */
import { cleanupOf, eventRetry, webhookOf } from "../../runtime/model/definitions/events/configured-webhook.ts";
import type { ConfiguredUrl, EventOperation } from "../../runtime/model/definitions/events/event-trigger.ts";
import type { AnalysisOptions, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedEventTrigger, AnalyzedTable, ChangePredicate, Predicate } from "../2-analyze/analyzed-table.ts";
import { type ListenedOperation, operationsOf } from "../catalog/event-operations.ts";
import type { EventTrigger, QualifiedName, SourceKind } from "../catalog/model.ts";
import { sourceKinds } from "../catalog/schema/names.ts";
import { dialectOf } from "../dialects/index.ts";
import type { RecordedTable } from "../dialects/recorder.ts";
import type { TableShape, TypeRef } from "../shape/shape.ts";
import { type ConditionContext, lowerPredicate } from "./conditions.ts";
import type { ChangeCondition, EventTriggerIr, RecorderIr } from "./ir.ts";

/** The parts of the Analysis that the module of an event trigger depends on. */
export interface EventTriggerInputs {
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: QualifiedName;
  readonly shape: Pick<TableShape, "kind" | "columns" | "primaryKey" | "isPartition" | "inherits">;
  readonly analyzed: AnalyzedEventTrigger;
  readonly stringifyNumbers: boolean;
}

export function eventTriggerInputs(
  { name, source }: AnalyzedSource,
  { table, shape }: AnalyzedTable,
  analyzed: AnalyzedEventTrigger,
  { stringifyNumbers = false }: Pick<AnalysisOptions, "stringifyNumbers">,
): EventTriggerInputs {
  const { kind, columns, primaryKey, isPartition, inherits } = shape;
  const relation = { kind, columns, primaryKey, ...(isPartition && { isPartition }), ...(inherits && { inherits }) };
  return { source: name, kind: source.kind, table: table.table, shape: relation, analyzed, stringifyNumbers };
}

export function lowerEventTrigger(inputs: EventTriggerInputs): EventTriggerIr {
  const { source, kind, table, analyzed } = inputs;
  const { trigger } = analyzed;
  const { ordering, cleanup_config } = trigger;
  return {
    source,
    kind,
    name: trigger.name,
    table,
    manual: trigger.definition.enable_manual === true,
    webhook: webhookOf(trigger, urlOf(trigger), eventRetry(trigger.retry_conf)),
    ...(ordering && { ordering: { onError: ordering.on_error ?? "continue" } }),
    ...(cleanup_config && { cleanup: cleanupOf(cleanup_config) }),
    recorders: operationsOf(trigger).flatMap((listened) => lowerRecorder(inputs, listened)),
  };
}

function urlOf({ webhook, webhook_from_env }: EventTrigger): ConfiguredUrl {
  return webhook_from_env === undefined ? { template: webhook ?? "" } : { fromEnv: webhook_from_env };
}

// ---------------------------------------------------------------- recorders

/** Returns the recorder of an operation; none if the condition is false for every change of this kind. */
function lowerRecorder(inputs: EventTriggerInputs, { operation, columns, payload }: ListenedOperation): RecorderIr[] {
  const { kind, analyzed, stringifyNumbers } = inputs;
  const { trigger } = analyzed;
  const condition = analyzed.condition ? lowerChange(analyzed.condition, operation, contextOf(kind)) : true;
  if (condition === false) return [];
  return [
    {
      trigger: trigger.name,
      operation,
      table: recordedTable(inputs),
      watched: columns,
      payload,
      ...(condition !== true &&
        analyzed.condition && { condition: { test: condition, types: typesOf(analyzed.condition) } }),
      ...(trigger.ordering && { orderingKey: trigger.ordering.key }),
      onReplication: trigger.trigger_on_replication ?? sourceKinds[kind].triggerOnReplication,
      stringifyNumbers,
    },
  ];
}

function recordedTable({ table, shape }: EventTriggerInputs): RecordedTable {
  const { kind, columns, primaryKey, isPartition, inherits } = shape;
  return {
    ...table,
    columns: columns.map(({ name, type, virtual }) => ({ name, type, ...(virtual !== undefined && { virtual }) })),
    primaryKey: primaryKey?.columns ?? [],
    standsAlone: kind === "table" && isPartition !== true && inherits !== true,
    partitioned: kind === "partitioned_table",
  };
}

/** Returns a context without tables, because event conditions refer only to the trigger's own table. */
function contextOf(kind: SourceKind): ConditionContext {
  const tableOf = (key: string): never => {
    throw new Error(`the condition of an event trigger refers to table ${key}`);
  };
  return { dialect: dialectOf(kind), tableOf };
}

/**
 * Simplifies a condition for an operation that has no row before (INSERT) or after (DELETE) the change; returns a
 * boolean if that decides it.
 */
function lowerChange(
  predicate: ChangePredicate,
  operation: EventOperation,
  context: ConditionContext,
): ChangeCondition | boolean {
  switch (predicate.kind) {
    case "and":
    case "or": {
      const decisive = predicate.kind === "or";
      const items = predicate.items.map((item) => lowerChange(item, operation, context));
      if (items.includes(decisive)) return decisive;
      const undecided = items.filter((item) => typeof item !== "boolean");
      const [only] = undecided;
      if (only === undefined) return !decisive;
      return undecided.length === 1 ? only : { kind: decisive ? "any" : "all", items: undecided };
    }
    case "not": {
      const item = lowerChange(predicate.item, operation, context);
      return typeof item === "boolean" ? !item : { kind: "not", item };
    }
    case "row": {
      const { row, where } = predicate;
      if (operation === (row === "old" ? "INSERT" : "DELETE")) return false;
      const condition = lowerPredicate(where, context);
      return condition === undefined ? true : { kind: "row", row, where: condition };
    }
  }
}

/** Returns the types of the compared columns. */
function typesOf(predicate: ChangePredicate): readonly TypeRef[] {
  switch (predicate.kind) {
    case "and":
    case "or":
      return predicate.items.flatMap(typesOf);
    case "not":
      return typesOf(predicate.item);
    case "row":
      return typesInRow(predicate.where);
  }
}

function typesInRow(predicate: Predicate): readonly TypeRef[] {
  switch (predicate.kind) {
    case "and":
    case "or":
      return predicate.items.flatMap(typesInRow);
    case "not":
      return typesInRow(predicate.item);
    case "compare_columns":
      return [predicate.left.type];
    case "is_null":
    case "compare":
    case "compare_structured":
      return [predicate.column.type];
    default:
      return [];
  }
}
