/** Fetches joined rows from a source. */

import type { Deadline } from "../../databases/sources/deadline.ts";
import type { TextRow } from "../../databases/sources/source.ts";
import { bind } from "../../model/definitions/parameters.ts";
import { putPlaced } from "../../model/dialects/placed-texts.ts";
import type { SourceStep } from "../../model/planner/joins/join-plan.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import { runInSlices } from "../../values/interruptible.ts";
import { membersOf, skipBlanks } from "../../values/json/positions.ts";
import type { Session } from "../../values/session.ts";
import type { Generation } from "../generation.ts";
import { statementName } from "../prepared-writes.ts";
import { routedReader, routedSource } from "../route.ts";
import type { TagStatement } from "../tag-statements.ts";
import type { StepKeys, StepResult } from "./join-texts.ts";

export interface SourceStepInput {
  readonly generation: Generation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly caller?: Caller | undefined;
  readonly deadline?: Deadline | undefined;
  /** If true, replicas may serve the rows; false after a write. */
  readonly mayUseReplicas?: boolean;
  readonly tag?: TagStatement | undefined;
}

/**
 * Maximum number of keys in one statement, which limits the memory of the database. More keys are fetched by
 * consecutive statements.
 */
const keysPerStatement = 20_000;

export async function fetchFromSource(step: SourceStep, keys: StepKeys, input: SourceStepInput): Promise<StepResult> {
  const values = keys.map((each): (string | null)[] => each.map(() => null));
  const maxLength = Math.max(...keys.map(({ length }) => length));
  for (let from = 0; from < maxLength; from += keysPerStatement) {
    const part = keys.map((each) => each.slice(from, from + keysPerStatement));
    for (const [place, placed] of await rowsFor(step, part, input)) {
      const valuesOfPlace = values[Number(place)];
      if (valuesOfPlace && placed) await runInSlices(putPlaced(placed, valuesOfPlace, from));
    }
  }
  return { values };
}

async function rowsFor(
  step: SourceStep,
  keys: StepKeys,
  { generation, variables, session, caller, deadline, mayUseReplicas = false, tag }: SourceStepInput,
): Promise<readonly TextRow[]> {
  const { text, slots } = step;
  const source = routedSource(generation, step.source, session);
  const reader = mayUseReplicas ? routedReader(generation, source, session) : source;
  const joinKeys = keys.map((each, place) => each.map((key) => keysIn(key, step.places[place]?.keys ?? 1)));
  const bound = bind(slots, {
    variables,
    session: session.variables,
    crossSourceValues: session.crossSourceValues,
    joinKeys,
  });
  const untagged = { text, name: statementName(text) };
  const statement = tag ? tag(step.source, untagged) : untagged;
  try {
    if (deadline === undefined) return await reader.query(statement, bound, caller);
    const options = { readOnly: true, timeoutMilliseconds: deadline.timeoutMilliseconds(), caller };
    return await reader.executeAlone(options, statement, bound);
  } catch (error) {
    throw withoutKeys(error, step);
  }
}

/** Returns the values of a composite key; a simple key is its own value. */
function keysIn(text: string, count: number): readonly string[] {
  if (count <= 1) return [text];
  return Array.from(membersOf(text, skipBlanks(text, 0)), ({ from, to }) => text.slice(from, to));
}

/** Replaces data errors, because the database's message contains the key, which the role may not be allowed to see. */
function withoutKeys(error: unknown, { places: [place] }: SourceStep): unknown {
  if (!(error instanceof EngineError) || error.code !== "data-exception") return error;
  const message = "a key of a remote relationship is not a valid value of the column type that it is compared with";
  return new EngineError("data-exception", place?.path ?? "$", message);
}
