/** The text of an answer of a remote server → the values of the fields that were asked for (`automation.md` E.5). */
import type { RemotePlan } from "../planner/request/remote/remote-request.ts";
import { inSlices } from "../values/interruptible.ts";
import { NotJson } from "./json-scanner.ts";
import { type RemoteAnswer, readAnswer } from "./remote-answer.ts";
import { passedOn, remoteError } from "./remote-errors.ts";
import { renameTypenames } from "./typenames.ts";

/** JSON texts by key. */
export type RemoteValues = ReadonlyMap<string, string>;

/**
 * @param prioritizeData where there is data, errors beside it are dropped
 * @throws EngineError `remote-schema-error`, or with the errors of the server
 */
export async function remoteValues(text: string, plan: RemotePlan, prioritizeData: boolean): Promise<RemoteValues> {
  const { data, errors } = await readable(text);
  if (errors !== undefined && (data === null || !prioritizeData)) throw passedOn(errors);
  const values = new Map<string, string>();
  for (const { key, typenames } of plan.fields) {
    const value = data?.get(key);
    if (value === undefined) throw remoteError(`expecting key ${key}`);
    values.set(key, typenames ? await inSlices(renameTypenames(value, plan.remote, typenames)) : value);
  }
  return values;
}

async function readable(text: string): Promise<RemoteAnswer> {
  try {
    return await inSlices(readAnswer(text));
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw remoteError(`the answer of the remote server is not a JSON object: ${error.message}`, undefined, error);
  }
}
