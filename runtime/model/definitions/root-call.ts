/**
 * Root fields as functions for GraphQL executors. An engine runs them. Definitions do not refer to the engine; they
 * find it through the session in the execution's context.
 */
import type { GraphQLResolveInfo } from "graphql";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";

/** A resolver. It executes the field in `info` with the session of the context. */
export interface RootCall {
  /**
   * Returns the value of a query or mutation field; in a subscription, the value of a result of `subscribe`.
   * @throws errors of the runner; EngineError `access-denied` if the context has no session of an engine
   */
  (source: unknown, args: unknown, context: unknown, info: GraphQLResolveInfo): unknown;
  readonly subscribe: (
    source: unknown,
    args: unknown,
    context: unknown,
    info: GraphQLResolveInfo,
  ) => Promise<AsyncIterator<FieldResult>>;
}

/** The value that an executor receives for one event of a subscription, and from which it resolves the field. */
export class FieldResult {
  /** @throws an error for the executor's response */
  readonly valueFor: (info: GraphQLResolveInfo) => unknown;

  constructor(valueFor: (info: GraphQLResolveInfo) => unknown) {
    this.valueFor = valueFor;
  }
}

/** Runs root fields for executors; both methods reject with errors for the response. */
export interface RootFieldRunner {
  run(context: unknown, info: GraphQLResolveInfo): Promise<unknown>;
  subscribe(context: unknown, info: GraphQLResolveInfo): Promise<AsyncIterator<FieldResult>>;
}

const runner = Symbol("runner of root fields");

interface RunBy {
  readonly [runner]: RootFieldRunner;
}

/** Returns a copy of a session that is bound to a runner. Copies of the copy are not bound. */
export function runBy<S extends object>(by: RootFieldRunner, session: S): S {
  return Object.defineProperty({ ...session }, runner, { value: by });
}

/** Makes a definition callable. */
export function rootCall<
  Kind extends string,
  Definition extends { readonly kind: Kind; readonly name?: never; readonly length?: never },
>(definition: Definition): RootCall & Definition {
  const call = (source: unknown, _args: unknown, context: unknown, info: GraphQLResolveInfo): unknown =>
    source instanceof FieldResult ? source.valueFor(info) : runnerIn(context).run(context, info);
  return Object.assign(call, { subscribe }, definition);
}

const subscribe: RootCall["subscribe"] = async (_source, _args, context, info) =>
  runnerIn(context).subscribe(context, info);

function runnerIn(context: unknown): RootFieldRunner {
  if (isObject(context) && isRun(context.session)) return context.session[runner];
  throw Object.assign(new EngineError("access-denied", "$", noSession), {
    extensions: { path: "$", code: "access-denied" },
  });
}

const isRun = (session: unknown): session is RunBy => isObject(session) && runner in session;

const noSession =
  "the context of the execution has no session of an engine: its contextValue must be { session }, made by " +
  "engine.session(role, variables) or await engine.authenticate(headers)";
