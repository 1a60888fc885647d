/** Runs the root fields of executors' operations: each is one planned statement, or a transaction of its own. */
import { GraphQLError, type GraphQLResolveInfo } from "graphql";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { PreparedOperation } from "../ports/graphql.ts";
import type { RootFieldService } from "../ports/root-fields.ts";
import type { RequestServices } from "../ports/services.ts";
import { callAt } from "../values/call-at.ts";
import type { Caller } from "../values/caller.ts";
import { type ErrorVisibility, errorBody, showsInternal } from "../values/error-body.ts";
import { EngineError, invariant } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseAnswer } from "../values/parse-json.ts";
import { Admissions, sessionExpired } from "./admissions.ts";
import type { RootFieldRunner } from "./executable-schema.ts";
import { type Outcome, Results } from "./results.ts";
import { rootFieldRequest } from "./root-field.ts";

export interface RootFieldsParts extends Pick<RequestServices, "admission" | "reportBug"> {
  readonly service: RootFieldService;
  readonly visibility: ErrorVisibility;
  /** Those that run. */
  readonly subscriptions: Set<Results>;
}

/** Who an execution is for. */
export interface Asking {
  readonly session: AuthenticatedSession;
  readonly peer: string;
  readonly signal: Caller | undefined;
}

export class RootFields {
  readonly #parts: RootFieldsParts;
  readonly #admissions: Admissions;

  constructor(parts: RootFieldsParts) {
    this.#parts = parts;
    this.#admissions = new Admissions(parts.admission, parts.service);
  }

  /** @param askingOf throws an EngineError where the context of an execution names nobody who may ask */
  runner(askingOf: (context: unknown) => Asking): RootFieldRunner<Outcome> {
    const answering = async <T>(context: unknown, answer: (asking: Asking) => Promise<T>): Promise<T> => {
      let session: AuthenticatedSession | null = null;
      try {
        const asking = askingOf(context);
        session = asking.session;
        return await answer(asking);
      } catch (error) {
        throw this.#graphqlError(error, session);
      }
    };
    return {
      run: (context, info) => answering(context, (asking) => this.#run(asking, info)),
      subscribe: (context, info) => answering(context, (asking) => this.#subscribe(asking, info)),
      valueOf: (outcome, info) => {
        if ("error" in outcome) throw this.#graphqlError(outcome.error, null);
        return valueIn(outcome.data, info);
      },
    };
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
    const results: Results = new Results(() => {
      forgetExpiry?.();
      subscriptions.delete(results);
    });
    const forgetExpiry = expiresAt === undefined ? undefined : callAt(expiresAt, () => results.end(sessionExpired()));
    subscriptions.add(results);
    await results.start(prepared);
    return results;
  }

  async #prepare({ session, peer }: Asking, info: GraphQLResolveInfo): Promise<PreparedOperation> {
    const admitted = await this.#admissions.of(session, peer, info);
    return this.#parts.service.prepare(rootFieldRequest(info), admitted);
  }

  /** The form that errors have everywhere; executors add where in the answer it happened. */
  #graphqlError(thrown: unknown, session: AuthenticatedSession | null): GraphQLError {
    const { reportBug, visibility } = this.#parts;
    const known = thrown instanceof EngineError ? thrown : reportBug(thrown, "");
    const { error: message, ...extensions } = errorBody(known, showsInternal(visibility, session));
    return new GraphQLError(message, { extensions });
  }
}

/** @param data the JSON text of `data`'s value in an answer with this field alone */
function valueIn(data: string, { path }: GraphQLResolveInfo): unknown {
  const answer = parseAnswer(data);
  invariant(isObject(answer), "data is an object");
  return answer[path.key];
}
