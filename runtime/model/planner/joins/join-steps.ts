/** Plans the steps that join selections from other sources and remote schemas, level by level. */
import { EngineError, invariant } from "../../../values/errors.ts";
import { joinKeysSlot, type KeyForm } from "../../definitions/parameters.ts";
import type { RemoteServer } from "../../definitions/remote/remote-server.ts";
import { keyColumn, type ToSource } from "../../definitions/remote-relationship.ts";
import { joinSql, parameter, render, type Sql, sql } from "../../definitions/sql.ts";
import type { SourceDefinition } from "../../definitions/table.ts";
import { overBudget } from "../request/budget.ts";
import type { SelectedField, SelectedPlaces } from "../request/selected-field.ts";
import { type BuildContext, buildContext, type PlanOptions } from "../select/context.ts";
import { selectJoined } from "../select/select.ts";
import type {
  JoinPlace,
  JoinPlaces,
  JoinStep,
  RemotePlace,
  SourceStep,
  StepNumber,
  StepPlace,
  TypedKeys,
} from "./join-plan.ts";

/** The part of a plan whose result contains the keys, compared by identity. */
export type Origin = object;

/** A step under construction, to which places may be added. */
type OpenStep =
  | {
      readonly kind: "source";
      readonly origin: Origin;
      readonly target: SourceDefinition;
      readonly places: SourcePlace[];
    }
  | { readonly kind: "remote"; readonly origin: Origin; readonly target: RemoteServer; readonly places: RemotePlace[] };

/** Returns true if the selection contains joins. */
export function holdsJoins(selection: readonly SelectedField[]): boolean {
  return selection.some(({ meta: { kind }, selection: below }) => {
    return kind === "join" || kind === "join_aggregate" || kind === "remote_join_request" || holdsJoins(below);
  });
}

/** Maximum number of steps. Each step runs at least one statement or request, and waits for the steps above it. */
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
   * Returns the locations of join keys in a field's value, if any.
   * @param selection selection of the field
   * @param origin the part of the plan whose result contains the value
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

  /** Returns the locations of join keys in a root field's value, if any. */
  collectRoot({ meta, selection }: SelectedField, origin: Origin): JoinPlaces | undefined {
    if (meta.kind !== "remote_request") return this.collect(selection, origin);
    return this.#remotePlaces(meta.joins, origin);
  }

  /** Returns all steps; places refer to them by index. */
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

  /** Adds a joined field and returns the location of its values. */
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

  /** Returns the step that reads a source for the keys of an origin. */
  #sourceStep(target: SourceDefinition, origin: Origin, path: string): Extract<OpenStep, { kind: "source" }> {
    for (const step of this.#steps) {
      if (step.kind === "source" && step.origin === origin && step.target === target) return step;
    }
    return this.#opened({ kind: "source", origin, target, places: [] }, path);
  }

  /** Returns the step that sends the keys of an origin to a remote server. */
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

// Join keys in responses of remote servers.

/**
 * Returns the locations of join keys in a remote value.
 * @param add adds a joined field to a step
 */
function remotePlaces(selected: SelectedPlaces, add: (field: SelectedField) => StepNumber): JoinPlaces {
  const places = new Map<string, JoinPlace>();
  for (const [key, place] of selected) {
    switch (place.kind) {
      case "below":
        places.set(key, { kind: "below", places: remotePlaces(place.places, add) });
        break;
      case "typed": {
        const types = new Map([...place.types].map(([type, { field, members }]) => [type, { ...add(field), members }]));
        places.set(key, { kind: "typed", types } satisfies TypedKeys);
        break;
      }
      case "hidden":
        places.set(key, place);
    }
  }
  return places;
}

// Rows of another source for all keys of a level, in one statement
// (`docs/how-to/remote-relationships.md`).

/** A field whose values are in another source. */
interface SourcePlace extends StepPlace {
  readonly field: SelectedField;
  readonly join: ToSource;
}

function sourceStep(
  source: SourceDefinition,
  places: readonly SourcePlace[],
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): SourceStep {
  const context = buildContext(source.dialect, options, variables);
  const rows = places.map((place, i) => rowsOfPlace(place, i, context));
  const { text, slots } = render(joinSql([...context.before, joinSql(rows, "\nunion all ")], ";\n"), source.dialect);
  return {
    kind: "source",
    source: source.name,
    text,
    slots,
    places: places.map(({ field: _, join: __, ...place }) => place),
  };
}

/** Selects one row: the place's number, and its values as one text, each with the position of its key. */
function rowsOfPlace({ field, join }: SourcePlace, place: number, context: BuildContext): Sql {
  const { dialect } = context;
  const { entities } = dialect;
  if (!entities) throw new EngineError("unexpected", field.path, "this database does not support lists of keys");
  const given = context.alias();
  const list = (column: number, form: KeyForm) => ({
    name: keyColumn(column),
    values: parameter(joinKeysSlot(place, column, form, dialect.writes.textList)),
  });
  const texts = join.types.map(({ json }, i) => list(i, json ? "json" : "text"));
  // If no columns are compared, the list of keys determines the number of rows.
  if (texts.length === 0) texts.push(list(0, "json"));
  const typed = dialect.select({
    columns: [
      sql`${given}.i as i`,
      ...join.types.map(
        (type, i) =>
          sql`${entities.joinOperand(sql`${given}.${keyColumn(i)}`, type, join.keys[i]?.value?.type)} as ${keyColumn(i)}`,
      ),
    ],
    from: entities.numberedRowsOfTexts(texts, given),
  });
  const row = context.alias();
  const { value, from } = selectJoined(join.relationship, field, { keys: sql`(${typed})`, row }, context);
  const number = dialect.textLiteral(String(place));
  const rows = dialect.select({ columns: [sql`${row}.i as i`, sql`${value} as v`], from });
  const all = context.alias();
  const placed = entities.placedTexts(sql`${all}.i`, sql`${all}.v`);
  return dialect.select({ columns: [sql`${number} as p`, sql`${placed} as v`], from: sql`(${rows}) ${all}` });
}
