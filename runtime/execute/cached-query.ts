/** Queries that ask for an answer out of the cache, and what their answers depend on. */
import { createHash } from "node:crypto";
import { type DirectiveNode, GraphQLBoolean, GraphQLInt, type GraphQLScalarType, valueFromAST } from "graphql";
import type { ParameterSlot } from "../model/definitions/parameters.ts";
import type { Plan } from "../model/planner/plan.ts";
import type { Operation } from "../model/planner/request/document.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Session } from "../values/session.ts";
import { compareText } from "../values/text-order.ts";
import type { ResponsePlace } from "./caching/store.ts";
import type { PlannedOperation } from "./plan-operation.ts";

/** The arguments of `@cached`. */
export interface CacheDirective {
  readonly seconds: number;
  readonly refresh: boolean;
}

/** @throws EngineError `validation-failed` for arguments of other types */
export function cacheDirective(planned: PlannedOperation): CacheDirective | undefined {
  // Most queries have none, and documents of saved ones are not parsed for it.
  if (!planned.query.includes("@cached") || planned.files) return undefined;
  const operation = planned.operation();
  const directive = operation.definition.directives?.find(({ name }) => name.value === "cached");
  if (directive === undefined) return undefined;
  const seconds = argumentOf(directive, "ttl", GraphQLInt, operation, planned.variables) ?? usualSeconds;
  const refresh = argumentOf(directive, "refresh", GraphQLBoolean, operation, planned.variables) ?? false;
  if (seconds < 0) throw new EngineError("validation-failed", "$", "the argument 'ttl' of 'cached' is less than 0");
  return { seconds, refresh };
}

const usualSeconds = 60;

function argumentOf<T>(
  directive: DirectiveNode,
  name: "ttl" | "refresh",
  type: GraphQLScalarType<T>,
  { variables: declared }: Operation,
  given: Readonly<Record<string, unknown>>,
): T | undefined {
  const node = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  if (node === undefined) return undefined;
  if (node.kind !== "Variable") return checked(valueFromAST(node, type), name, type);
  const variable = node.name.value;
  if (!declared.has(variable)) {
    throw new EngineError("validation-failed", "$", `unbound variable "${variable}"`);
  }
  if (Object.hasOwn(given, variable)) {
    const value = given[variable];
    return checked(typeof value === (type === GraphQLInt ? "number" : "boolean") ? (value as T) : null, name, type);
  }
  const otherwise = declared.get(variable)?.defaultValue;
  return otherwise && checked(valueFromAST(otherwise, type), name, type);
}

function checked<T>(value: unknown, name: string, type: GraphQLScalarType<T>): T {
  const isRight = type === GraphQLInt ? Number.isInteger(value) : typeof value === "boolean";
  if (isRight) return value as T;
  throw new EngineError("validation-failed", "$", `the argument '${name}' of 'cached' has to be of type ${type.name}!`);
}

/** What is asked, by whom, of what. */
export interface CachedQuestion {
  readonly realm: string;
  /** Where it goes in sources whose connection templates say so. */
  readonly targets?: readonly unknown[];
  readonly request: Pick<GraphqlRequest, "query" | "operationName">;
  readonly session: Session;
  readonly planned: PlannedOperation;
}

/**
 * Two questions have the same key only if they have the same answer, but for what changes in databases: the key is a hash
 * of all that the answer is made from.
 */
export function placeOf({ realm, targets = [], request, session, planned }: CachedQuestion): ResponsePlace {
  const { role, backendOnly } = session;
  const { query, operationName } = request;
  const family = hashOf([realm, planned.schema.api, role, backendOnly, query, operationName]);
  const asked = [family, targets, planned.variables, ...sessionParts(planned.plan.plan, session)];
  return { key: hashOf(asked), family, role };
}

const hashOf = (parts: readonly unknown[]): string => createHash("sha256").update(stringifyJson(parts)).digest("hex");

/** Of the session what the plan uses, in an order that does not depend on the client. */
function sessionParts(plan: Plan, { variables, clientHeaders }: Session): readonly unknown[] {
  const used = usedVariables(plan);
  const values = [...variables].filter(([name]) => used === "all" || used.has(name)).sort(byName);
  const headers = forwardsHeaders(plan) ? Object.entries(clientHeaders ?? {}).sort(byName) : [];
  return [values, headers];
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compareText(a, b);

function usedVariables(plan: Plan): "all" | ReadonlySet<string> {
  const { statements, remotes = [], actions = [], joins = [] } = plan;
  // What is asked of others may say who asks, in ways that the plan does not tell.
  if (remotes.length + actions.length + joins.length > 0) return "all";
  const used = new Set<string>();
  for (const { slots, callsFunctions } of statements) {
    if (callsFunctions || !slots.every((slot) => noteUse(slot, used))) return "all";
  }
  return used;
}

/** @returns whether that is all it uses of the session */
function noteUse(slot: ParameterSlot, used: Set<string>): boolean {
  switch (slot.kind) {
    case "session":
      used.add(slot.variable);
      return true;
    case "value":
    case "column":
      return true;
    case "elsewhere":
      return slot.statement.slots.every((inner) => noteUse(inner, used));
    default:
      return false;
  }
}

/** Whether headers of the client reach somebody who may answer by them. */
function forwardsHeaders({ remotes = [], actions = [], joins = [] }: Plan): boolean {
  return (
    joins.length > 0 ||
    remotes.some(({ remote }) => remote.server.forwardClientHeaders) ||
    actions.some(({ call }) => call.action.handler.forwardClientHeaders)
  );
}
