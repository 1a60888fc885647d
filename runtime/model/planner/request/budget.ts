/**
 * Limits on the size of a request, the same for all endpoints. A few characters can expand to any number of fields
 * (fragments, `*.*.*`), so requests are measured before their fields are expanded.
 */
import { EngineError } from "../../../values/errors.ts";

/** Size of a request's selection. */
export interface Measure {
  /** Number of fields. Fields of a fragment count once for each spread. */
  readonly fields: number;
  /** Number of fields with a selection set, without introspection. Each reads rows. */
  readonly nodes: number;
  /** Nesting levels of selection sets below the root fields, without introspection. */
  readonly depth: number;
}

/** Maximum size of one request of a role. */
export interface Budget {
  /** Maximum number of tokens in the document. */
  readonly tokens: number;
  readonly fields: number;
  /** Maximum number of nodes. PostgreSQL's planning time grows with its square: 2,000 nodes take seconds. */
  readonly nodes: number;
  /**
   * Maximum number of conditions, orderings and other parts of arguments, each of which becomes part of a statement.
   */
  readonly parts: number;
}

/** Protects the server from mistakes; large, because administrators move data in bulk. */
const ofAdmin: Budget = { tokens: 100_000, fields: 20_000, nodes: 2000, parts: 100_000 };

/**
 * Requests within this budget are parsed, validated, planned and bound within 100 ms, so that one request delays other
 * requests for no longer than that.
 */
const ofRoles: Budget = { tokens: 25_000, fields: 5000, nodes: 1000, parts: 5000 };

export const budgetOf = (role: string): Budget => (role === "admin" ? ofAdmin : ofRoles);

/**
 * Maximum nesting depth of selections and of arguments. Deeper nesting could overflow the stack of recursive functions.
 */
const maximumDepth = 250;

/**
 * Maximum number of object relationships joined by one list. PostgreSQL plans this number in seconds, twice the number
 * in a minute.
 */
export const maximumJoins = 500;

/**
 * Checks that the size of a request is within the budget.
 * @throws EngineError `validation-failed`
 */
export function checkBudget({ fields, nodes, depth }: Measure, budget: Budget, path: string): void {
  if (fields > budget.fields) throw overBudget(`the query selects more than ${budget.fields} fields`, path);
  if (nodes > budget.nodes) throw overBudget(`the query selects more than ${budget.nodes} fields with fields`, path);
  checkDepth(depth, path);
}

/**
 * Checks that the nesting depth is within the limit.
 * @throws EngineError `validation-failed`
 */
export function checkDepth(levels: number, path: string): void {
  if (levels > maximumDepth) throw overBudget(`the query is nested deeper than ${maximumDepth} levels`, path);
}

export function overBudget(message: string, path: string): EngineError {
  return new EngineError("validation-failed", path, message);
}
