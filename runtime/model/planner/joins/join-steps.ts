/** What is selected of other sources and servers → the steps that join it, level by level. */

import { invariant } from "../../../values/errors.ts";
import type { RemoteServer } from "../../definitions/remote/remote-server.ts";
import type { SourceDefinition } from "../../definitions/table.ts";
import { overBudget } from "../request/budget.ts";
import type { SelectedField, SelectedPlaces } from "../request/selected-field.ts";
import type { PlanOptions } from "../select/context.ts";
import type { JoinPlace, JoinPlaces, JoinStep, RemotePlace, StepNumber } from "./join-plan.ts";
import { remotePlaces } from "./remote-places.ts";
import { type SourcePlace, sourceStep } from "./source-step.ts";

/** What gives keys: what of a plan has a result of its own. Compared by identity. */
export type Origin = object;

/** A statement or request that is not written yet: more places may come. */
type OpenStep =
  | {
      readonly kind: "source";
      readonly origin: Origin;
      readonly target: SourceDefinition;
      readonly places: SourcePlace[];
    }
  | { readonly kind: "remote"; readonly origin: Origin; readonly target: RemoteServer; readonly places: RemotePlace[] };

/** Whether something is joined to values of this selection. */
export function holdsJoins(selection: readonly SelectedField[]): boolean {
  return selection.some(({ meta: { kind }, selection: below }) => {
    return kind === "join" || kind === "join_aggregate" || kind === "remote_join_request" || holdsJoins(below);
  });
}

/** Each is at least a statement, and waits for those above it. */
const maximumSteps = 100;

export class JoinSteps {
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #options: PlanOptions;
  readonly #steps: OpenStep[] = [];

  constructor(variables: Readonly<Record<string, unknown>>, options: PlanOptions) {
    this.#variables = variables;
    this.#options = options;
  }

  /**
   * Where in the value of a field keys stand; `undefined`: nowhere.
   * @param selection of the field
   * @param origin gives the value
   * @throws EngineError `validation-failed` for too many steps
   */
  collect(selection: readonly SelectedField[], origin: Origin): JoinPlaces | undefined {
    let places: Map<string, JoinPlace> | undefined;
    for (const field of selection) {
      const place = this.#place(field, origin);
      if (place === undefined) continue;
      places ??= new Map();
      places.set(field.key, place);
    }
    return places;
  }

  /** The same for a root field. */
  collectRoot({ meta, selection }: SelectedField, origin: Origin): JoinPlaces | undefined {
    if (meta.kind !== "remote_request") return this.collect(selection, origin);
    return this.#remotePlaces(meta.joins, origin);
  }

  /** All steps, in the order of the numbers that places have. */
  finish(): readonly JoinStep[] {
    return this.#steps.map((step) => {
      if (step.kind === "source") return sourceStep(step.target, step.places, this.#variables, this.#options);
      return { kind: "remote", server: step.target, places: step.places };
    });
  }

  #place(field: SelectedField, origin: Origin): JoinPlace | undefined {
    switch (field.meta.kind) {
      case "join":
      case "join_aggregate":
      case "remote_join_request":
        return { kind: "keys", ...this.#add(field, origin) };
      default: {
        const places = this.collect(field.selection, origin);
        return places && { kind: "below", places };
      }
    }
  }

  /** A field that is joined: where its values will be. */
  #add(field: SelectedField, origin: Origin): StepNumber {
    const { meta, selection, path } = field;
    if (meta.kind === "remote_join_request") {
      const { join, remote } = meta.request;
      const step = this.#remoteStep(remote.server, origin, path);
      const joins = this.#remotePlaces(meta.joins, step);
      step.places.push({ request: meta.request, keys: join.keys.length, path, ...(joins && { joins }) });
      return { step: this.#steps.indexOf(step), place: step.places.length - 1 };
    }
    invariant(meta.kind === "join" || meta.kind === "join_aggregate", `${field.key} is joined`);
    const { join } = meta;
    const step = this.#sourceStep(join.relationship.target().table.source, origin, path);
    const joins = this.collect(selection, step);
    step.places.push({ field, join, keys: join.keys.length, path, ...(joins && { joins }) });
    return { step: this.#steps.indexOf(step), place: step.places.length - 1 };
  }

  #remotePlaces(selected: SelectedPlaces | undefined, origin: Origin): JoinPlaces | undefined {
    return selected && remotePlaces(selected, (field) => this.#add(field, origin));
  }

  /** The statement of a source for keys of an origin. */
  #sourceStep(target: SourceDefinition, origin: Origin, path: string): Extract<OpenStep, { kind: "source" }> {
    for (const step of this.#steps) {
      if (step.kind === "source" && step.origin === origin && step.target === target) return step;
    }
    return this.#opened({ kind: "source", origin, target, places: [] }, path);
  }

  /** The request to a server for keys of an origin. */
  #remoteStep(target: RemoteServer, origin: Origin, path: string): Extract<OpenStep, { kind: "remote" }> {
    for (const step of this.#steps) {
      if (step.kind === "remote" && step.origin === origin && step.target === target) return step;
    }
    return this.#opened({ kind: "remote", origin, target, places: [] }, path);
  }

  #opened<Step extends OpenStep>(step: Step, path: string): Step {
    if (this.#steps.length === maximumSteps) {
      throw overBudget(`the query joins more than ${maximumSteps} levels of other sources`, path);
    }
    this.#steps.push(step);
    return step;
  }
}
