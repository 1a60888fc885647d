/**
 * A saved operation for one role → its plans as data, or why there are none. The schema is that of the role's own
 * modules, so that the SQL is what a request with this text would get.
 */
import { OperationTypeNode } from "graphql";
import type { InputRows, ParameterSlot } from "../../runtime/definitions/parameters.ts";
import type { JoinPlaces, SourceStep } from "../../runtime/planner/joins/join-plan.ts";
import type { WritePlan, WriteStep } from "../../runtime/planner/mutate/plan.ts";
import {
  type Plan,
  type Planned,
  type PlannedStatement,
  type PlanPart,
  planQuery,
} from "../../runtime/planner/plan.ts";
import { planMutation } from "../../runtime/planner/plan-mutation.ts";
import { planSubscription } from "../../runtime/planner/plan-subscription.ts";
import { type Operation, readOperation } from "../../runtime/planner/request/document.ts";
import { planName } from "../../runtime/planner/saved-plans.ts";
import type { PlanOptions } from "../../runtime/planner/select/context.ts";
import type { RoleSchema } from "../../runtime/schema/role-schema.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import { describeOperation } from "./describe-operation.ts";
import type { JoinPlacesIr, JoinStepIr, PlanIr, PlanPartIr, SavedPlansIr, SlotIr } from "./plans-ir.ts";

export type SavedOutcome =
  /** Every plan that a request can need, or those for the usual variables. */
  | { readonly kind: "fixed"; readonly plans: Omit<SavedPlansIr, "operation" | "role" | "variant"> }
  /** The text of its statements depends on values of variables: it is planned when they are known. */
  | { readonly kind: "open" }
  /** The role cannot run it. */
  | { readonly kind: "fault"; readonly faults: readonly string[] };

/** An operation with more combinations of variables gets plans for the first of them; requests plan the others. */
const mostPlans = 32;

export function planSavedOperation(text: string, schema: RoleSchema, options: PlanOptions): SavedOutcome {
  const { faults, variables } = describeOperation(text, schema);
  if (faults.length > 0) return { kind: "fault", faults };
  // Where something else than a scalar has to stand, the structure of values is part of the plan.
  const isOpen = [...variables.values()].flat().some((type) => type.kind !== "scalar" || type.structure !== undefined);
  if (isOpen) return { kind: "open" };
  try {
    return planAll(readOperation(text, null), schema, options);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // An operation is judged by the fields it names (a collection may be stored before what its arguments need); what
    // is wrong with arguments, requests are told when they come.
    return { kind: "open" };
  }
}

const planners = {
  [OperationTypeNode.QUERY]: planQuery,
  [OperationTypeNode.MUTATION]: planMutation,
  [OperationTypeNode.SUBSCRIPTION]: planSubscription,
};

function planAll(operation: Operation, schema: RoleSchema, options: PlanOptions): SavedOutcome {
  const kind = operation.definition.operation;
  const plan = (variables: Readonly<Record<string, unknown>>): Planned =>
    planners[kind](operation, schema, variables, options);
  if (kind === OperationTypeNode.SUBSCRIPTION) return { kind: "open" };
  const { optional, conditions, combinations } = combinationsOf(operation);
  const plans: Record<string, PlanIr> = {};
  for (const [i, variables] of combinations.entries()) {
    // The first combination is the usual one: what is wrong with it is wrong with the operation.
    const lowered = i === 0 ? (lowerPlan(plan(variables).plan) ?? "open") : lowerOrRefuse(() => plan(variables));
    if (lowered === "open") return { kind: "open" };
    if (lowered !== "refused") plans[planName({ optional, conditions }, variables)] = lowered;
  }
  return { kind: "fixed", plans: { kind, optional, conditions, plans } };
}

/** Some combinations are errors, such as a null where there must be a value: requests are told when they come. */
function lowerOrRefuse(plan: () => Planned): PlanIr | "open" | "refused" {
  try {
    return lowerPlan(plan().plan) ?? "open";
  } catch (error) {
    if (error instanceof EngineError) return "refused";
    throw error;
  }
}

/** Planning looks at no scalar's value. */
const sample = "1";

interface Combinations {
  readonly optional: readonly string[];
  readonly conditions: readonly string[];
  readonly combinations: readonly Readonly<Record<string, unknown>>[];
}

/** The states that the variables can have together, the usual ones first. */
function combinationsOf({ variables, usedVariables, conditions: decisive }: Operation): Combinations {
  const optional: string[] = [];
  const conditions: string[] = [];
  let combinations: Readonly<Record<string, unknown>>[] = [{}];
  for (const [name, { type, defaultValue }] of variables) {
    if (!usedVariables.has(name)) continue;
    const isRequired = type.kind === "NonNullType";
    const values: unknown[] = decisive.has(name) ? [true, false] : [sample];
    if (!isRequired || defaultValue) values.push(undefined);
    if (!isRequired) values.push(null);
    if (decisive.has(name)) conditions.push(name);
    else if (values.length > 1) optional.push(name);
    combinations = values
      .flatMap((value) => combinations.map((before) => (value === undefined ? before : { ...before, [name]: value })))
      .slice(0, mostPlans);
  }
  return { optional, conditions, combinations };
}

// ---------------------------------------------------------------- plans as data

/** `undefined`: something in it cannot be written down. */
function lowerPlan({ statements, writes, parts, joins = [] }: Plan): PlanIr | undefined {
  const plainParts = lowerParts(parts);
  if (!plainParts) return undefined;
  const plainStatements: PlanIr["statements"][number][] = [];
  for (const statement of statements) {
    const lowered = lowerStatement(statement);
    if (!lowered) return undefined;
    plainStatements.push(lowered);
  }
  const plainWrites: PlanIr["writes"][number][] = [];
  for (const write of writes) {
    const lowered = lowerWrite(write);
    if (!lowered) return undefined;
    plainWrites.push(lowered);
  }
  const plainJoins: JoinStepIr[] = [];
  for (const step of joins) {
    const lowered = step.kind === "source" ? lowerSourceStep(step) : undefined;
    if (!lowered) return undefined;
    plainJoins.push(lowered);
  }
  const steps = plainJoins.length === 0 ? {} : { joins: plainJoins };
  return { statements: plainStatements, writes: plainWrites, parts: plainParts, ...steps };
}

function lowerParts(parts: readonly PlanPart[]): readonly PlanPartIr[] | undefined {
  const plain: PlanPartIr[] = [];
  for (const part of parts) {
    switch (part.kind) {
      case "json":
        plain.push(part);
        break;
      case "column":
      case "write": {
        const { joins, ...own } = part;
        const lowered = joins && lowerPlaces(joins);
        if (joins && !lowered) return undefined;
        plain.push({ ...own, ...(lowered && { joins: lowered }) });
        break;
      }
      case "object": {
        const inner = lowerParts(part.parts);
        if (!inner) return undefined;
        plain.push({ ...part, parts: inner });
        break;
      }
      default:
        return undefined;
    }
  }
  return plain;
}

/** Keys of objects that remote servers answer are found by what only requests know. */
function lowerPlaces(places: JoinPlaces): JoinPlacesIr | undefined {
  const plain: Record<string, JoinPlacesIr[string]> = {};
  for (const [key, place] of places) {
    if (place.kind === "keys") {
      plain[key] = { kind: "keys", step: place.step, place: place.place };
      continue;
    }
    const below = place.kind === "below" ? lowerPlaces(place.places) : undefined;
    if (!below) return undefined;
    plain[key] = { kind: "below", places: below };
  }
  return plain;
}

function lowerSourceStep({ source, text, slots, places }: SourceStep): JoinStepIr | undefined {
  const plainSlots = lowerSlots(slots);
  if (!plainSlots) return undefined;
  const plainPlaces: JoinStepIr["places"][number][] = [];
  for (const { keys, path, joins } of places) {
    const lowered = joins && lowerPlaces(joins);
    if (joins && !lowered) return undefined;
    plainPlaces.push({ keys, path, ...(lowered && { joins: lowered }) });
  }
  return { source, text, slots: plainSlots, places: plainPlaces };
}

/** Fails to type-check where a plan says more than is written down here. */
type Complete<T, Known extends keyof T> = Exclude<keyof T, Known> extends never ? true : never;
const complete: Complete<
  PlannedStatement,
  "source" | "text" | "slots" | "callsFunctions" | "inSteps" | "multiplexed" | "cursor"
> &
  Complete<WritePlan, "source" | "validations" | "steps" | "answer"> &
  Complete<WriteStep, "text" | "slots" | "path" | "setsUser" | "expects"> = true;

function lowerStatement({
  source,
  text,
  slots,
  callsFunctions,
}: PlannedStatement): PlanIr["statements"][number] | undefined {
  const plain = lowerSlots(slots);
  return plain && { source, text, slots: plain, callsFunctions: callsFunctions ?? false };
}

function lowerWrite({ source, validations, steps, answer }: WritePlan): PlanIr["writes"][number] | undefined {
  // Webhooks that are asked before it are given the rows: they are planned with them.
  if (validations.length > 0 || !complete) return undefined;
  const plain: PlanIr["writes"][number]["steps"][number][] = [];
  for (const { slots, text, path, setsUser, expects } of steps) {
    const lowered = lowerSlots(slots);
    if (!lowered) return undefined;
    plain.push({ text, path, slots: lowered, setsUser: setsUser ?? false, ...(expects && { expects }) });
  }
  return { source, steps: plain, answer };
}

function lowerSlots(slots: readonly ParameterSlot[]): readonly SlotIr[] | undefined {
  const plain: SlotIr[] = [];
  for (const slot of slots) {
    const lowered = lowerSlot(slot);
    if (!lowered) return undefined;
    plain.push(lowered);
  }
  return plain;
}

function lowerSlot(slot: ParameterSlot): SlotIr | undefined {
  switch (slot.kind) {
    case "value": {
      const { source, code, path } = slot;
      return code && { kind: "value", source, code, path };
    }
    case "column": {
      const { rows, name, code } = slot;
      return code && rows.written && { kind: "column", rows: rows.written, name, code };
    }
    case "join_keys":
      return { kind: "join_keys", place: slot.place, column: slot.column, form: slot.form };
    case "result":
      return { kind: "result", step: slot.step, column: slot.column };
    case "copied": {
      const parts = slot.parts.map(({ rows, ...part }) => ({ ...part, rows: writtenOf(rows) }));
      return parts.every((part): part is typeof part & { rows: NonNullable<typeof part.rows> } => !!part.rows)
        ? { kind: "copied", parts }
        : undefined;
    }
    case "session":
      return { kind: "session", variable: slot.variable };
    case "whole_session":
      return { kind: "whole_session" };
    default:
      return undefined;
  }
}

const writtenOf = ({ written }: InputRows): InputRows["written"] => written;
