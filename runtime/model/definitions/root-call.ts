/**
 * Root fields as functions that a GraphQL executor calls. An engine runs them: definitions know none, and the session in
 * the context of the execution leads to it.
 */
import type { GraphQLResolveInfo } from "graphql";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";

/** A resolver. It asks what `info` says, under the session of the context. */
export interface RootCall {
  /**
   * The value of a field of a query or mutation; in a subscription, that of a result which `subscribe` gave.
   * @throws what the runner does, or an EngineError `access-denied`: the context has no session of an engine
   */
  (source: unknown, args: unknown, context: unknown, info: GraphQLResolveInfo): unknown;
  /** The results of a field of a subscription. */
  readonly subscribe: (
    source: unknown,
    args: unknown,
    context: unknown,
    info: GraphQLResolveInfo,
  ) => Promise<AsyncIterator<FieldResult>>;
}

/** What an executor gets for one event of a subscription, to resolve the field with. */
export class FieldResult {
  /** @throws an error for the executor's answer */
  readonly valueFor: (info: GraphQLResolveInfo) => unknown;

  constructor(valueFor: (info: GraphQLResolveInfo) => unknown) {
    this.valueFor = valueFor;
  }
}

/** Runs root fields for executors; both methods reject with errors for their answers. */
export interface RootFieldRunner {
  run(context: unknown, info: GraphQLResolveInfo): Promise<unknown>;
  subscribe(context: unknown, info: GraphQLResolveInfo): Promise<AsyncIterator<FieldResult>>;
}

const runner = Symbol("runner of root fields");

interface RunBy {
  readonly [runner]: RootFieldRunner;
}

/** A copy of a session that leads calls to what runs them; copies of the copy do not. */
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
