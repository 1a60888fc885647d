/**
 * Plans a saved operation for one role, on the schema of the role's generated modules: its SQL equals the SQL of a
 * request with the same text. The plans are plain data.
 */
import { OperationTypeNode, print } from "graphql";
import type { InputRows, ParameterSlot } from "../../runtime/model/definitions/parameters.ts";
import type { ActionPlan, OutputRead } from "../../runtime/model/planner/action-plan.ts";
import type { JoinPlace, JoinPlaces, RemoteStep, SourceStep } from "../../runtime/model/planner/joins/join-plan.ts";
import type { WritePlan, WriteStep } from "../../runtime/model/planner/mutate/plan.ts";
import { type Plan, type PlannedStatement, type PlanPart, planQuery } from "../../runtime/model/planner/plan.ts";
import { planMutation } from "../../runtime/model/planner/plan-mutation.ts";
import { planSubscription } from "../../runtime/model/planner/plan-subscription.ts";
import type { ActionCall } from "../../runtime/model/planner/request/action/select.ts";
import { describeOperation, type MissingField } from "../../runtime/model/planner/request/describe-operation.ts";
import type { Operation } from "../../runtime/model/planner/request/document.ts";
import { statesOf, type VariableStates } from "../../runtime/model/planner/saved-plans.ts";
import type { PlanOptions } from "../../runtime/model/planner/select/context.ts";
import type { RoleSchema } from "../../runtime/model/schema/role-schema.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import type { ExportedValues } from "./exported-values.ts";
import type { JoinedIr, JoinPlaceIr, JoinPlacesIr } from "./joins-ir.ts";
import { lowerRemote, lowerRemotePlace, mapped } from "./lower-remotes.ts";
import type {
  ActionRequestIr,
  Complete,
  PlanIr,
  PlanPartIr,
  RemoteStepIr,
  SavedPlansIr,
  SlotIr,
  SourceStepIr,
} from "./plans-ir.ts";

export type SavedOutcome =
  /** All plans of the operation, or the first `maxPlans`. */
  | { readonly kind: "fixed"; readonly plans: Omit<SavedPlansIr, "operation" | "role" | "variant"> }
  /** Statements depend on variable values, so each request is planned. */
  | { readonly kind: "open" }
  /** The role cannot run it. */
  | { readonly kind: "fault"; readonly faults: readonly string[]; readonly missing?: readonly MissingField[] };

/**
 * Operations with more combinations of variables get plans for the first ones; other combinations are planned per
 * request.
 */
const maxPlans = 32;

/** @param values the exports of the role's modules, which plans refer to */
export function planSavedOperation(
  operation: Operation,
  schema: RoleSchema,
  options: PlanOptions,
  values: ExportedValues,
): SavedOutcome {
  const { faults, missing, isOpen } = describeOperation(operation, schema);
  if (faults.length > 0) return { kind: "fault", faults, missing };
  if (isOpen) return { kind: "open" };
  try {
    return planAll(operation, schema, options, values);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // Only missing fields are faults of an operation: a collection may be stored before the objects that its arguments
    // refer to. Requests report errors in arguments.
    return { kind: "open" };
  }
}

const planners = {
  [OperationTypeNode.QUERY]: planQuery,
  [OperationTypeNode.MUTATION]: planMutation,
  [OperationTypeNode.SUBSCRIPTION]: planSubscription,
};

function planAll(operation: Operation, schema: RoleSchema, options: PlanOptions, values: ExportedValues): SavedOutcome {
  const kind = operation.definition.operation;
  const plan = (variables: Readonly<Record<string, unknown>>): PlanIr | undefined =>
    lowerPlan(planners[kind](operation, schema, variables, options).plan, kind, values);
  if (kind === OperationTypeNode.SUBSCRIPTION) return { kind: "open" };
  const { optional, conditions, combinations } = combinationsOf(operation);
  const plans: { readonly when: VariableStates; readonly plan: PlanIr }[] = [];
  for (const [i, variables] of combinations.entries()) {
    // The first combination is the usual one: an error in it is an error of the operation.
    const lowered = i === 0 ? (plan(variables) ?? "open") : lowerOrReject(() => plan(variables));
    if (lowered === "open") return { kind: "open" };
    if (lowered !== "rejected") plans.push({ when: statesOf({ optional, conditions }, variables), plan: lowered });
  }
  return { kind: "fixed", plans: { kind, optional, conditions, plans } };
}

/** Returns `"rejected"` for an invalid combination, such as null for a required value; requests report these errors. */
function lowerOrReject(plan: () => PlanIr | undefined): PlanIr | "open" | "rejected" {
  try {
    return plan() ?? "open";
  } catch (error) {
    if (error instanceof EngineError) return "rejected";
    throw error;
  }
}

/** The scalar value that is planned with: plans do not depend on scalar values. */
const sample = "1";

interface Combinations {
  readonly optional: readonly string[];
  readonly conditions: readonly string[];
  readonly combinations: readonly Readonly<Record<string, unknown>>[];
}

/** Returns the combinations of variable states, the usual ones first, up to `maxPlans`. */
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
      .slice(0, maxPlans);
  }
  return { optional, conditions, combinations };
}

// ---------------------------------------------------------------- plans as data

/** Lowers a plan to IR; returns `undefined` if a part has no IR. */
function lowerPlan(
  { statements, writes, parts, remotes = [], actions = [], joins = [] }: Plan,
  kind: OperationTypeNode,
  values: ExportedValues,
): PlanIr | undefined {
  const plainParts = lowerParts(parts);
  const plainStatements = mapped(statements, lowerStatement);
  const plainWrites = mapped(writes, lowerWrite);
  const plainRemotes = mapped(remotes, (request) => lowerRemote(request, kind, values));
  const plainActions = mapped(actions, (plan) => lowerAction(plan, values));
  const steps = mapped(joins, (step) =>
    step.kind === "source" ? lowerSourceStep(step) : lowerRemoteStep(step, values),
  );
  if (!plainParts || !plainStatements || !plainWrites || !plainRemotes || !plainActions || !steps) return undefined;
  return {
    statements: plainStatements,
    writes: plainWrites,
    parts: plainParts,
    ...(plainRemotes.length > 0 && { remotes: plainRemotes }),
    ...(plainActions.length > 0 && { actions: plainActions }),
    ...(steps.length > 0 && { joins: steps }),
  };
}

const lowerParts = (parts: readonly PlanPart[]): readonly PlanPartIr[] | undefined => mapped(parts, lowerPart);

function lowerPart(part: PlanPart): PlanPartIr | undefined {
  switch (part.kind) {
    case "json":
      return part;
    case "column":
    case "write":
    case "remote":
    case "action": {
      const { joins, ...own } = part;
      return { ...own, ...lowerJoined(joins) };
    }
    case "object": {
      const inner = lowerParts(part.parts);
      return inner && { ...part, parts: inner };
    }
    default:
      return undefined;
  }
}

const lowerJoined = (places: JoinPlaces | undefined): JoinedIr => (places ? { joins: lowerPlaces(places) } : {});

function lowerPlaces(places: JoinPlaces): JoinPlacesIr {
  return Object.fromEntries([...places].map(([key, place]) => [key, lowerPlace(place)]));
}

function lowerPlace(place: JoinPlace): JoinPlaceIr {
  switch (place.kind) {
    case "keys":
      return { kind: "keys", step: place.step, place: place.place };
    case "below":
      return { kind: "below", places: lowerPlaces(place.places) };
    case "typed":
      return { kind: "typed", types: Object.fromEntries(place.types) };
    case "hidden":
      return place;
  }
}

function lowerSourceStep({ source, text, slots, places }: SourceStep): SourceStepIr | undefined {
  const plainSlots = lowerSlots(slots);
  const plainPlaces = places.map(({ keys, path, joins }) => ({ keys, path, ...lowerJoined(joins) }));
  return plainSlots && { source, text, slots: plainSlots, places: plainPlaces };
}

function lowerRemoteStep({ places }: RemoteStep, values: ExportedValues): RemoteStepIr | undefined {
  const plainPlaces = mapped(places, (place) => {
    const lowered = lowerRemotePlace(place, values);
    return lowered && { ...lowered, ...lowerJoined(place.joins) };
  });
  return plainPlaces && { kind: "remote", places: plainPlaces };
}

const complete: Complete<
  PlannedStatement,
  "source" | "text" | "slots" | "callsFunctions" | "inSteps" | "multiplexed" | "cursor"
> &
  Complete<WritePlan, "source" | "validations" | "steps" | "result"> &
  Complete<WriteStep, "text" | "slots" | "path" | "setsUser" | "expects" | "needs" | "lacks"> = true;

function lowerAction(plan: ActionPlan, values: ExportedValues): ActionRequestIr | undefined {
  const { call, output, reads, afterWrites } = plan;
  const { given, path, defaults } = call.input;
  const action = values.action(call.action);
  const plainReads = mapped(reads, ({ slots, ...read }) => {
    const plain = lowerSlots(slots);
    return plain && { ...read, slots: plain };
  });
  if (!action || !plainReads || !completeAction) return undefined;
  const args = given.map(({ name, node }) => [name, print(node)] as const);
  const defaultTexts = [...defaults].map(([name, node]) => [name, print(node)] as const);
  return { action, use: call.use, path, args, defaults: defaultTexts, output, reads: plainReads, afterWrites };
}

const completeAction: Complete<ActionPlan, "call" | "output" | "reads" | "afterWrites"> &
  Complete<ActionCall, "action" | "use" | "input" | "result"> &
  Complete<ActionCall["input"], "given" | "required" | "path" | "defaults"> &
  Complete<OutputRead, "source" | "text" | "slots" | "places"> = true;

function lowerStatement({
  source,
  text,
  slots,
  callsFunctions,
}: PlannedStatement): PlanIr["statements"][number] | undefined {
  const plain = lowerSlots(slots);
  return plain && { source, text, slots: plain, callsFunctions: callsFunctions ?? false };
}

function lowerWrite({ source, validations, steps, result }: WritePlan): PlanIr["writes"][number] | undefined {
  // Validation webhooks receive the rows, so the operation is planned per request.
  if (validations.length > 0 || !complete) return undefined;
  const plain = mapped(steps, ({ slots, text, path, setsUser, expects, needs, lacks }) => {
    const lowered = lowerSlots(slots);
    const conditions = { ...(expects && { expects }), ...(needs && { needs }), ...(lacks && { lacks }) };
    return lowered && { text, path, slots: lowered, setsUser: setsUser ?? false, ...conditions };
  });
  return plain && { source, steps: plain, result };
}

const lowerSlots = (slots: readonly ParameterSlot[]): readonly SlotIr[] | undefined => mapped(slots, lowerSlot);

function lowerSlot(slot: ParameterSlot): SlotIr | undefined {
  switch (slot.kind) {
    case "value": {
      const { source, code, path } = slot;
      return code && { kind: "value", source, code, path };
    }
    case "column": {
      const { rows, name, code } = slot;
      const plain = rows.written ?? rows.fromHandler;
      return code && plain && { kind: "column", rows: plain, name, code };
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
