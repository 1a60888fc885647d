/** Asks a remote server for what is joined: one request for all keys of a level, or several at once where they are many. */

import type { Deadline } from "../../databases/sources/deadline.ts";
import type { RemotePlace, RemoteStep } from "../../model/planner/joins/join-plan.ts";
import type { AnswerHeaders } from "../../ports/graphql.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import { parseJson } from "../../values/parse-json.ts";
import type { Session } from "../../values/session.ts";
import { forEachAtOnce } from "../for-each-at-once.ts";
import { memberOf } from "../json-text.ts";
import { aliasOf, type JoinCall, joinQuery } from "../remote/join-query.ts";
import type { RemoteRequests } from "../remote/remote-requests.ts";
import { batchValues } from "./batch-values.ts";
import type { StepKeys, StepValues } from "./join-texts.ts";

/** Requests of one step that are under way at a time. */
const requestsAtOnce = 8;

/** What a request is sent for. */
export interface RemoteStepInput {
  readonly remote: RemoteRequests;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly caller?: Caller | undefined;
  readonly deadline?: Deadline | undefined;
  /** Of the answer to the client. */
  readonly headers?: AnswerHeaders | undefined;
}

/** @throws EngineError `remote-schema-error`, or `unexpected` with the errors of the server */
export async function askRemote(step: RemoteStep, keys: StepKeys, input: RemoteStepInput): Promise<StepValues> {
  const { keysPerRequest } = input.remote;
  const calls = step.places.flatMap((place, i) => (keys[i] ?? []).map((key) => ({ place, key })));
  const chunks = Array.from({ length: Math.ceil(calls.length / keysPerRequest) }, (_, i) =>
    calls.slice(i * keysPerRequest, (i + 1) * keysPerRequest),
  );
  const answers: (readonly string[])[] = [];
  await forEachAtOnce(chunks, requestsAtOnce, async (chunk, i) => {
    answers[i] = await askFor(chunk, input);
  });
  const values = answers.flat().values();
  return step.places.map((_, i) => (keys[i] ?? []).map(() => values.next().value ?? null));
}

/** A key of a place. */
interface AskedKey {
  readonly place: RemotePlace;
  readonly key: string;
}

/** Those of one place stand together. */
function callsFor(asked: readonly AskedKey[]): readonly JoinCall[] {
  const calls: { readonly place: RemotePlace; readonly keys: string[] }[] = [];
  for (const { place, key } of asked) {
    const before = calls.at(-1);
    if (place.request.call.batch && before?.place === place) before.keys.push(key);
    else calls.push({ place, keys: [key] });
  }
  return calls;
}

async function askFor(asked: readonly AskedKey[], input: RemoteStepInput): Promise<readonly string[]> {
  const calls = callsFor(asked);
  const { remote, variables, session, caller, deadline, headers } = input;
  const plan = joinQuery(calls, { variables, session: session.variables });
  const bound = { ...remote.bind(plan, variables, session), ...(session.span && { span: session.span }) };
  const found = await remote
    .ask(bound, deadline?.timeoutMilliseconds(), headers, deadline ?? caller)
    .catch(asJoinError);
  return calls.flatMap(({ place, keys }, i) => {
    const { path, batch } = place.request.call;
    const [, ...inner] = path;
    const value = inner.reduce((text, { name }) => memberOf(text, name) ?? "null", found.get(aliasOf(i)) ?? "null");
    return batch ? batchValues(value, keys, batch, place.path) : value;
  });
}

/** Clients do not know the request: the errors of the server say nothing to them (`docs/remote-relationships.md`). */
function asJoinError(error: unknown): never {
  if (!(error instanceof EngineError) || error.graphqlErrors === undefined) throw error;
  const internal = { errors: parseJson(error.graphqlErrors) };
  throw new EngineError("unexpected", "$", "Errors from remote server", { status: 500, internal, cause: error });
}
