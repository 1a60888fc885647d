/** Runs the root fields of executors' operations: each is one planned statement, or a transaction of its own. */
import type { GraphQLResolveInfo } from "graphql";
import type { RootFieldRunner } from "../../model/definitions/root-call.ts";
import type { SchemaApi } from "../../model/schema/role-schema.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { PreparedOperation } from "../../ports/graphql.ts";
import type { RootFieldService } from "../../ports/root-fields.ts";
import type { RequestServices } from "../../ports/services.ts";
import { callAt } from "../../values/call-at.ts";
import type { Caller } from "../../values/caller.ts";
import { invariant } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseAnswer } from "../../values/parse-json.ts";
import { Admissions, sessionExpired } from "./admissions.ts";
import { type ErrorParts, fieldError } from "./graphql-error.ts";
import { type Outcome, Results } from "./results.ts";
import { rootFieldRequest } from "./root-field.ts";
import { type SchemaScope, scopeOf } from "./schema-scope.ts";

export interface RootFieldsParts extends ErrorParts, Pick<RequestServices, "admission"> {
  readonly services: Readonly<Record<SchemaApi, RootFieldService>>;
  /** @throws EngineError where the context of an execution names nobody who may ask what the schema shows */
  readonly askingOf: (context: unknown, scope: SchemaScope | undefined) => Asking;
  /** Those that run. */
  readonly subscriptions: Set<Results>;
}

/** Who an execution is for, and what of. */
export interface Asking {
  readonly api: SchemaApi;
  readonly session: AuthenticatedSession;
  readonly peer: string;
  readonly signal: Caller | undefined;
}

export class RootFields implements RootFieldRunner {
  readonly #parts: RootFieldsParts;
  readonly #admissions: Readonly<Record<SchemaApi, Admissions>>;

  constructor(parts: RootFieldsParts) {
    this.#parts = parts;
    const { admission, services } = parts;
    this.#admissions = {
      graphql: new Admissions(admission, services.graphql),
      relay: new Admissions(admission, services.relay),
    };
  }

  run(context: unknown, info: GraphQLResolveInfo): Promise<unknown> {
    return this.#answer(context, info, (asking) => this.#run(asking, info));
  }

  subscribe(context: unknown, info: GraphQLResolveInfo): Promise<Results> {
    return this.#answer(context, info, (asking) => this.#subscribe(asking, info));
  }

  async #answer<T>(context: unknown, info: GraphQLResolveInfo, answer: (asking: Asking) => Promise<T>): Promise<T> {
    let session: AuthenticatedSession | null = null;
    try {
      const asking = this.#parts.askingOf(context, scopeOf(info.schema));
      session = asking.session;
      return await answer(asking);
    } catch (error) {
      throw fieldError(error, session, this.#parts);
    }
  }

  async #run(asking: Asking, info: GraphQLResolveInfo): Promise<unknown> {
    const prepared = await this.#prepare(asking, info);
    invariant(prepared.kind !== "subscription", "executors subscribe to the fields of subscriptions");
    return valueIn(await prepared.run(asking.signal), info);
  }

  async #subscribe(asking: Asking, info: GraphQLResolveInfo): Promise<Results> {
    const { subscriptions } = this.#parts;
    const { expiresAt } = asking.session;
    const prepared = await this.#prepare(asking, info);
    invariant(prepared.kind === "subscription", "executors run the fields of queries and mutations");
    const results: Results = new Results({
      valueOf: (outcome, field) => this.#valueOf(outcome, field),
      onEnd: () => {
        forgetExpiry?.();
        subscriptions.delete(results);
      },
    });
    const forgetExpiry = expiresAt === undefined ? undefined : callAt(expiresAt, () => results.end(sessionExpired()));
    subscriptions.add(results);
    await results.start(prepared);
    return results;
  }

  async #prepare({ api, session, peer }: Asking, info: GraphQLResolveInfo): Promise<PreparedOperation> {
    const admitted = await this.#admissions[api].of(session, peer, info);
    return this.#parts.services[api].prepare(rootFieldRequest(info), admitted);
  }

  #valueOf(outcome: Outcome, info: GraphQLResolveInfo): unknown {
    if ("error" in outcome) throw fieldError(outcome.error, null, this.#parts);
    return valueIn(outcome.data, info);
  }
}

/** @param data the JSON text of `data`'s value in an answer with this field alone */
function valueIn(data: string, { path }: GraphQLResolveInfo): unknown {
  const answer = parseAnswer(data);
  invariant(isObject(answer), "data is an object");
  return answer[path.key];
}
