/**
 * How large a request may be, whoever sends it and in whatever form. A few characters can stand for any number of
 * fields (fragments, `*.*.*`), so requests are measured before their fields are put in.
 */
import { EngineError } from "../../../values/errors.ts";

/** The size of what a request selects. */
export interface Measure {
  /** Fields, with those of fragments wherever they are spread. */
  readonly fields: number;
  /** Fields that have a selection set, without those of introspection: each reads rows. */
  readonly nodes: number;
  /** Levels of selection sets below the root fields, without those of introspection. */
  readonly depth: number;
}

/** How much one request of a role may hold. */
export interface Budget {
  /** Tokens of the document. */
  readonly tokens: number;
  readonly fields: number;
  /** The time to plan grows with the square of them: PostgreSQL needs seconds for 2,000. */
  readonly nodes: number;
  /** Conditions, orderings and other parts of arguments; each becomes a part of a statement. */
  readonly parts: number;
}

/** What keeps a mistake from ending the server. Administrators move data in bulk. */
const ofAdmin: Budget = { tokens: 100_000, fields: 20_000, nodes: 2000, parts: 100_000 };

/** What is read, checked, planned and bound within 100 ms, so that a role holds up nobody else for longer. */
const ofRoles: Budget = { tokens: 25_000, fields: 5000, nodes: 1000, parts: 5000 };

export const budgetOf = (role: string): Budget => (role === "admin" ? ofAdmin : ofRoles);

/** Levels of selections, and of arguments. Deeper ones could exhaust the stack of whoever walks them. */
const maximumDepth = 250;

/** Rows of object relationships that one list joins. PostgreSQL plans these in seconds, twice as many in a minute. */
export const maximumJoins = 500;

/** @throws EngineError `validation-failed` */
export function checkBudget({ fields, nodes, depth }: Measure, budget: Budget, path: string): void {
  if (fields > budget.fields) throw overBudget(`the query selects more than ${budget.fields} fields`, path);
  if (nodes > budget.nodes) throw overBudget(`the query selects more than ${budget.nodes} fields with fields`, path);
  checkDepth(depth, path);
}

/** @throws EngineError `validation-failed` */
export function checkDepth(levels: number, path: string): void {
  if (levels > maximumDepth) throw overBudget(`the query is nested deeper than ${maximumDepth} levels`, path);
}

export function overBudget(message: string, path: string): EngineError {
  return new EngineError("validation-failed", path, message);
}
