/** Fetches joined values from a remote schema: one request for all keys of a level, or several concurrent ones. */

import type { Deadline } from "../../databases/sources/deadline.ts";
import type { RemotePlace, RemoteStep } from "../../model/planner/joins/join-plan.ts";
import type { ResponseBuilder } from "../../ports/graphql.ts";
import type { Caller } from "../../values/caller.ts";
import type { EngineError } from "../../values/errors.ts";
import { runInSlices } from "../../values/interruptible.ts";
import { parseJson } from "../../values/json/parse.ts";
import { memberOf } from "../../values/json/positions.ts";
import type { Session } from "../../values/session.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import { aliasOf, type JoinCall, joinQuery } from "../remote/join-query.ts";
import { RemoteErrors } from "../remote/remote-errors.ts";
import type { RemoteRequests } from "../remote/remote-requests.ts";
import type { RemoteValues } from "../remote/remote-values.ts";
import { batchValues } from "./batch-values.ts";
import { type Fault, type Faults, noFaults } from "./faults.ts";
import type { StepKeys, StepResult } from "./join-texts.ts";
import { joinError, keyFaults } from "./key-faults.ts";

/** Maximum number of concurrent requests of one step. */
const maxConcurrentRequests = 8;

export interface RemoteStepInput {
  readonly remote: RemoteRequests;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly caller?: Caller | undefined;
  readonly deadline?: Deadline | undefined;
  readonly response?: ResponseBuilder | undefined;
  /** If true, single keys may fail without failing the operation. */
  readonly takesFaults?: boolean;
}

/**
 * Fetches the values of keys. Errors of single keys become faults, unless every key fails.
 * @throws EngineError `remote-schema-error`, or `unexpected` with the errors of the response
 */
export async function fetchFromRemote(step: RemoteStep, keys: StepKeys, input: RemoteStepInput): Promise<StepResult> {
  const { keysPerRequest } = input.remote;
  const calls = step.places.flatMap((place, i) => (keys[i] ?? []).map((key) => ({ place, key })));
  const chunks = Array.from({ length: Math.ceil(calls.length / keysPerRequest) }, (_, i) =>
    calls.slice(i * keysPerRequest, (i + 1) * keysPerRequest),
  );
  const results: ChunkResult[] = [];
  await forEachConcurrently(chunks, maxConcurrentRequests, async (chunk, i) => {
    results[i] = await fetchChunk(chunk, input);
  });
  const values = results.flatMap((result) => result.values).values();
  const byPlace = step.places.map((_, i) => (keys[i] ?? []).map(() => values.next().value ?? null));
  if (results.every(({ failed }) => failed === undefined)) return { values: byPlace };
  return { values: byPlace, faults: faultsOf(step, keys, results, keysPerRequest) };
}

/**
 * Returns the faults of each location.
 * @throws EngineError if every key has faults
 */
function faultsOf(
  { places }: RemoteStep,
  keys: StepKeys,
  results: readonly ChunkResult[],
  keysPerRequest: number,
): readonly Faults[] {
  const byKey = new Map<number, readonly Fault[]>();
  for (const [i, { failed }] of results.entries()) {
    for (const [key, faults] of failed?.faults ?? noFaults) byKey.set(i * keysPerRequest + key, faults);
  }
  if (byKey.size === keys.reduce((sum, { length }) => sum + length, 0)) {
    for (const { failed } of results) if (failed) throw failed.error;
  }
  let first = 0;
  return places.map((_, place) => {
    const placeFaults = new Map<number, readonly Fault[]>();
    for (const key of (keys[place] ?? []).keys()) {
      const faults = byKey.get(first + key);
      if (faults) placeFaults.set(key, faults);
    }
    first += keys[place]?.length ?? 0;
    return placeFaults;
  });
}

interface ChunkResult {
  /** Values in the order of the call's keys. */
  readonly values: readonly string[];
  /** Absent if no key has an error. */
  readonly failed?: {
    readonly faults: Faults;
    /** Thrown if no key of the step has a value. */
    readonly error: EngineError;
  };
}

interface RequestedKey {
  readonly place: RemotePlace;
  readonly key: string;
}

/** Groups keys into calls. Keys of the same location must be adjacent. */
function callsFor(requested: readonly RequestedKey[]): readonly JoinCall[] {
  const calls: { readonly place: RemotePlace; readonly keys: string[] }[] = [];
  for (const { place, key } of requested) {
    const before = calls.at(-1);
    if (place.request.call.batch && before?.place === place) before.keys.push(key);
    else calls.push({ place, keys: [key] });
  }
  return calls;
}

async function fetchChunk(requested: readonly RequestedKey[], input: RemoteStepInput): Promise<ChunkResult> {
  const calls = callsFor(requested);
  const { remote, variables, session, caller, deadline, response } = input;
  const plan = joinQuery(calls, { variables, session: session.variables });
  const bound = { ...remote.bind(plan, variables, session), ...(session.span && { span: session.span }) };
  let found: RemoteValues;
  let failed: ChunkResult["failed"];
  try {
    found = await remote.send(bound, deadline?.timeoutMilliseconds(), response, deadline ?? caller);
  } catch (error) {
    if (!(error instanceof RemoteErrors)) throw error;
    const errors = parseJson(error.errors);
    const operationError = joinError("$", errors, error);
    const partial = input.takesFaults ? await runInSlices(error.values()) : undefined;
    const faults = partial && keyFaults(errors, calls, partial);
    if (partial === undefined || faults === undefined) throw operationError;
    found = partial;
    failed = { faults, error: operationError };
  }
  const values = calls.flatMap(({ place, keys }, i) => {
    const { path, batch } = place.request.call;
    const [, ...inner] = path;
    const value = inner.reduce((text, { name }) => memberOf(text, name) ?? "null", found.get(aliasOf(i)) ?? "null");
    return batch ? batchValues(value, keys, batch, place.path) : value;
  });
  return { values, ...(failed && { failed }) };
}
