/** Counts operations, how they ended and how long they took (`operations.md` 10). */
import { OperationTypeNode } from "graphql";
import type { PreparedOperation, SubscriptionSink } from "../ports/graphql.ts";
import { type Meters, noIdentity, type OperationIdentity } from "../ports/metrics.ts";
import { identityOf } from "./operation-identity.ts";
import type { PlannedOperation } from "./plan-operation.ts";

/** Told what an operation turned out to be, as soon as that is known. */
export type NotePlanned = (planned: PlannedOperation) => void;

const noNote: NotePlanned = () => undefined;

/**
 * Runs a query or a mutation and counts it.
 * @param work calls what it is given with the plan, also with that of another attempt
 */
export async function watched(meters: Meters, work: (note: NotePlanned) => Promise<string>): Promise<string> {
  if (!meters.isOn) return work(noNote);
  const start = performance.now();
  let planned: PlannedOperation | undefined;
  const note = (found: PlannedOperation): void => {
    planned = found;
  };
  try {
    const answer = await work(note);
    count(meters, planned, start);
    return answer;
  } catch (error) {
    countFailure(meters, planned);
    throw error;
  }
}

function count(meters: Meters, planned: PlannedOperation | undefined, start: number): void {
  if (planned === undefined) return;
  const operation_type = planned.kind;
  meters.executionTime.record((performance.now() - start) / 1000, { operation_type });
  meters.requests.add(1, { operation_type, response_status: "success", ...identityOf(planned.operation()) });
}

function countFailure(meters: Meters, planned: PlannedOperation | undefined): void {
  const operation_type = planned?.kind ?? "unknown";
  const about = planned === undefined ? noIdentity : identityOf(planned.operation());
  meters.requests.add(1, { operation_type, response_status: "failed", ...about });
}

/** The same for an operation that is run when it is asked for, or goes on until it is stopped. */
export function watchedPrepared(
  meters: Meters,
  prepared: PreparedOperation,
  planned: PlannedOperation,
): PreparedOperation {
  if (!meters.isOn) return prepared;
  const about = identityOf(planned.operation());
  if (prepared.kind === "subscription") return watchedSubscription(meters, prepared, about);
  const run: typeof prepared.run = (caller, headers) =>
    watched(meters, (note) => {
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
