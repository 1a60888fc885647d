/**
 * The one admission for everything that a role may ask, whatever the endpoint: the allow-list, the limits of the API,
 * introspection that is switched off for some roles. Belongs to one Generation; made of plain data, so that an artifact
 * can carry it.
 */

import type { Measure } from "../../model/planner/request/budget.ts";
import type { Operation } from "../../model/planner/request/document.ts";
import type { Client } from "../../ports/request.ts";
import { AdmittedSession } from "../../values/admitted-session.ts";
import { EngineError } from "../../values/errors.ts";
import { type Session, sessionVariableName } from "../../values/session.ts";
import type { AllowList } from "./allow-list.ts";
import { type ApiLimits, type LimitName, type LimitValue, limitOf } from "./api-limits.ts";
import type { RateCounter } from "./rate-limiter.ts";

export interface GuardRules {
  /** `null`: every document is allowed. */
  readonly allowList: AllowList | null;
  readonly limits: ApiLimits;
  /** Limits of one role where `limits` has none; `null`: no role has such. */
  readonly defaults: { readonly role: string; readonly limits: ApiLimits } | null;
  readonly introspectionDisabledFor: readonly string[];
  /** Another prefix of session variables that limits may name, in lower case; absent: none. */
  readonly alias?: string | null;
}

export class Guard {
  readonly #rules: GuardRules;
  readonly #withoutIntrospection: ReadonlySet<string>;

  constructor(rules: GuardRules) {
    this.#rules = rules;
    this.#withoutIntrospection = new Set(rules.introspectionDisabledFor);
  }

  /**
   * Whether a role may send a document, whatever the values of its variables.
   * @throws EngineError
   */
  checkOperation(role: string, operation: Operation): void {
    const { allowList } = this.#rules;
    if (allowList !== null && role !== "admin" && !allowList.allows(role, operation.document)) {
      const internal = { message: "query is not in any of the allowlists" };
      throw new EngineError("validation-failed", "$", "query is not allowed", { internal });
    }
    if (operation.measure.introspects) this.checkIntrospection(role);
    this.checkSize(role, operation.measure);
  }

  /** Whether the literals of a document decide about it. */
  comparesDocuments(role: string): boolean {
    return this.#rules.allowList !== null && role !== "admin";
  }

  /**
   * Whether a role may send data operations: no allow-list can name one.
   * @throws EngineError
   */
  checkDataOperations(role: string): void {
    if (this.#rules.allowList === null || role === "admin") return;
    const message = `data operations are not allowed for role "${role}" while the allow-list is enabled`;
    throw new EngineError("access-denied", "$", `${message}: send a saved operation to /v1/graphql`);
  }

  /** @throws EngineError `depth-limit-exceeded`, `node-limit-exceeded` */
  checkSize(role: string, { depth, nodes }: Pick<Measure, "depth" | "nodes">): void {
    check("depth", depth, this.#limit("depth_limit", role));
    check("node", nodes, this.#limit("node_limit", role));
  }

  mayIntrospect(role: string): boolean {
    return !this.#withoutIntrospection.has(role);
  }

  /**
   * Whether a role may ask for the schema, be it as SDL.
   * @throws EngineError
   */
  checkIntrospection(role: string): void {
    if (this.mayIntrospect(role)) return;
    throw new EngineError("validation-failed", "$", `introspection is disabled for role: "${role}"`);
  }

  /**
   * Admits a request of so many operations where it is within the limits, and counts them.
   * @param client the other end of the connection: behind a proxy, session variables tell clients apart
   * @returns a promise only where a rate is limited that others count along
   * @throws EngineError `batch-limit-exceeded`; `rate-limit-exceeded` with status 429
   */
  admit<S extends Session>(
    session: S,
    operations: number,
    client: Client,
    rates: RateCounter,
  ): AdmittedSession<S> | Promise<AdmittedSession<S>> {
    const { role, variables } = session;
    check("batch", operations, this.#limit("batch_limit", role));
    const rate = this.#limit("rate_limit", role);
    if (rate === undefined) return new AdmittedSession(session);
    const { max_reqs_per_min: most, unique_params: unique } = rate;
    const distinction = Array.isArray(unique)
      ? unique.map((name: string) => variables.get(sessionVariableName(name, this.#rules.alias)) ?? null)
      : unique === "IP" && client.peer;
    const admitted = (isWithin: boolean): AdmittedSession<S> => {
      if (isWithin) return new AdmittedSession(session);
      const message = `rate limit of ${most} requests per minute exceeded`;
      throw new EngineError("rate-limit-exceeded", "$", message, { status: 429 });
    };
    const taken = rates.take(JSON.stringify([role, distinction]), operations, most);
    return typeof taken === "boolean" ? admitted(taken) : taken.then(admitted);
  }

  /** How long an operation of a role may take; `undefined`: as long as it likes. */
  timeLimitMilliseconds(role: string): number | undefined {
    const seconds = this.#limit("time_limit", role);
    return seconds === undefined ? undefined : seconds * 1000;
  }

  #limit<Name extends LimitName>(name: Name, role: string): LimitValue<Name> | undefined {
    const { limits, defaults } = this.#rules;
    const limit = limitOf(limits, name, role);
    return limit === undefined && role === defaults?.role ? limitOf(defaults.limits, name, role) : limit;
  }
}

function check(name: "depth" | "node" | "batch", value: number, limit: number | undefined): void {
  if (limit === undefined || value <= limit) return;
  throw new EngineError(`${name}-limit-exceeded`, "$", `${name} of ${value} exceeds the limit of ${limit}`);
}
