/**
 * Plans of saved operations as the modules of a role declare them: statements, where their values come from, and how
 * the answer is put together. The functions of this file are what such a module is written with.
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
import { presenceState, valueState } from "../definitions/saved/variable-state.ts";
import type { JoinPlace, JoinPlaces, SourceStep, StepPlace } from "./joins/join-plan.ts";
import { columnSlot } from "./mutate/insert.ts";
import type { AnswerPiece, ExpectedRows, StepColumn, WritePlan, WriteStep } from "./mutate/plan.ts";
import type { Plan, PlannedStatement, PlanPart } from "./plan.ts";

/** The plans of one saved operation for one role. */
export interface SavedPlans {
  /** Variables that decide about the plan by being given, null or absent. */
  readonly optional: readonly string[];
  /** Variables of `@include` and `@skip`, which decide by their value too. */
  readonly conditions: readonly string[];
  /** By the states of those variables: `limit given, flag true`; `always` where there are none. */
  readonly plans: Readonly<Record<string, Plan>>;
}

export function savedPlans(plans: SavedPlans): SavedPlans {
  return plans;
}

/** The name of the plan for these variables. */
export function planName(
  { optional, conditions }: Pick<SavedPlans, "optional" | "conditions">,
  variables: Readonly<Record<string, unknown>>,
): string {
  let name = "";
  for (const variable of optional) name += `, ${variable} ${presenceState(variables[variable])}`;
  for (const variable of conditions) name += `, ${variable} ${valueState(variables[variable])}`;
  return name === "" ? "always" : name.slice(2);
}

/** The plan of a query. */
export function queryPlan(plan: Pick<Plan, "statements" | "remotes" | "actions" | "parts" | "joins">): Plan {
  return { ...plan, writes: [] };
}

/** The plan of a mutation. */
export function mutationPlan(plan: Pick<Plan, "writes" | "remotes" | "actions" | "parts" | "joins">): Plan {
  return { ...plan, statements: [] };
}

/** A statement on a source; `slots` are its parameters, from `$1`. */
export function statement(
  source: string,
  text: string,
  slots: readonly ParameterSlot[],
  options: { readonly callsFunctions?: true } = {},
): PlannedStatement {
  return { source, text, slots, ...options };
}

/** One statement of a mutation field. */
export function writeStep(
  text: string,
  slots: readonly ParameterSlot[],
  path: string,
  options: { readonly setsUser?: true; readonly expects?: ExpectedRows } = {},
): WriteStep {
  return { text, slots, path, ...options };
}

export function write(source: string, steps: readonly WriteStep[], answer: readonly AnswerPiece[]): WritePlan {
  return { source, validations: [], steps, answer };
}

export function stepColumn(step: number, column: number): StepColumn {
  return { step, column };
}

// ---------------------------------------------------------------- members of the answer

/** What a column of a statement holds. */
export function columnOf(key: string, statementIndex: number, column: number, joins?: WrittenPlaces): PlanPart {
  return { kind: "column", key, statement: statementIndex, column, ...joined(joins) };
}

/** What a field of a mutation answers. */
export function writeOf(key: string, index: number, joins?: WrittenPlaces): PlanPart {
  return { kind: "write", key, write: index, ...joined(joins) };
}

/** An object with members of its own. */
export function membersOf(key: string, parts: readonly PlanPart[]): PlanPart {
  return { kind: "object", key, parts };
}

export function jsonOf(key: string, json: string): PlanPart {
  return { kind: "json", key, json };
}

// ---------------------------------------------------------------- joins

/** Where keys stand in a value, by keys of the answer: here, or below. */
export interface WrittenPlaces {
  readonly [key: string]: WrittenPlaces | KeysPlace | TypedPlaces | typeof hiddenKey;
}

type KeysPlace = readonly [step: number, place: number, ...members: readonly string[]];
type TypedPlaces = Extract<JoinPlace, { kind: "typed" }>["types"];

/**
 * Keys stand here, which a step replaces by values of one of its places.
 * @param members of an object that a remote server answers: what holds the keys
 */
export function keysFor(step: number, place: number, ...members: readonly string[]): KeysPlace {
  return [step, place, ...members];
}

/** What is joined here depends on the type of the object, as the server calls it. */
export function keysByType(types: Readonly<Record<string, KeysPlace>>): TypedPlaces {
  return new Map(
    Object.entries(types).map(([type, [step, place, ...members]]) => [type, { step, place, members }] as const),
  );
}

/** A member that holds a key, and is left out of the answer. */
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

/** A statement for all keys of a level. */
export function joinStep(
  source: string,
  text: string,
  slots: readonly ParameterSlot[],
  places: readonly StepPlace[],
): SourceStep {
  return { kind: "source", source, text, slots, places };
}

/** @param keys how many find one value @param path of the field */
export function joinPlace(keys: number, path: string, joins?: WrittenPlaces): StepPlace {
  return { keys, path, ...joined(joins) };
}

/** The keys of a place, or their positions, as one list. */
export function keysOf(dialect: Dialect, place: number, column: number, form: KeyForm = "text"): ParameterSlot {
  return joinKeysSlot(place, column, form, dialect.writes.textList);
}

// ---------------------------------------------------------------- values

/** A variable of the request, or what stands inside of it. */
export function given(name: string, ...within: readonly (string | number)[]): ValueSource {
  return { kind: "variable", name, within };
}

/** A value that the operation writes. */
export function written(value: unknown): ValueSource {
  return { kind: "constant", value };
}

export function listOf(...items: readonly ValueSource[]): ValueSource {
  return { kind: "list", items };
}

export function objectOf(...members: readonly (readonly [string, ValueSource])[]): ValueSource {
  return { kind: "object", members };
}

// ---------------------------------------------------------------- parameters

/** @param path of errors about the value */
export function value(source: ValueSource, encoder: Encoder, path: string): ParameterSlot {
  return valueSlot(source, encoder, "", path);
}

export function sessionValue(variable: string): ParameterSlot {
  return sessionSlot(variable);
}

/** All session variables as one JSON object. */
export const wholeSessionValue: ParameterSlot = wholeSessionSlot;

/** Rows that the operation writes. */
export function rows(...list: readonly WrittenRow[]): InputRows {
  return writtenRows("", list);
}

/** One column of rows, as one list. */
export function columnValues(dialect: Dialect, from: InputRows, name: string, encoder: Encoder): ParameterSlot {
  return columnSlot(from, name, encoder, dialect.writes.textList);
}

/** What an earlier statement of the same field gave. */
export function resultOf(step: number, column: number): ParameterSlot {
  return resultSlot({ step, column });
}

/** Values of rows that earlier statements of the same field wrote. */
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
