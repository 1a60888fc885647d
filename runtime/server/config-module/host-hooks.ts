/** The configuration's functions before and after an operation. They see copies, so they can refuse and observe only. */
import { Kind, parse } from "graphql";
import type { HookedApi, HookedRequest, OperationHooks } from "../../ports/operation-hooks.ts";
import { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { lazy } from "../../values/lazy.ts";
import type { Session } from "../../values/session.ts";
import type { EngineConfig, EngineOperation } from "../embedding/config.d.mts";
import { callHost, type HostCode, hostFault, logHostFault } from "./host-code.ts";

type Hooks = Pick<EngineConfig, "beforeOperation" | "afterOperation">;

/** `undefined`: the configuration has neither. */
export function hostHooks({ beforeOperation, afterOperation }: Hooks, code: HostCode): OperationHooks | undefined {
  if (!beforeOperation && !afterOperation) return undefined;
  return {
    async begin(api, request, { session }) {
      const shown = () => operationOf(api, request, session);
      if (beforeOperation) {
        const returned: unknown = await callHost(code, "beforeOperation", () => beforeOperation(shown()));
        // Whoever returns `false` means a refusal.
        if (returned !== undefined) throw hostFault(code, "beforeOperation", new Error(notNothing));
      }
      if (!afterOperation) return () => undefined;
      const began = performance.now();
      return once((error) => {
        const outcome = { error: error === undefined ? null : errorOf(error), milliseconds: performance.now() - began };
        const call = async (): Promise<void> => afterOperation(shown(), outcome);
        call().catch((thrown: unknown) => logHostFault(code, "afterOperation", thrown));
      });
    },
  };
}

const notNothing = "it has to return nothing: refuse(…) refuses an operation";

function once(call: (error?: unknown) => void): (error?: unknown) => void {
  let isCalled = false;
  return (error) => {
    if (isCalled) return;
    isCalled = true;
    call(error);
  };
}

function errorOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: "unexpected", message: "Internal Server Error" };
}

/** Variables are copied and names are read when they are looked at: most hooks do not. */
function operationOf(api: HookedApi, request: HookedRequest, session: Session): EngineOperation {
  const { query, variables } = request;
  const { role, requestId } = session;
  const name = lazy(() => request.operationName ?? (api === "data" ? null : nameIn(query)));
  const copy = lazy(() => variables && plainJson(variables));
  return {
    api,
    query,
    get operationName() {
      return name();
    },
    get variables() {
      return copy();
    },
    role,
    sessionVariables: Object.fromEntries(session.variables),
    requestId,
  };
}

/** What is longer is not looked into. */
const maxTokens = 10_000;

/** The name of the one operation of a text. */
function nameIn(query: string): string | null {
  try {
    const { definitions } = parse(query, { noLocation: true, maxTokens });
    const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    return operations.length === 1 ? (operations[0]?.name?.value ?? null) : null;
  } catch {
    return null;
  }
}

function plainJson(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(stringifyJson(variables));
}
