/**
 * The text of an answer of a remote server → the values of the fields that were asked for (`docs/remote-schemas.md`).
 */
import type { RemotePlan } from "../../model/planner/request/remote/remote-request.ts";
import { atOnce, type Interruptible, inSlices } from "../../values/interruptible.ts";
import { patternOf } from "./answer-pattern.ts";
import { longest, NotJson } from "./json-tokens.ts";
import { type RemoteAnswer, readAnswer } from "./remote-answer.ts";
import { passedOn, remoteError } from "./remote-errors.ts";
import { renameTypenames } from "./typenames.ts";

/** JSON texts by key. */
export type RemoteValues = ReadonlyMap<string, string>;

/** In characters: shorter answers are read in less than a millisecond. */
const longAnswer = 65_536;

/**
 * @param prioritizeData where there is data, errors beside it are dropped
 * @returns a promise where the answer is so long that others have their turns meanwhile
 * @throws EngineError `remote-schema-error`, or with the errors of the server; a promise is rejected with it
 */
export function remoteValues(
  text: string,
  plan: RemotePlan,
  prioritizeData: boolean,
): RemoteValues | Promise<RemoteValues> {
  const usual = usualValues(text, plan);
  if (usual !== undefined) return usual;
  const reading = readValues(text, plan, prioritizeData);
  return text.length < longAnswer ? atOnce(reading) : inSlices(reading);
}

/** Of an answer that has nothing but the only field; `undefined`: it has to be looked through. */
function usualValues(text: string, plan: RemotePlan): RemoteValues | undefined {
  if (text.length > longest) return undefined;
  const pattern = patternOf(plan);
  if (!pattern?.expression.test(text)) return undefined;
  const { from, behind } = pattern;
  return new Map([[plan.fields[0]?.key ?? "", text.slice(from, -behind)]]);
}

function* readValues(text: string, plan: RemotePlan, prioritizeData: boolean): Interruptible<RemoteValues> {
  const { data, errors } = yield* readable(text);
  if (errors !== undefined && (data === null || !prioritizeData)) throw passedOn(errors);
  const values = new Map<string, string>();
  for (const { key, typenames } of plan.fields) {
    const value = data?.get(key);
    if (value === undefined) throw remoteError(`expecting key ${key}`);
    values.set(key, typenames ? yield* renameTypenames(value, plan.remote, typenames) : value);
  }
  return values;
}

function* readable(text: string): Interruptible<RemoteAnswer> {
  try {
    return yield* readAnswer(text);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw remoteError(`the answer of the remote server is not a JSON object: ${error.message}`, undefined, error);
  }
}
