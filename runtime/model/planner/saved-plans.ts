/**
 * Functions that generated modules use to declare plans of saved operations: statements, the sources of their values,
 * and the structure of the response.
 */
import type { Dialect } from "../definitions/dialect.ts";
import {
  copiedSlot,
  type Encoder,
  type InputRows,
  joinKeysSlot,
  type KeyForm,
  type ParameterSlot,
  resultSlot,
  sessionSlot,
  type ValueSource,
  valueSlot,
  type WrittenRow,
  wholeSessionSlot,
  writtenRows,
} from "../definitions/parameters.ts";
import { presenceState, type VariableState, valueState } from "../definitions/saved/variable.ts";
import type { JoinPlace, JoinPlaces, SourceStep, StepPlace } from "./joins/join-plan.ts";
import { columnSlot } from "./mutate/insert.ts";
import type { ResultPiece, StepColumn, WritePlan, WriteStep } from "./mutate/plan.ts";
import type { Plan, PlannedStatement, PlanPart } from "./plan.ts";

/** The plans of one saved operation for one role. */
export interface SavedPlans {
  /** Variables whose state (given, null or absent) selects the plan. */
  readonly optional: readonly string[];
  /** Variables of `@include` and `@skip`, whose values also select the plan. */
  readonly conditions: readonly string[];
  /** Plans by the states of those variables, such as `limit given, flag true`; `always` if there are none. */
  readonly plans: Readonly<Record<string, Plan>>;
}

/** States of the variables that select a plan, by name. */
export type VariableStates = Readonly<Record<string, VariableState>>;

/** One plan, or several plans selected by the states of variables. */
type WrittenPlans =
  | { readonly always: Plan }
  | (Partial<Pick<SavedPlans, "optional" | "conditions">> & {
      readonly plans: readonly {
        /** States of the variables for which this plan runs. */
        readonly when: readonly VariableStates[];
        readonly plan: Plan;
      }[];
    });

export function savedPlans(written: WrittenPlans): SavedPlans {
  if ("always" in written) return { optional: [], conditions: [], plans: { always: written.always } };
  const { optional = [], conditions = [], plans } = written;
  const byStates = plans.flatMap(({ when, plan }) =>
    when.map((states) => [stateName({ optional, conditions }, states), plan] as const),
  );
  return { optional, conditions, plans: Object.fromEntries(byStates) };
}

/** Returns the states of the variables that select the plan. */
export function statesOf(
  { optional, conditions }: Pick<SavedPlans, "optional" | "conditions">,
  variables: Readonly<Record<string, unknown>>,
): VariableStates {
  return Object.fromEntries([
    ...optional.map((name) => [name, presenceState(variables[name])] as const),
    ...conditions.map((name) => [name, valueState(variables[name])] as const),
  ]);
}

/** Returns the name of the plan for these states. */
export function stateName(
  { optional, conditions }: Pick<SavedPlans, "optional" | "conditions">,
  states: VariableStates,
): string {
  const named = [...optional, ...conditions].map((variable) => `${variable} ${states[variable]}`);
  return named.length === 0 ? "always" : named.join(", ");
}

/** Returns the name of the plan for these variables. */
export function planName(
  { optional, conditions }: Pick<SavedPlans, "optional" | "conditions">,
  variables: Readonly<Record<string, unknown>>,
): string {
  let name = "";
  for (const variable of optional) name += `, ${variable} ${presenceState(variables[variable])}`;
  for (const variable of conditions) name += `, ${variable} ${valueState(variables[variable])}`;
  return name === "" ? "always" : name.slice(2);
}

/** Declares the plan of a query. */
export function queryPlan(plan: Pick<Plan, "statements" | "remotes" | "actions" | "parts" | "joins">): Plan {
  return { ...plan, writes: [] };
}

/** Declares the plan of a mutation. */
export function mutationPlan(plan: Pick<Plan, "writes" | "remotes" | "actions" | "parts" | "joins">): Plan {
  return { ...plan, statements: [] };
}

/** Declares a statement on a source; `slots` are its parameters, starting at `$1`. */
export function statement(
  source: string,
  text: string,
  slots: readonly ParameterSlot[],
  options: { readonly callsFunctions?: true } = {},
): PlannedStatement {
  return { source, text, slots, ...options };
}

/** Declares one statement of a mutation field. */
export function writeStep(
  text: string,
  slots: readonly ParameterSlot[],
  path: string,
  options: Pick<WriteStep, "setsUser" | "expects" | "needs" | "lacks"> = {},
): WriteStep {
  return { text, slots, path, ...options };
}

export function write(source: string, steps: readonly WriteStep[], result: readonly ResultPiece[]): WritePlan {
  return { source, validations: [], steps, result };
}

// ---------------------------------------------------------------- members of the response

/** Declares a member with the value of a result column. */
export function columnOf(
  key: string,
  from: { readonly statement: number; readonly column: number },
  joins?: WrittenPlaces,
): PlanPart {
  return { kind: "column", key, ...from, ...joined(joins) };
}

/** Declares a member with the result of a mutation field. */
export function writeOf(key: string, from: { readonly write: number }, joins?: WrittenPlaces): PlanPart {
  return { kind: "write", key, ...from, ...joined(joins) };
}

/** Declares an object with nested members. */
export function membersOf(key: string, parts: readonly PlanPart[]): PlanPart {
  return { kind: "object", key, parts };
}

export function jsonOf(key: string, json: string): PlanPart {
  return { kind: "json", key, json };
}

// ---------------------------------------------------------------- joins

/** Locations of join keys in a value, by response key. */
export interface WrittenPlaces {
  readonly [key: string]: WrittenPlaces | KeysPlace | TypedPlaces | typeof hiddenKey;
}

type KeysPlace = readonly [step: number, place: number, ...members: readonly string[]];
type TypedPlaces = Extract<JoinPlace, { kind: "typed" }>["types"];

/**
 * Declares join keys that are replaced by values of a place of a step.
 * @param members hidden members of a remote object that contain the keys
 */
export function keysFor(
  { step, place }: { readonly step: number; readonly place: number },
  ...members: readonly string[]
): KeysPlace {
  return [step, place, ...members];
}

/** Declares joins by the object's upstream type name. */
export function keysByType(types: Readonly<Record<string, KeysPlace>>): TypedPlaces {
  return new Map(
    Object.entries(types).map(([type, [step, place, ...members]]) => [type, { step, place, members }] as const),
  );
}

/** Marks a member that contains a key and is removed from the response. */
export const hiddenKey = "hidden";

export function joined(places: WrittenPlaces | undefined): { readonly joins?: JoinPlaces } {
  return places === undefined ? {} : { joins: placesOf(places) };
}

function placesOf(places: WrittenPlaces): JoinPlaces {
  return new Map(Object.entries(places).map(([key, place]) => [key, placeOf(place)]));
}

function placeOf(place: WrittenPlaces[string]): JoinPlace {
  if (place === hiddenKey) return { kind: "hidden" };
  if (isKeysPlace(place)) return { kind: "keys", step: place[0], place: place[1] };
  if (isTypedPlaces(place)) return { kind: "typed", types: place };
  return { kind: "below", places: placesOf(place) };
}

const isKeysPlace = (place: WrittenPlaces | KeysPlace | TypedPlaces): place is KeysPlace => Array.isArray(place);

const isTypedPlaces = (place: WrittenPlaces | TypedPlaces): place is TypedPlaces => place instanceof Map;

/** Declares a statement for all keys of a level. */
export function joinStep(
  source: string,
  text: string,
  slots: readonly ParameterSlot[],
  places: readonly StepPlace[],
): SourceStep {
  return { kind: "source", source, text, slots, places };
}

/**
 * Declares a place of a join step.
 * @param place the number of keys that identify one value, and path of the field
 */
export function joinPlace(place: Pick<StepPlace, "keys" | "path">, joins?: WrittenPlaces): StepPlace {
  return { ...place, ...joined(joins) };
}

/** Declares a parameter with a column of a place's keys as a list. */
export function keysOf(
  dialect: Dialect,
  { place, column }: { readonly place: number; readonly column: number },
  form: KeyForm = "text",
): ParameterSlot {
  return joinKeysSlot(place, column, form, dialect.writes.textList);
}

// ---------------------------------------------------------------- values

/** Declares a variable of the request, or a part of its value. */
export function fromVariable(name: string, ...within: readonly (string | number)[]): ValueSource {
  return { kind: "variable", name, within };
}

/** Declares a literal of the operation. */
export function constantValue(value: unknown): ValueSource {
  return { kind: "constant", value };
}

export function listOf(...items: readonly ValueSource[]): ValueSource {
  return { kind: "list", items };
}

export function objectOf(...members: readonly (readonly [string, ValueSource])[]): ValueSource {
  return { kind: "object", members };
}

// ---------------------------------------------------------------- parameters

/**
 * Declares a parameter with the value of a source.
 * @param path path for errors about the value
 */
export function value(source: ValueSource, encoder: Encoder, path: string): ParameterSlot {
  return valueSlot(source, encoder, "", path);
}

export function sessionValue(variable: string): ParameterSlot {
  return sessionSlot(variable);
}

/** All session variables as one JSON object. */
export const wholeSessionValue: ParameterSlot = wholeSessionSlot;

/** Declares rows that are literals of the operation. */
export function rows(...list: readonly WrittenRow[]): InputRows {
  return writtenRows("", list);
}

/** Declares a parameter with one column of rows as a list. */
export function columnValues(dialect: Dialect, from: InputRows, name: string, encoder: Encoder): ParameterSlot {
  return columnSlot(from, name, encoder, dialect.writes.textList);
}

/** Declares a parameter with a result of an earlier statement of the same field. */
export function resultOf(from: StepColumn): ParameterSlot {
  return resultSlot(from);
}

/** Declares a parameter with values of rows that earlier statements of the same field wrote. */
export function copiedValues(
  dialect: Dialect,
  ...parts: readonly {
    readonly step: number;
    readonly column: number;
    readonly index: number;
    readonly rows: InputRows;
  }[]
): ParameterSlot {
  return copiedSlot(parts, dialect.writes.listTexts, dialect.writes.textList);
}
