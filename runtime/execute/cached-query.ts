/**
 * Reads the `@cached` directive of a query, and computes the cache key from everything that its response depends on.
 */
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
import type { ResponseIdentity } from "./caching/store.ts";
import type { PlannedOperation } from "./plan-operation.ts";

/** The arguments of `@cached`. */
export interface CacheDirective {
  readonly seconds: number;
  readonly refresh: boolean;
}

/**
 * Returns the arguments of the directive; `undefined` if the query has no such directive or contains files.
 * @throws EngineError `validation-failed` for arguments of other types
 */
export function cacheDirective(planned: PlannedOperation): CacheDirective | undefined {
  // The text search avoids parsing the documents of saved operations.
  if (!planned.query.includes("@cached") || planned.files) return undefined;
  const operation = planned.operation();
  const directive = operation.definition.directives?.find(({ name }) => name.value === "cached");
  if (directive === undefined) return undefined;
  const seconds = argumentOf(directive, "ttl", GraphQLInt, operation, planned.variables) ?? defaultSeconds;
  const refresh = argumentOf(directive, "refresh", GraphQLBoolean, operation, planned.variables) ?? false;
  if (seconds < 0)
    throw new EngineError("validation-failed", "$", "the argument 'ttl' of 'cached' must not be negative");
  return { seconds, refresh };
}

const defaultSeconds = 60;

function argumentOf<T>(
  directive: DirectiveNode,
  name: "ttl" | "refresh",
  type: GraphQLScalarType<T>,
  { variables: declared }: Operation,
  values: Readonly<Record<string, unknown>>,
): T | undefined {
  const node = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  if (node === undefined) return undefined;
  if (node.kind !== "Variable") return checked(valueFromAST(node, type), name, type);
  const variable = node.name.value;
  if (!declared.has(variable)) {
    throw new EngineError("validation-failed", "$", `unbound variable "${variable}"`);
  }
  if (Object.hasOwn(values, variable)) {
    const value = values[variable];
    return checked(typeof value === (type === GraphQLInt ? "number" : "boolean") ? (value as T) : null, name, type);
  }
  const defaultValue = declared.get(variable)?.defaultValue;
  return defaultValue && checked(valueFromAST(defaultValue, type), name, type);
}

function checked<T>(value: unknown, name: string, type: GraphQLScalarType<T>): T {
  const isValid = type === GraphQLInt ? Number.isInteger(value) : typeof value === "boolean";
  if (isValid) return value as T;
  throw new EngineError("validation-failed", "$", `the argument '${name}' of 'cached' must be of type ${type.name}!`);
}

/** A query with `@cached`. */
export interface CacheableQuery {
  readonly realm: string;
  /** Connection targets of sources with a template. */
  readonly targets?: readonly unknown[];
  readonly request: Pick<GraphqlRequest, "query" | "operationName">;
  readonly session: Session;
  readonly planned: PlannedOperation;
}

/**
 * Computes the cache key: a hash of everything that the response depends on, except the data. Queries with equal keys
 * have equal responses on the same data.
 */
export function responseIdentity({ realm, targets = [], request, session, planned }: CacheableQuery): ResponseIdentity {
  const { role, backendOnly } = session;
  const { query, operationName } = request;
  const family = hashOf([realm, planned.schema.api, role, backendOnly, query, operationName]);
  const parts = [family, targets, planned.variables, ...sessionParts(planned.plan.plan, session)];
  return { key: hashOf(parts), family, role };
}

const hashOf = (parts: readonly unknown[]): string => createHash("sha256").update(stringifyJson(parts)).digest("hex");

/** Returns the parts of the session that the plan uses, in a canonical order. */
function sessionParts(plan: Plan, { variables, clientHeaders }: Session): readonly unknown[] {
  const used = usedVariables(plan);
  const values = [...variables].filter(([name]) => used === "all" || used.has(name)).sort(byName);
  const headers = forwardsHeaders(plan) ? Object.entries(clientHeaders ?? {}).sort(byName) : [];
  return [values, headers];
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compareText(a, b);

function usedVariables(plan: Plan): "all" | ReadonlySet<string> {
  const { statements, remotes = [], actions = [], joins = [] } = plan;
  // Remote schemas, action handlers and joins may receive any session variable.
  if (remotes.length + actions.length + joins.length > 0) return "all";
  const used = new Set<string>();
  for (const { slots, callsFunctions } of statements) {
    if (callsFunctions || !slots.every((slot) => addUses(slot, used))) return "all";
  }
  return used;
}

/**
 * Adds the session variables that a slot uses.
 * @returns false if the slot may use further ones
 */
function addUses(slot: ParameterSlot, used: Set<string>): boolean {
  switch (slot.kind) {
    case "session":
      used.add(slot.variable);
      return true;
    case "value":
    case "column":
      return true;
    case "crossSource":
      return slot.statement.slots.every((inner) => addUses(inner, used));
    default:
      return false;
  }
}

/** Returns true if client headers are forwarded to a server whose response may depend on them. */
function forwardsHeaders({ remotes = [], actions = [], joins = [] }: Plan): boolean {
  return (
    joins.length > 0 ||
    remotes.some(({ remote }) => remote.server.forwardClientHeaders) ||
    actions.some(({ call }) => call.action.handler.forwardClientHeaders)
  );
}
