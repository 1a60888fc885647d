/** Runs the operation of the page, and keeps what came of it. */
import { signal } from "@preact/signals";
import { ApiError } from "../../http/api-error.ts";
import { type GraphqlAnswer, type GraphqlCall, runGraphql } from "../../http/graphql.ts";
import { remember } from "./history.ts";
import { operation, query, readVariables, role, sentHeaders, variables } from "./request-state.ts";
import { startSubscription } from "./subscription.ts";

export interface LiveAnswer extends GraphqlAnswer {
  /** Of a subscription: how many there were. */
  readonly count?: number;
}

export const answer = signal<LiveAnswer | null>(null);
export const failure = signal<unknown>(null);
export const isRunning = signal(false);

let stopRunning: (() => void) | null = null;

/** What is sent. @throws Error */
export function currentCall(): GraphqlCall {
  if (query.value.trim() === "") throw new Error("Write an operation first.");
  const given = readVariables();
  const name = operation.value?.name?.value;
  return {
    query: query.value,
    ...(given !== undefined && { variables: given }),
    ...(name !== undefined && { operationName: name }),
  };
}

export const stop = (): void => stopRunning?.();

/** Never rejects: `failure` tells what happened. */
export async function run(): Promise<void> {
  stop();
  failure.value = null;
  try {
    const call = currentCall();
    remember({ query: query.value, variables: variables.value, role: role.value });
    isRunning.value = true;
    await (operation.value?.operation === "subscription" ? subscribe(call) : once(call));
  } catch (thrown) {
    failure.value = thrown;
  } finally {
    isRunning.value = false;
    stopRunning = null;
  }
}

async function once(call: GraphqlCall): Promise<void> {
  const control = new AbortController();
  stopRunning = () => control.abort();
  try {
    answer.value = await runGraphql(call, sentHeaders.value, control.signal);
  } catch (thrown) {
    if (!control.signal.aborted) throw thrown;
  }
}

function subscribe(call: GraphqlCall): Promise<void> {
  answer.value = null;
  const begin = performance.now();
  let count = 0;
  return new Promise((resolve, reject) => {
    const end = startSubscription(call, sentHeaders.value, {
      onNext: ({ data, errors, text }) => {
        count += 1;
        const bytes = new TextEncoder().encode(text).length;
        answer.value = { status: 200, text, data, errors, bytes, count, milliseconds: performance.now() - begin };
      },
      onEnd: (problem) => (problem === null ? resolve() : reject(new ApiError(problem))),
    });
    stopRunning = () => {
      end();
      resolve();
    };
  });
}
