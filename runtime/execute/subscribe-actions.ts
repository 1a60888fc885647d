/**
 * A subscription on calls of asynchronous actions: what has become of them now, and again when one has ended. It
 * completes when none can change any more (`docs/actions.md`).
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Wait } from "../jobs/actions/end-watch.ts";
import { uninterrupted } from "../ports/continuity.ts";
import type { Subscription, SubscriptionSink } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { queryAnswer } from "./answer.ts";
import { Basis } from "./basis.ts";
import type { Generation } from "./generation.ts";
import { OutsideJoins } from "./joins/outside-joins.ts";
import { joinRun } from "./joins/run-joins.ts";
import type { OutsideServices } from "./options.ts";
import { askAll, bindOutside, Outside } from "./outside.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { routedOperation, withRouting } from "./route.ts";

export interface ActionSubscriptionInput {
  readonly current: () => Generation;
  readonly session: Session;
  /** Plans the operation. @throws EngineError where it is not valid any more */
  readonly plan: (generation: Generation) => PlannedOperation;
  readonly services: OutsideServices;
}

/**
 * Resolves when there is a first result.
 * @throws EngineError when there is none; then the sink is never called
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

/** In milliseconds: from a failure to the next attempt. */
const failurePause = 1000;

class ActionSubscription {
  readonly #input: ActionSubscriptionInput;
  readonly #sink: SubscriptionSink;
  /** For the calls that have not ended. */
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
      const data = await this.#read(this.#planned());
      if (this.#isStopped) return;
      this.#sink.next(data);
      void this.#follow(data);
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#waitFor([]);
  }

  async #follow(first: string): Promise<void> {
    let last = first;
    while (this.#waits.length > 0) {
      await Promise.race(this.#waits.map(({ ended }) => ended));
      if (this.#isStopped) return;
      const data = await this.#next();
      if (this.#isStopped) return;
      if (data !== undefined && data !== last) {
        this.#sink.next(data);
        last = data;
      }
    }
    this.#sink.complete();
  }

  /** `undefined`: it could not be had, which the client has been told. */
  async #next(): Promise<string | undefined> {
    let planned: Planned;
    try {
      planned = this.#planned();
    } catch (error) {
      // The role may not ask any more.
      this.#sink.error(error);
      this.#waitFor([]);
      return undefined;
    }
    try {
      return await this.#read(planned);
    } catch (error) {
      if (!this.#isStopped) this.#sink.error(error);
      await pause(failurePause);
      return undefined;
    }
  }

  #planned(): Planned {
    const generation = this.#input.current();
    return { generation, operation: this.#input.plan(generation) };
  }

  /** What has become of the calls; those that have not ended are waited for from now on. */
  async #read({ generation, operation }: Planned): Promise<string> {
    const { current, services } = this.#input;
    const about = () => routedOperation(operation.operation().definition);
    const session = withRouting(generation, this.#input.session, about);
    const bound = bindOutside(operation, session, services);
    // Before they are read: what ends meanwhile is read again.
    const waits = await Promise.all(bound.actions.map((each) => services.actions.waitFor(each)));
    this.#waitFor(waits.flatMap((wait) => wait ?? []));
    const outside = new Outside(new Basis(generation, current, uninterrupted), session, services);
    const caller = this.#caller;
    const { plan, variables } = operation;
    const run = joinRun(plan.plan, { ...services, generation, variables, session, caller });
    const answers = await askAll(outside, bound, { caller }, new OutsideJoins(plan.plan.parts, run));
    return queryAnswer(plan.plan, [], undefined, answers);
  }

  #waitFor(waits: readonly Wait[]): void {
    for (const wait of this.#waits) wait.cancel();
    this.#waits = this.#isStopped ? [] : waits;
    if (this.#isStopped) for (const wait of waits) wait.cancel();
  }
}
