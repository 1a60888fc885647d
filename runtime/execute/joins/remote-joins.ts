/** Joins values to the results of remote schemas and action handlers. */
import type { JoinPlaces } from "../../model/planner/joins/join-plan.ts";
import type { PlanPart } from "../../model/planner/plan.ts";
import type { FieldPath } from "../../values/errors.ts";
import type { RemoteValues } from "../encode-data.ts";
import { joinTexts } from "./join-texts.ts";
import { leaves } from "./joined-values.ts";
import type { ResponseJoins } from "./run-joins.ts";

export class RemoteJoins {
  readonly #places: RemoteJoinPlaces;
  readonly #run: ResponseJoins;

  constructor(parts: readonly PlanPart[], run: ResponseJoins) {
    this.#places = run.steps.length === 0 ? noPlaces : remoteJoinPlaces(parts);
    this.#run = run;
  }

  /**
   * Returns the values with joined values; a promise only if something is joined.
   * @throws EngineError by rejection
   */
  remote(request: number, values: RemoteValues): RemoteValues | Promise<RemoteValues> {
    const places = this.#places.remotes.get(request);
    return places === undefined ? values : this.#joinedValues(values, places);
  }

  async #joinedValues(values: RemoteValues, places: ReadonlyMap<string, JoinLocation>): Promise<RemoteValues> {
    const inputs = [...places].map(([key, each]) => ({ key, text: values.get(key) ?? "null", ...each }));
    const { texts, faults } = await joinTexts(inputs, this.#run);
    for (const [i, textFaults] of faults) this.#run.report(inputs[i]?.path ?? [], textFaults);
    return new Map([...values, ...inputs.map(({ key }, i) => [key, texts[i] ?? "null"] as const)]);
  }

  /**
   * Returns the text with joined values; a promise only if something is joined.
   * @throws EngineError by rejection
   */
  action(action: number, text: string): string | Promise<string> {
    const places = this.#places.actions.get(action);
    return places === undefined ? text : this.#joinedText(text, places);
  }

  async #joinedText(text: string, { places, path }: JoinLocation): Promise<string> {
    const { texts, faults } = await joinTexts([{ text, places }], this.#run);
    for (const textFaults of faults.values()) this.#run.report(path, textFaults);
    return texts[0] ?? text;
  }
}

interface JoinLocation {
  readonly places: JoinPlaces;
  readonly path: FieldPath;
}

interface RemoteJoinPlaces {
  /** Locations by request and response key. */
  readonly remotes: ReadonlyMap<number, ReadonlyMap<string, JoinLocation>>;
  readonly actions: ReadonlyMap<number, JoinLocation>;
}

const noPlaces: RemoteJoinPlaces = { remotes: new Map(), actions: new Map() };

function remoteJoinPlaces(parts: readonly PlanPart[]): RemoteJoinPlaces {
  const remotes = new Map<number, Map<string, JoinLocation>>();
  const actions = new Map<number, JoinLocation>();
  for (const { part, path } of leaves(parts)) {
    if (part.kind === "action" && part.joins) actions.set(part.action, { places: part.joins, path });
    if (part.kind !== "remote" || !part.joins) continue;
    const places = remotes.get(part.request) ?? new Map<string, JoinLocation>();
    remotes.set(part.request, places.set(part.key, { places: part.joins, path }));
  }
  return { remotes, actions };
}
