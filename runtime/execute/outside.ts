/**
 * What an operation asks outside databases: remote servers and handlers of actions. In a mutation all of it takes its turn
 * with what is written, in the order of the fields.
 */

import { bind } from "../model/definitions/parameters.ts";
import type { OutputRead } from "../model/planner/action-plan.ts";
import type { PlanPart } from "../model/planner/plan.ts";
import type { AnswerHeaders } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { inSpan, noSpan } from "../values/span.ts";
import type { UploadedFile } from "../values/uploaded-file.ts";
import type { BoundAction } from "./actions/action-calls.ts";
import type { OutsideValues, RemoteValues } from "./answer.ts";
import type { Basis } from "./basis.ts";
import type { OutsideJoins } from "./joins/outside-joins.ts";
import { spanOfRemote, within } from "./operation-spans.ts";
import type { OutsideServices } from "./options.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { statementName } from "./prepared-writes.ts";
import type { BoundRemote } from "./remote/bound-remote.ts";
import { routedSource } from "./route.ts";
import type { TagStatement } from "./tag-statements.ts";

type Services = OutsideServices;

/** With the values of one request. */
export interface BoundOutside {
  readonly remotes: readonly BoundRemote[];
  readonly actions: readonly BoundAction[];
}

/** @throws EngineError for a bad value */
export function bindOutside(
  { plan: { plan }, variables, query, files }: Pick<PlannedOperation, "plan" | "variables" | "query" | "files">,
  session: Session,
  { remote, actions }: Services,
): BoundOutside {
  const hasFiles = files !== undefined && files.size > 0;
  const by = { session, query, hasFiles };
  const bound = {
    remotes: plan.remotes?.map((each) => remote.bind(each, variables, session, hasFiles)) ?? none,
    actions: plan.actions?.map((each) => actions.bind(each, variables, by)) ?? none,
  };
  if (hasFiles) checkTaken(files, bound);
  return bound;
}

const none: readonly never[] = [];

/** Databases take no files, and none is dropped. */
function checkTaken(files: ReadonlySet<UploadedFile>, { remotes, actions }: BoundOutside): void {
  const taken = new Set([...remotes, ...actions].flatMap((each) => each.files.map(({ file }) => file)));
  if ([...files].every((file) => taken.has(file))) return;
  const message = "a file is given where no remote schema and no action takes one";
  throw new EngineError("validation-failed", "$.variables", message);
}

export interface AskOptions {
  readonly milliseconds?: number | undefined;
  readonly headers?: AnswerHeaders | undefined;
  readonly caller?: Caller | undefined;
}

/** Asks one of them. */
export class Outside {
  readonly #basis: Basis;
  readonly #session: Session;
  readonly #services: Services;
  readonly #tag: TagStatement | undefined;

  /** @param tag absent: statements stay as they are */
  constructor(basis: Basis, session: Session, services: Services, tag?: TagStatement) {
    this.#basis = basis;
    this.#session = session;
    this.#services = services;
    this.#tag = tag;
  }

  remote(bound: BoundRemote, { milliseconds, headers, caller }: AskOptions): Promise<ReadonlyMap<string, string>> {
    const { span = noSpan } = this.#session;
    const { remote } = this.#services;
    if (!span.isRecording) return remote.ask(bound, milliseconds, headers, caller);
    const asking = spanOfRemote(span, bound.plan);
    return inSpan(asking, () => remote.ask(within(asking, bound), milliseconds, headers, caller));
  }

  /** Its handler may write, so that it is not called when others took away what allows it. */
  action(bound: BoundAction, options: AskOptions): Promise<string> {
    const check = this.#basis.check();
    return check ? check.then(() => this.#run(bound, options)) : this.#run(bound, options);
  }

  #run(bound: BoundAction, { milliseconds, headers, caller }: AskOptions): Promise<string> {
    const read = (what: OutputRead, variables: BoundAction["variables"]) => this.#read(what, variables, caller);
    const options = { milliseconds, headers, read };
    const { span = noSpan } = this.#session;
    if (!span.isRecording) return this.#services.actions.run(bound, options);
    const calling = span.child(`Action: ${bound.plan.call.action.name}`, "client");
    const traced = { ...bound, session: { ...bound.session, span: calling } };
    return inSpan(calling, () => this.#services.actions.run(traced, options));
  }

  async #read({ source, text, slots }: OutputRead, variables: BoundAction["variables"], caller: Caller | undefined) {
    const values = bind(slots, { variables, session: this.#session.variables, elsewhere: this.#session.elsewhere });
    const untagged = { text, name: statementName(text) };
    const statement = this.#tag?.(source, untagged) ?? untagged;
    const [row] = await routedSource(this.#basis.generation, source, this.#session).query(statement, values, caller);
    return row ?? [];
  }
}

/** Everything at once, with what is joined to it. */
export async function askAll(
  outside: Outside,
  bound: BoundOutside,
  options: AskOptions,
  joins: OutsideJoins,
): Promise<OutsideValues> {
  const { remotes, actions } = bound;
  // The usual cases, for which the lists of promises below cost more than the rest of it.
  if (remotes.length + actions.length === 1) {
    const [remote] = remotes;
    const [action] = actions;
    if (remote) {
      const values = joins.remote(0, await outside.remote(remote, options));
      return { remotes: [values instanceof Promise ? await values : values], actions: [] };
    }
    if (action) {
      const text = joins.action(0, await outside.action(action, options));
      return { remotes: [], actions: [typeof text === "string" ? text : await text] };
    }
  }
  const [remoteValues, actionTexts] = await Promise.all([
    Promise.all(remotes.map(async (each, i) => joins.remote(i, await outside.remote(each, options)))),
    Promise.all(actions.map(async (each, i) => joins.action(i, await outside.action(each, options)))),
  ]);
  return { remotes: remoteValues, actions: actionTexts };
}

/** What a mutation asks, each when its turn comes. */
export class OutsideTurns {
  readonly #outside: Outside;
  readonly #bound: BoundOutside;
  readonly #turns: readonly Turn[];
  readonly #given: { readonly remotes: RemoteValues[]; readonly actions: string[] } = { remotes: [], actions: [] };
  #begun = 0;

  /** @param parts of the plan */
  constructor(outside: Outside, bound: BoundOutside, parts: readonly PlanPart[]) {
    this.#outside = outside;
    this.#bound = bound;
    this.#turns = turnsOf(parts, bound);
  }

  /** Whether one of them was asked. */
  get hasBegun(): boolean {
    return this.#begun > 0;
  }

  /**
   * Asks those whose turn it is.
   * @param written how many fields have written to databases
   * @param options made for each, before which `check` has passed
   */
  async ask(written: number, check: () => Promise<void> | undefined, options: () => AskOptions): Promise<void> {
    for (const { kind, index, afterWrites } of this.#turns.slice(this.#begun)) {
      if (afterWrites > written) return;
      await check();
      const asked = options();
      this.#begun++;
      const [remote, action] = [this.#bound.remotes[index], this.#bound.actions[index]];
      if (kind === "remote" && remote) this.#given.remotes[index] = await this.#outside.remote(remote, asked);
      if (kind === "action" && action) this.#given.actions[index] = await this.#outside.action(action, asked);
    }
  }

  /** All answers, with what is joined to them. */
  async joined(joins: OutsideJoins): Promise<OutsideValues> {
    const { remotes, actions } = this.#given;
    const [joinedRemotes, joinedActions] = await Promise.all([
      Promise.all(remotes.map((each, i) => each && joins.remote(i, each))),
      Promise.all(actions.map((each, i) => (each === undefined ? each : joins.action(i, each)))),
    ]);
    return { remotes: joinedRemotes, actions: joinedActions };
  }
}

/** One of the turns of a mutation. */
interface Turn {
  readonly kind: "remote" | "action";
  readonly index: number;
  /** How many fields write to databases before. */
  readonly afterWrites: number;
}

/** In the order of the fields. */
function turnsOf(parts: readonly PlanPart[], { remotes, actions }: BoundOutside): readonly Turn[] {
  const turns = new Map<string, Turn>();
  const add = (kind: Turn["kind"], index: number, afterWrites: number): void => {
    const key = `${kind} ${index}`;
    if (!turns.has(key)) turns.set(key, { kind, index, afterWrites });
  };
  const visit = (inner: readonly PlanPart[]): void => {
    for (const part of inner) {
      if (part.kind === "object") visit(part.parts);
      if (part.kind === "remote") add("remote", part.request, remotes[part.request]?.plan.afterWrites ?? 0);
      if (part.kind === "action") add("action", part.action, actions[part.action]?.plan.afterWrites ?? 0);
    }
  };
  visit(parts);
  return [...turns.values()];
}
