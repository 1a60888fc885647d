/** What is selected of other sources and servers → the steps that join it, level by level. */
import type { SourceDefinition } from "../../definitions/table.ts";
import { overBudget } from "../request/budget.ts";
import type { SelectedField } from "../request/selected-field.ts";
import type { PlanOptions } from "../select/context.ts";
import type { JoinPlace, JoinPlaces, JoinStep } from "./join-plan.ts";
import { type SourcePlace, sourceStep } from "./source-step.ts";

/** What gives keys: what of a plan has a result of its own. Compared by identity. */
export type Origin = object;

/** A statement that is not written yet: more places may come. */
interface OpenStep {
  readonly origin: Origin;
  readonly source: SourceDefinition;
  readonly places: SourcePlace[];
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

  /** All steps, in the order of the numbers that places have. */
  finish(): readonly JoinStep[] {
    return this.#steps.map(({ source, places }) => sourceStep(source, places, this.#variables, this.#options));
  }

  #place(field: SelectedField, origin: Origin): JoinPlace | undefined {
    const { meta, selection } = field;
    if (meta.kind !== "join" && meta.kind !== "join_aggregate") {
      const places = this.collect(selection, origin);
      return places && { kind: "below", places };
    }
    const { join } = meta;
    const step = this.#stepOf(join.relationship.target().table.source, origin, field);
    const { places } = step;
    const joins = this.collect(selection, step);
    places.push({ field, join, keys: join.keys.length, path: field.path, ...(joins && { joins }) });
    return { kind: "keys", step: this.#steps.indexOf(step), place: places.length - 1 };
  }

  /** The statement of a source for keys of an origin. */
  #stepOf(source: SourceDefinition, origin: Origin, { path }: SelectedField): OpenStep {
    const known = this.#steps.find((step) => step.origin === origin && step.source === source);
    if (known) return known;
    if (this.#steps.length === maximumSteps) {
      throw overBudget(`the query joins more than ${maximumSteps} levels of other sources`, path);
    }
    const step: OpenStep = { origin, source, places: [] };
    this.#steps.push(step);
    return step;
  }
}
