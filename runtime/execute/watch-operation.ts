/** Counts operations, how they ended and how long they took (`docs/metrics.md`). */
import { OperationTypeNode } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";
import type { PreparedOperation, SubscriptionSink } from "../ports/graphql.ts";
import { type Adder, type Meters, noIdentity, type OperationIdentity, type Recorder } from "../ports/metrics.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { countAnswer, countVariables } from "./analyze-operation.ts";
import { identityOf } from "./operation-identity.ts";
import type { PlannedOperation } from "./plan-operation.ts";

/** Told what an operation turned out to be, as soon as that is known. */
export type NotePlanned = (planned: PlannedOperation) => void;

/** Where it is counted. */
export type Watching = Pick<Telemetry, "meters" | "analysis">;

const noNote: NotePlanned = () => undefined;

/**
 * Runs a query or a mutation and counts it.
 * @param work calls what it is given with the plan, also with that of another attempt
 */
export async function watched(telemetry: Watching, work: (note: NotePlanned) => Promise<string>): Promise<string> {
  const { meters } = telemetry;
  if (!meters.isOn) return work(noNote);
  const start = performance.now();
  let planned: PlannedOperation | undefined;
  const note = (found: PlannedOperation): void => {
    planned = found;
  };
  try {
    const answer = await work(note);
    if (planned !== undefined) {
      count(meters, planned, start);
      const { variables, answers } = telemetry.analysis;
      if (variables) countVariables(meters, planned);
      if (answers) countAnswer(meters, planned, answer);
    }
    return answer;
  } catch (error) {
    countFailure(meters, planned);
    throw error;
  }
}

function count(meters: Meters, planned: PlannedOperation, start: number): void {
  const { executionTime, succeeded } = countersOf(meters, planned);
  executionTime.record((performance.now() - start) / 1000);
  succeeded.add(1);
}

function countFailure(meters: Meters, planned: PlannedOperation | undefined): void {
  if (planned !== undefined) countersOf(meters, planned).failed.add(1);
  else meters.requests.add(1, { operation_type: "unknown", response_status: "failed", ...noIdentity });
}

interface OperationCounters {
  readonly meters: Meters;
  readonly executionTime: Recorder;
  readonly succeeded: Adder;
  readonly failed: Adder;
}

/** Found once for each operation that is kept: every request counts. */
const known = new WeakMap<Operation, OperationCounters>();

function countersOf(meters: Meters, { kind: operation_type, operation }: PlannedOperation): OperationCounters {
  const key = operation();
  const found = known.get(key);
  if (found?.meters === meters) return found;
  const about = identityOf(key);
  const counters = {
    meters,
    executionTime: meters.executionTime.of({ operation_type }),
    succeeded: meters.requests.of({ operation_type, response_status: "success", ...about }),
    failed: meters.requests.of({ operation_type, response_status: "failed", ...about }),
  };
  known.set(key, counters);
  return counters;
}

/** The same for an operation that is run when it is asked for, or goes on until it is stopped. */
export function watchedPrepared(
  telemetry: Watching,
  prepared: PreparedOperation,
  planned: PlannedOperation,
): PreparedOperation {
  const { meters } = telemetry;
  if (!meters.isOn) return prepared;
  const about = identityOf(planned.operation());
  if (prepared.kind === "subscription") {
    const onOpened = (): void => {
      if (telemetry.analysis.variables) countVariables(meters, planned);
    };
    return watchedSubscription(meters, prepared, about, onOpened);
  }
  const run: typeof prepared.run = (caller, headers) =>
    watched(telemetry, (note) => {
      note(planned);
      return prepared.run(caller, headers);
    });
  return { ...prepared, run, about };
}

type PreparedSubscription = Extract<PreparedOperation, { kind: "subscription" }>;

function watchedSubscription(
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
      const subscription = await prepared.subscribe(endingWith(sink, complete));
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

function endingWith(sink: SubscriptionSink, complete: () => void): SubscriptionSink {
  return {
    next: (data) => sink.next(data),
    error: (error) => sink.error(error),
    complete,
    isBusy: () => sink.isBusy(),
    get aborted() {
      return sink.aborted === true;
    },
  };
}

/** An operation that could not be prepared. */
export function countRefused(meters: Meters): void {
  if (meters.isOn) countFailure(meters, undefined);
}
