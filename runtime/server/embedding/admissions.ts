/** Operations of executors pass the same admission as requests: each once, whatever the number of its root fields. */
import type { GraphQLResolveInfo } from "graphql";
import type { AdmissionService } from "../../ports/admission.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { RootFieldService } from "../../ports/root-fields.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import { EngineError } from "../../values/errors.ts";
import { wholeRequest } from "./root-field.ts";

export type Admitted = AdmittedSession<AuthenticatedSession>;

interface Entry {
  readonly session: AuthenticatedSession;
  readonly operation: GraphQLResolveInfo["operation"];
  readonly admitted: Promise<Admitted>;
}

export class Admissions {
  readonly #admission: AdmissionService;
  readonly #rootFields: Pick<RootFieldService, "check">;
  /** By the values of variables: executors make an object of them for each execution. */
  readonly #entries = new WeakMap<object, Entry>();

  constructor(admission: AdmissionService, rootFields: Pick<RootFieldService, "check">) {
    this.#admission = admission;
    this.#rootFields = rootFields;
  }

  /** Rejects with an EngineError where the session may not send the operation that a root field is part of. */
  of(session: AuthenticatedSession, peer: string, info: GraphQLResolveInfo): Promise<Admitted> {
    const { operation, variableValues } = info;
    const known = this.#entries.get(variableValues);
    // An executor that gives the same object to several executions must not make one pass for another.
    if (known?.session === session && known.operation === operation) return known.admitted;
    const admitted = this.#admit(session, peer, info);
    this.#entries.set(variableValues, { session, operation, admitted });
    return admitted;
  }

  async #admit(session: AuthenticatedSession, peer: string, info: GraphQLResolveInfo): Promise<Admitted> {
    if (session.expiresAt !== undefined && session.expiresAt <= Date.now()) throw sessionExpired();
    const admitted = await this.#admission.admit(session, 1, { peer });
    await this.#rootFields.check(wholeRequest(info), admitted);
    return admitted;
  }
}

export function sessionExpired(): EngineError {
  return new EngineError("access-denied", "$", "the session has ended");
}
