/** What is joined to the answers of remote servers and of handlers of actions. */
import type { JoinPlaces } from "../../model/planner/joins/join-plan.ts";
import type { PlanPart } from "../../model/planner/plan.ts";
import type { RemoteValues } from "../answer.ts";
import { type JoinRun, joinTexts } from "./join-texts.ts";
import { leaves } from "./joined-values.ts";

export class OutsideJoins {
  readonly #places: PlacesOutside;
  readonly #run: JoinRun;

  constructor(parts: readonly PlanPart[], run: JoinRun) {
    this.#places = run.steps.length === 0 ? nowhere : placesOutside(parts);
    this.#run = run;
  }

  /** @throws EngineError a promise of values to which something is joined is rejected with it */
  remote(request: number, values: RemoteValues): RemoteValues | Promise<RemoteValues> {
    const places = this.#places.remotes.get(request);
    return places === undefined ? values : this.#joinedValues(values, places);
  }

  async #joinedValues(values: RemoteValues, places: ReadonlyMap<string, JoinPlaces>): Promise<RemoteValues> {
    const given = [...places].map(([key, each]) => ({ key, text: values.get(key) ?? "null", places: each }));
    const texts = await joinTexts(given, this.#run);
    return new Map([...values, ...given.map(({ key }, i) => [key, texts[i] ?? "null"] as const)]);
  }

  /** @throws EngineError a promise of a text to which something is joined is rejected with it */
  action(action: number, text: string): string | Promise<string> {
    const places = this.#places.actions.get(action);
    return places === undefined ? text : this.#joinedText(text, places);
  }

  async #joinedText(text: string, places: JoinPlaces): Promise<string> {
    const [joined = text] = await joinTexts([{ text, places }], this.#run);
    return joined;
  }
}

interface PlacesOutside {
  /** By request and key. */
  readonly remotes: ReadonlyMap<number, ReadonlyMap<string, JoinPlaces>>;
  readonly actions: ReadonlyMap<number, JoinPlaces>;
}

const nowhere: PlacesOutside = { remotes: new Map(), actions: new Map() };

function placesOutside(parts: readonly PlanPart[]): PlacesOutside {
  const remotes = new Map<number, Map<string, JoinPlaces>>();
  const actions = new Map<number, JoinPlaces>();
  for (const part of leaves(parts)) {
    if (part.kind === "action" && part.joins) actions.set(part.action, part.joins);
    if (part.kind !== "remote" || !part.joins) continue;
    const places = remotes.get(part.request) ?? new Map<string, JoinPlaces>();
    remotes.set(part.request, places.set(part.key, part.joins));
  }
  return { remotes, actions };
}
