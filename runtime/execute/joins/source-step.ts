/** Asks a source for the rows that keys lead to. */

import type { Deadline } from "../../databases/sources/deadline.ts";
import type { TextRow } from "../../databases/sources/source.ts";
import { bind } from "../../model/definitions/parameters.ts";
import { putPlaced } from "../../model/dialects/placed-texts.ts";
import type { SourceStep } from "../../model/planner/joins/join-plan.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import { inSlices } from "../../values/interruptible.ts";
import type { Session } from "../../values/session.ts";
import type { Generation } from "../generation.ts";
import { membersOf, skipBlanks } from "../json-text.ts";
import { statementName } from "../prepared-writes.ts";
import { routedReader, routedSource } from "../route.ts";
import type { TagStatement } from "../tag-statements.ts";
import type { StepKeys, StepValues } from "./join-texts.ts";

/** What a statement is run for. */
export interface SourceStepInput {
  readonly generation: Generation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly caller?: Caller | undefined;
  readonly deadline?: Deadline | undefined;
  /** Copies of the databases may answer; absent: the request has written. */
  readonly asksCopies?: boolean;
  /** Absent: statements stay as they are. */
  readonly tag?: TagStatement | undefined;
}

/** More are asked for by several statements, one after the other, so that no database has to hold all of them. */
const keysPerStatement = 20_000;

/** @throws EngineError */
export async function askSource(step: SourceStep, keys: StepKeys, input: SourceStepInput): Promise<StepValues> {
  const values = keys.map((each): (string | null)[] => each.map(() => null));
  const longest = Math.max(...keys.map(({ length }) => length));
  for (let from = 0; from < longest; from += keysPerStatement) {
    const part = keys.map((each) => each.slice(from, from + keysPerStatement));
    for (const [place, placed] of await rowsFor(step, part, input)) {
      const ofPlace = values[Number(place)];
      if (ofPlace && placed) await inSlices(putPlaced(placed, ofPlace, from));
    }
  }
  return values;
}

async function rowsFor(
  step: SourceStep,
  keys: StepKeys,
  { generation, variables, session, caller, deadline, asksCopies = false, tag }: SourceStepInput,
): Promise<readonly TextRow[]> {
  const { text, slots } = step;
  const source = routedSource(generation, step.source, session);
  const reader = asksCopies ? routedReader(generation, source, session) : source;
  const joinKeys = keys.map((each, place) => each.map((key) => keysIn(key, step.places[place]?.keys ?? 1)));
  const bound = bind(slots, { variables, session: session.variables, elsewhere: session.elsewhere, joinKeys });
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

/** The keys that a JSON text holds; where there are none, the text stands for its row. */
function keysIn(text: string, count: number): readonly string[] {
  if (count <= 1) return [text];
  return Array.from(membersOf(text, skipBlanks(text, 0)), ({ from, to }) => text.slice(from, to));
}

/** What a database says of a value shows it, and the role need not be allowed to see a key. */
function withoutKeys(error: unknown, { places: [place] }: SourceStep): unknown {
  if (!(error instanceof EngineError) || error.code !== "data-exception") return error;
  const message = "a key of a remote relationship is no value of the type that it is compared with";
  return new EngineError("data-exception", place?.path ?? "$", message);
}
