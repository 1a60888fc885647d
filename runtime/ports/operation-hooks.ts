/** What a program around the engine sees of operations, and may refuse. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { GraphqlRequest } from "./graphql.ts";

export type HookedRequest = Pick<GraphqlRequest, "query" | "operationName" | "variables">;

/** Which API an operation came by; `data`: a data operation, whose text is JSON. */
export type HookedApi = "graphql" | "relay" | "rest" | "data";

/** Is told once how an operation ended. */
export type OperationEnd = (error?: unknown) => void;

export interface OperationHooks {
  /**
   * Resolves when the operation may be planned.
   * @throws EngineError where it is refused
   */
  begin(api: HookedApi, request: HookedRequest, by: AdmittedSession): Promise<OperationEnd>;
}

/** Runs an operation between the hooks. */
export async function hooked<T>(
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
