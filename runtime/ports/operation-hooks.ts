/** Hooks of the embedding program around operations. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { GraphqlRequest } from "./graphql.ts";

export type HookedRequest = Pick<GraphqlRequest, "query" | "operationName" | "variables">;

/** The API of an operation. `data`: a data operation, whose text is JSON. */
export type HookedApi = "graphql" | "relay" | "rest" | "tool" | "data";

/** Called once when an operation ends, with its error if it failed. */
export type OperationEnd = (error?: unknown) => void;

export interface OperationHooks {
  /**
   * Runs the hook before an operation is planned.
   * @throws EngineError if the hook refuses the operation
   */
  begin(api: HookedApi, request: HookedRequest, by: AdmittedSession): Promise<OperationEnd>;
}

/** Runs an operation between the hooks. */
export async function withHooks<T>(
  hooks: OperationHooks,
  [api, request, by]: Parameters<OperationHooks["begin"]>,
  run: () => Promise<T>,
): Promise<T> {
  const end = await hooks.begin(api, request, by);
  try {
    const value = await run();
    end();
    return value;
  } catch (error) {
    end(error);
    throw error;
  }
}
