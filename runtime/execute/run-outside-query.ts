/** A query that is one question to a remote server or to a handler of an action: there is nothing to put together. */

import { Deadline } from "../databases/sources/deadline.ts";
import type { AnswerHeaders } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { noSpan } from "../values/span.ts";
import { type OutsideValues, queryAnswer, type RemoteValues } from "./answer.ts";
import type { Basis } from "./basis.ts";
import type { OutsideServices } from "./options.ts";
import { type AskOptions, type BoundOutside, Outside } from "./outside.ts";
import type { CachedPlan } from "./plan-cache.ts";
import type { TagStatement } from "./tag-statements.ts";

/** Databases and the text of the schema have no part in it, and nothing is joined. */
export function isOneQuestion({ plan, describesSchema, introspections }: CachedPlan): boolean {
  const { statements, joins = [], remotes = [], actions = [] } = plan;
  if (describesSchema || introspections.length > 0 || statements.length > 0 || joins.length > 0) return false;
  return remotes.length + actions.length === 1;
}

export interface OutsideQuery {
  readonly basis: Basis;
  readonly plan: CachedPlan;
  /** One question. */
  readonly asked: BoundOutside;
  readonly session: Session;
  readonly services: OutsideServices;
  /** Tags what is read beside an answer. */
  readonly tag: TagStatement;
  /** Plans and runs it anew, where what it was planned on does not hold any more. */
  readonly again: (caller?: Caller, headers?: AnswerHeaders) => Promise<string>;
}

/** As `prepareQuery`; promises in between would cost each request several turns. */
export function prepareOutsideQuery({ basis, plan, asked, session, services, tag, again }: OutsideQuery) {
  const outside = new Outside(basis, session, services, tag);
  const timeLimit = basis.generation.guard.timeLimitMilliseconds(session.role);
  const answerOf = (given: Given, headers: AnswerHeaders | undefined): string => {
    headers?.restOn?.(basis);
    const encoding = (session.span ?? noSpan).child("Encode response");
    const answer = queryAnswer(plan.plan, [], undefined, valuesOf(given));
    encoding.end();
    return answer;
  };
  const answerOnceHeld = async (
    given: Given,
    holds: Promise<boolean>,
    caller?: Caller,
    headers?: AnswerHeaders,
  ): Promise<string> => {
    if (await holds) return answerOf(given, headers);
    // A handler may have written.
    if (asked.actions.length > 0) await basis.check();
    return again(caller, headers);
  };
  return (caller?: Caller, headers?: AnswerHeaders): Promise<string> => {
    const deadline = Deadline.of(timeLimit, caller);
    const options = { milliseconds: deadline?.timeoutMilliseconds(), headers, caller: deadline ?? caller };
    const asking = askOne(outside, asked, options);
    return (deadline ? deadline.race(asking) : asking).then(
      (given) => {
        const holds = basis.holds();
        return holds === true ? answerOf(given, headers) : answerOnceHeld(given, holds, caller, headers);
      },
      (error: unknown) => {
        if (basis.hasRefused) return again(caller, headers);
        throw error;
      },
    );
  };
}

/** The JSON text that a handler's answer has become, or what a remote server gave. */
type Given = string | RemoteValues;

function askOne(outside: Outside, { remotes, actions }: BoundOutside, options: AskOptions): Promise<Given> {
  const [action] = actions;
  if (action) return outside.action(action, options);
  const [remote] = remotes;
  return remote ? outside.remote(remote, options) : Promise.resolve(new Map());
}

function valuesOf(given: Given): OutsideValues {
  return typeof given === "string" ? { remotes: [], actions: [given] } : { remotes: [given], actions: [] };
}
