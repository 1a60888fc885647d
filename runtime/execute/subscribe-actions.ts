/**
 * A subscription to the state of asynchronous action calls. Delivers the state now and after each call has ended, and
 * completes when all calls have ended (`docs/how-to/actions.md`).
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Wait } from "../jobs/actions/end-watch.ts";
import { uninterrupted } from "../ports/continuity.ts";
import type { Subscription, SubscriptionSink } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { queryData } from "./encode-data.ts";
import type { Generation } from "./generation.ts";
import { RemoteJoins } from "./joins/remote-joins.ts";
import { joinRun } from "./joins/run-joins.ts";
import type { RemoteServices } from "./options.ts";
import { PinnedGeneration } from "./pinned-generation.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { bindRemoteCalls, callAll, RemoteCaller } from "./remote-calls.ts";
import { routedOperation, withRouting } from "./route.ts";
import type { LiveResult } from "./subscribe/live-query.ts";

export interface ActionSubscriptionInput {
  readonly current: () => Generation;
  readonly session: Session;
  /**
   * Plans the operation.
   * @throws EngineError if it is no longer valid
   */
  readonly plan: (generation: Generation) => PlannedOperation;
  readonly services: RemoteServices;
}

/**
 * Starts the subscription. Resolves with the first result.
 * @throws EngineError if there is no first result; the sink is then never called
 */
export async function subscribeToActions(
  input: ActionSubscriptionInput,
  sink: SubscriptionSink,
): Promise<Subscription> {
  const running = new ActionSubscription(input, sink);
  await running.begin();
  return { stop: () => running.stop() };
}

interface Planned {
  readonly generation: Generation;
  readonly operation: PlannedOperation;
}

/** Delay between attempts after a failure. */
const failureDelayMilliseconds = 1000;

class ActionSubscription {
  readonly #input: ActionSubscriptionInput;
  readonly #sink: SubscriptionSink;
  #waits: readonly Wait[] = [];
  #isStopped = false;
  readonly #caller: Caller;

  constructor(input: ActionSubscriptionInput, sink: SubscriptionSink) {
    this.#input = input;
    this.#sink = sink;
    const isGone = (): boolean => this.#isStopped || sink.aborted === true;
    this.#caller = {
      get aborted() {
        return isGone();
      },
    };
  }

  async begin(): Promise<void> {
    try {
      const result = await this.#read(this.#planned());
      if (this.#isStopped) return;
      this.#deliver(result);
      void this.#follow(result);
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#waitFor([]);
  }

  #deliver({ data, errors }: LiveResult): void {
    if (errors.length > 0) this.#sink.next(data, errors);
    else this.#sink.next(data);
  }

  async #follow(first: LiveResult): Promise<void> {
    let last = first;
    while (this.#waits.length > 0) {
      await Promise.race(this.#waits.map(({ ended }) => ended));
      if (this.#isStopped) return;
      const result = await this.#next();
      if (this.#isStopped) return;
      if (result !== undefined && (result.data !== last.data || result.errors.length !== last.errors.length)) {
        this.#deliver(result);
        last = result;
      }
    }
    this.#sink.complete();
  }

  /** Returns the next result; `undefined` after an error, which has been sent to the client. */
  async #next(): Promise<LiveResult | undefined> {
    let planned: Planned;
    try {
      planned = this.#planned();
    } catch (error) {
      // The role may have lost its permission.
      this.#sink.error(error);
      this.#waitFor([]);
      return undefined;
    }
    try {
      return await this.#read(planned);
    } catch (error) {
      if (!this.#isStopped) this.#sink.error(error);
      await pause(failureDelayMilliseconds);
      return undefined;
    }
  }

  #planned(): Planned {
    const generation = this.#input.current();
    return { generation, operation: this.#input.plan(generation) };
  }

  /** Reads the state of the calls, and waits for the calls that have not ended. */
  async #read({ generation, operation }: Planned): Promise<LiveResult> {
    const { current, services } = this.#input;
    const about = () => routedOperation(operation.operation().definition);
    const session = withRouting(generation, this.#input.session, about);
    const bound = bindRemoteCalls(operation, session, services);
    // Waits start before reading, so that a call that ends during the read is read again.
    const waits = await Promise.all(bound.actions.map((each) => services.actions.waitFor(each)));
    this.#waitFor(waits.flatMap((wait) => wait ?? []));
    const calls = new RemoteCaller(new PinnedGeneration(generation, current, uninterrupted), session, services);
    const caller = this.#caller;
    const { plan, variables } = operation;
    const run = joinRun(plan.plan, { ...services, generation, variables, session, caller, takesFaults: true });
    const results = await callAll(calls, bound, { caller }, new RemoteJoins(plan.plan.parts, run));
    return { data: queryData(plan.plan, [], undefined, results), errors: run.errors };
  }

  #waitFor(waits: readonly Wait[]): void {
    for (const wait of this.#waits) wait.cancel();
    this.#waits = this.#isStopped ? [] : waits;
    if (this.#isStopped) for (const wait of waits) wait.cancel();
  }
}
