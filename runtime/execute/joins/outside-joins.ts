/** What is joined to the answers of remote servers and of handlers of actions. */
import type { JoinPlaces } from "../../planner/joins/join-plan.ts";
import type { PlanPart } from "../../planner/plan.ts";
import type { RemoteValues } from "../answer.ts";
import { type JoinRun, joinTexts } from "./join-texts.ts";
import { leaves } from "./joined-values.ts";

export class OutsideJoins {
  /** By request and key. */
  readonly #remotes = new Map<number, Map<string, JoinPlaces>>();
  readonly #actions = new Map<number, JoinPlaces>();
  readonly #run: JoinRun;

  constructor(parts: readonly PlanPart[], run: JoinRun) {
    this.#run = run;
    if (run.steps.length === 0) return;
    for (const part of leaves(parts)) {
      if (part.kind === "action" && part.joins) this.#actions.set(part.action, part.joins);
      if (part.kind !== "remote" || !part.joins) continue;
      const places = this.#remotes.get(part.request) ?? new Map<string, JoinPlaces>();
      this.#remotes.set(part.request, places.set(part.key, part.joins));
    }
  }

  /** @throws EngineError */
  async remote(request: number, values: RemoteValues): Promise<RemoteValues> {
    const places = this.#remotes.get(request);
    if (places === undefined) return values;
    const given = [...places].map(([key, each]) => ({ key, text: values.get(key) ?? "null", places: each }));
    const texts = await joinTexts(given, this.#run);
    return new Map([...values, ...given.map(({ key }, i) => [key, texts[i] ?? "null"] as const)]);
  }

  /** @throws EngineError */
  async action(action: number, text: string): Promise<string> {
    const places = this.#actions.get(action);
    if (places === undefined) return text;
    const [joined = text] = await joinTexts([{ text, places }], this.#run);
    return joined;
  }
}
