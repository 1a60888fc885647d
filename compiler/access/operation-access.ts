/**
 * Describes the plans of a saved operation for one role: its SQL, its remote requests, and the origins of their
 * parameters.
 */
import type { ValueSource } from "../../runtime/model/definitions/parameters.ts";
import { declarations, selectionText } from "../../runtime/model/planner/request/remote/remote-request.ts";
import { stateName } from "../../runtime/model/planner/saved-plans.ts";
import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import { assertNever } from "../../runtime/values/errors.ts";
import type { SavedOutcome } from "../5-plan/plan-operation.ts";
import type { PlanIr, SlotIr } from "../5-plan/plans-ir.ts";
import type { JoinedArgumentIr, RemotePlaceIr, RemoteRequestIr, RemoteVariableIr } from "../5-plan/remotes-ir.ts";
import type { OperationAccess, RequestAccess, StatementAccess } from "./model.ts";

/** Returns `undefined` if the role may not run the operation. */
export function operationAccess(outcome: SavedOutcome): OperationAccess | undefined {
  if (outcome.kind === "fault") return undefined;
  if (outcome.kind === "open") return "planned when asked";
  const { plans, ...decisive } = outcome.plans;
  const named = plans.map(({ when, plan }) => [stateName(decisive, when), statementsOf(plan)] as const);
  return { statements: Object.fromEntries(named) };
}

type OperationStep = StatementAccess | RequestAccess;

function statementsOf({ statements, writes, remotes = [], joins = [] }: PlanIr): readonly OperationStep[] {
  return [
    ...statements.map(({ source, text, slots }) => ({ source, sql: text, parameters: slots.map(slotText) })),
    ...writes.flatMap(({ source, steps }) =>
      steps.map(({ text, slots }) => ({ source, sql: text, parameters: slots.map(slotText) })),
    ),
    ...remotes.map(requestAccess),
    ...joins.flatMap((step): readonly OperationStep[] => {
      if (step.kind === "remote") return step.places.map(callsAccess);
      return [{ source: step.source, sql: step.text, parameters: step.slots.map(slotText) }];
    }),
  ];
}

function slotText(slot: SlotIr): string {
  switch (slot.kind) {
    case "value":
      return sourceText(slot.source);
    case "column":
      return `${slot.name} of the rows to write`;
    case "join_keys":
      return slot.column === undefined ? "positions of keys" : `keys ${slot.column + 1} to join by`;
    case "result":
      return `column ${slot.column + 1} of statement ${slot.step + 1}`;
    case "copied":
      return slot.parts.map(({ step, column }) => `column ${column + 1} of statement ${step + 1}`).join(", ");
    case "session":
      return `session variable ${slot.variable}`;
    case "whole_session":
      return "all session variables";
    default:
      return assertNever(slot);
  }
}

function sourceText(source: ValueSource): string {
  switch (source.kind) {
    case "variable":
      return ["$", source.name, ...source.within.map((key) => `[${JSON.stringify(key)}]`)].join("");
    case "constant":
      return canonicalJson(source.value);
    case "literal":
      return `literal ${source.index + 1}`;
    case "list":
      return `[${source.items.map(sourceText).join(", ")}]`;
    case "object":
      return `{${source.members.map(([name, value]) => `${JSON.stringify(name)}: ${sourceText(value)}`).join(", ")}}`;
    default:
      return assertNever(source);
  }
}

// Describes the remote requests of a saved operation: GraphQL text, and the origins of its variables.

function requestAccess({ remote, operation, name, fields, variables }: RemoteRequestIr): RequestAccess {
  const head = `${operation}${name === undefined ? "" : ` ${name}`}${declarations(variables)}`;
  const selection = selectionText(fields.map(({ field }) => field));
  return { remoteSchema: remote.as, query: `${head} ${selection}`, parameters: variables.map(variableText) };
}

/** Describes the call for a single key. */
function callsAccess({ remote, call, selection, variables }: RemotePlaceIr): RequestAccess {
  const inner = selection === null ? "" : selectionText(selection);
  const text = call.reduceRight((below, { name, args }) => {
    const field = args.length === 0 ? name : `${name}(${membersText(args)})`;
    if (below === "") return field;
    return `${field} ${below.startsWith("{") ? below : `{ ${below} }`}`;
  }, inner);
  const query = `query${declarations(variables)} { ${text} }`;
  return { remoteSchema: remote.as, query, parameters: variables.map(variableText) };
}

function argumentText(argument: JoinedArgumentIr): string {
  switch (argument.kind) {
    case "text":
      return argument.text;
    case "key":
      return `<key ${argument.key + 1}>`;
    case "keys":
      return `[${argumentText(argument.item)}, …]`;
    case "list":
      return `[${argument.items.map(argumentText).join(", ")}]`;
    case "object":
      return `{${membersText(argument.fields)}}`;
    case "variable":
      return `<$${argument.name}, with what the relationship gives>`;
  }
}

const membersText = (members: readonly (readonly [name: string, value: JoinedArgumentIr])[]): string =>
  members.map(([name, value]) => `${name}: ${argumentText(value)}`).join(", ");

const variableText = (variable: RemoteVariableIr): string =>
  variable.kind === "session" ? `session variable ${variable.variable}` : `$${variable.name}`;
