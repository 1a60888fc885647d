/**
 * How large a request may be, whoever sends it and in whatever form. A few characters can stand for any number of
 * fields (fragments, `*.*.*`), so requests are measured before their fields are put in.
 */
import { EngineError } from "../errors.ts";

/** The size of what a request selects. */
export interface Measure {
  /** Fields, with those of fragments wherever they are spread. */
  readonly fields: number;
  /** Fields that have a selection set, without those of introspection: each reads rows. */
  readonly nodes: number;
  /** Levels of selection sets below the root fields, without those of introspection. */
  readonly depth: number;
}

const maximumFields = 20_000;

/** The time to plan grows with the square of them: PostgreSQL needs seconds for these. */
const maximumNodes = 2000;

/** Levels of selections, and of arguments. Deeper ones could exhaust the stack of whoever walks them. */
export const maximumDepth = 250;

/** Rows of object relationships that one list joins. PostgreSQL plans these in seconds, twice as many in a minute. */
export const maximumJoins = 500;

/** @throws EngineError `validation-failed` */
export function checkBudget({ fields, nodes, depth }: Measure, path: string): void {
  if (fields > maximumFields) throw overBudget(`the query selects more than ${maximumFields} fields`, path);
  if (nodes > maximumNodes) throw overBudget(`the query selects more than ${maximumNodes} fields with fields`, path);
  checkDepth(depth, path);
}

/** @throws EngineError `validation-failed` */
export function checkDepth(levels: number, path: string): void {
  if (levels > maximumDepth) throw overBudget(`the query is nested deeper than ${maximumDepth} levels`, path);
}

export function overBudget(message: string, path: string): EngineError {
  return new EngineError("validation-failed", path, message);
}
