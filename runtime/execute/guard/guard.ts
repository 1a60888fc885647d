/**
 * What keeps operations out before they are planned: the allow-list, the limits of the API, introspection that is
 * switched off for some roles. Belongs to one Generation; made of plain data, so that an artifact can carry it.
 */
import type { Client } from "../../http/services.ts";
import { EngineError } from "../../support/errors.ts";
import type { Operation } from "../../support/operation/document.ts";
import type { Session } from "../../support/session.ts";
import type { AllowList } from "./allow-list.ts";
import { type ApiLimits, limitOf } from "./api-limits.ts";
import { measure } from "./measure.ts";
import type { RateLimiter } from "./rate-limiter.ts";

export interface GuardRules {
  /** `null`: every document is allowed. */
  readonly allowList: AllowList | null;
  readonly limits: ApiLimits;
  readonly introspectionDisabledFor: readonly string[];
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
    const { allowList, limits } = this.#rules;
    if (allowList !== null && role !== "admin" && !allowList.allows(role, operation.document)) {
      const internal = { message: "query is not in any of the allowlists" };
      throw new EngineError("validation-failed", "$", "query is not allowed", { internal });
    }
    const { depth, nodes, introspects } = measure(operation);
    if (introspects && this.#withoutIntrospection.has(role)) {
      throw new EngineError("validation-failed", "$", `introspection is disabled for role: "${role}"`);
    }
    check("depth", depth, limitOf(limits, "depth_limit", role));
    check("node", nodes, limitOf(limits, "node_limit", role));
  }

  /**
   * Whether a request of so many operations is within the limits, which counts them.
   * @param client the other end of the connection: behind a proxy, session variables tell clients apart
   * @throws EngineError `batch-limit-exceeded`; `rate-limit-exceeded` with status 429
   */
  admit({ role, variables }: Session, operations: number, client: Client, rates: RateLimiter): void {
    const { limits } = this.#rules;
    check("batch", operations, limitOf(limits, "batch_limit", role));
    const rate = limitOf(limits, "rate_limit", role);
    if (rate === undefined) return;
    const { max_reqs_per_min: most, unique_params: unique } = rate;
    const distinction = Array.isArray(unique)
      ? unique.map((name: string) => variables.get(name.toLowerCase()) ?? null)
      : unique === "IP" && client.peer;
    if (rates.take(JSON.stringify([role, distinction]), operations, most)) return;
    const message = `rate limit of ${most} requests per minute exceeded`;
    throw new EngineError("rate-limit-exceeded", "$", message, { status: 429 });
  }

  /** How long an operation of a role may take; `undefined`: as long as it likes. */
  timeLimitMilliseconds(role: string): number | undefined {
    const seconds = limitOf(this.#rules.limits, "time_limit", role);
    return seconds === undefined ? undefined : seconds * 1000;
  }
}

function check(name: "depth" | "node" | "batch", value: number, limit: number | undefined): void {
  if (limit === undefined || value <= limit) return;
  throw new EngineError(`${name}-limit-exceeded`, "$", `${name} of ${value} exceeds the limit of ${limit}`);
}
