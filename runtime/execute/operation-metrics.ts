/** Records operations, their outcomes and durations in metrics (`docs/reference/metrics.md`). */
import { OperationTypeNode } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";
import type { PreparedOperation, SubscriptionSink } from "../ports/graphql.ts";
import { type Adder, type Meters, noIdentity, type OperationIdentity, type Recorder } from "../ports/metrics.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { membersOf } from "../values/json/positions.ts";
import { LongText } from "../values/long-text.ts";
import type { ResponseText } from "../values/response-text.ts";
import { identityOf } from "./operation-identity.ts";
import type { PlannedOperation } from "./plan-operation.ts";

/** Receives the plan of an operation as soon as it is known. */
export type OnPlanned = (planned: PlannedOperation) => void;

export type MetricsTelemetry = Pick<Telemetry, "meters" | "analysis">;

const ignorePlan: OnPlanned = () => undefined;

/**
 * Runs a query or a mutation and records it.
 * @param work calls `onPlanned` with the plan of each attempt
 */
export async function withMetrics(
  telemetry: MetricsTelemetry,
  work: (onPlanned: OnPlanned) => Promise<ResponseText>,
): Promise<ResponseText> {
  const { meters } = telemetry;
  if (!meters.isOn) return work(ignorePlan);
  const start = performance.now();
  let planned: PlannedOperation | undefined;
  const onPlanned = (found: PlannedOperation): void => {
    planned = found;
  };
  try {
    const data = await work(onPlanned);
    if (planned !== undefined) {
      record(meters, planned, start);
      const { variables, answers } = telemetry.analysis;
      if (variables) recordVariables(meters, planned);
      if (answers) recordFields(meters, planned, data);
    }
    return data;
  } catch (error) {
    recordFailure(meters, planned);
    throw error;
  }
}

function record(meters: Meters, planned: PlannedOperation, start: number): void {
  const { executionTime, succeeded } = countersOf(meters, planned);
  executionTime.record((performance.now() - start) / 1000);
  succeeded.add(1);
}

function recordFailure(meters: Meters, planned: PlannedOperation | undefined): void {
  if (planned !== undefined) countersOf(meters, planned).failed.add(1);
  else meters.requests.add(1, { operation_type: "unknown", response_status: "failed", ...noIdentity });
}

interface OperationCounters {
  readonly meters: Meters;
  readonly executionTime: Recorder;
  readonly succeeded: Adder;
  readonly failed: Adder;
}

/** Counters by operation, looked up once because every request uses them. */
const counters = new WeakMap<Operation, OperationCounters>();

function countersOf(meters: Meters, { kind: operation_type, operation }: PlannedOperation): OperationCounters {
  const key = operation();
  const found = counters.get(key);
  if (found?.meters === meters) return found;
  const about = identityOf(key);
  const created = {
    meters,
    executionTime: meters.executionTime.of({ operation_type }),
    succeeded: meters.requests.of({ operation_type, response_status: "success", ...about }),
    failed: meters.requests.of({ operation_type, response_status: "failed", ...about }),
  };
  counters.set(key, created);
  return created;
}

/** Records a prepared operation when it runs, and a subscription while it is active. */
export function preparedWithMetrics(
  telemetry: MetricsTelemetry,
  prepared: PreparedOperation,
  planned: PlannedOperation,
): PreparedOperation {
  const { meters } = telemetry;
  if (!meters.isOn) return prepared;
  const about = identityOf(planned.operation());
  if (prepared.kind === "subscription") {
    const onOpened = (): void => {
      if (telemetry.analysis.variables) recordVariables(meters, planned);
    };
    return subscriptionWithMetrics(meters, prepared, about, onOpened);
  }
  const run: typeof prepared.run = (caller, response) =>
    withMetrics(telemetry, (onPlanned) => {
      onPlanned(planned);
      return prepared.run(caller, response);
    });
  return { ...prepared, run, about };
}

type PreparedSubscription = Extract<PreparedOperation, { kind: "subscription" }>;

function subscriptionWithMetrics(
  meters: Meters,
  prepared: PreparedSubscription,
  about: OperationIdentity,
  onOpened: () => void,
): PreparedSubscription {
  const operation_type = OperationTypeNode.SUBSCRIPTION;
  const labels = { subscription_kind: prepared.isStream ? "streaming" : "live-query", ...about };
  const subscribe = async (sink: SubscriptionSink) => {
    let isOpen = true;
    meters.activeSubscriptions.add(1, labels);
    const end = (): void => {
      if (isOpen) meters.activeSubscriptions.add(-1, labels);
      isOpen = false;
    };
    const complete = (): void => {
      end();
      sink.complete();
    };
    try {
      const subscription = await prepared.subscribe(withComplete(sink, complete));
      meters.requests.add(1, { operation_type, response_status: "success", ...about });
      onOpened();
      const stop = (): void => {
        end();
        subscription.stop();
      };
      return { stop };
    } catch (error) {
      end();
      meters.requests.add(1, { operation_type, response_status: "failed", ...about });
      throw error;
    }
  };
  return { ...prepared, subscribe, about };
}

function withComplete(sink: SubscriptionSink, complete: () => void): SubscriptionSink {
  return {
    next: (data, errors) => sink.next(data, errors),
    error: (error) => sink.error(error),
    complete,
    isBusy: () => sink.isBusy(),
    get aborted() {
      return sink.aborted === true;
    },
  };
}

/** Records an operation that could not be prepared. */
export function recordRefused(meters: Meters): void {
  if (meters.isOn) recordFailure(meters, undefined);
}

// Optional metrics (`set_metrics_config`): names of variables and outcomes of root fields, never values.

/** Records which variables the client sent. Omitted variables are "absent" even if they have a default. */
function recordVariables(meters: Meters, { kind, operation, variables }: PlannedOperation): void {
  const parsed = operation();
  const about = identityOf(parsed);
  for (const name of parsed.declared.keys()) {
    const value = variables[name];
    const state = value === undefined ? "absent" : value === null ? "null" : "value";
    meters.operationVariables.add(1, { operation_type: kind, variable_name: name, state, ...about });
  }
}

/**
 * Records the outcomes of root fields.
 * @param data the JSON text of `data`
 */
function recordFields(meters: Meters, { kind, operation }: PlannedOperation, data: ResponseText): void {
  if (kind === OperationTypeNode.SUBSCRIPTION) return;
  const about = identityOf(operation());
  // The only field of such a text is an introspection.
  const isLong = data instanceof LongText;
  const counts = { value: isLong ? 1 : 0, null: 0, empty: 0 };
  const text = isLong ? "{}" : data.toString();
  for (const { from, to } of membersOf(text, 0)) counts[resultOf(text, from, to)]++;
  for (const [result, count] of Object.entries(counts)) {
    if (count > 0) meters.answerFields.add(count, { operation_type: kind, result, ...about });
  }
}

function resultOf(data: string, from: number, to: number): "value" | "null" | "empty" {
  if (to - from === 4 && data.startsWith("null", from)) return "null";
  return isEmpty.test(data.slice(from, Math.min(to, from + maxEmptyLength))) ? "empty" : "value";
}

/** Limit in characters, including the blanks that databases write into empty lists and objects. */
const maxEmptyLength = 8;
const isEmpty = /^(?:\[\s*\]|\{\s*\})$/;
