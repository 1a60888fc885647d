/**
 * Calls of remote schemas and action handlers for one operation. Queries make the calls concurrently; mutations make
 * them in the order of their fields, between writes.
 */

import { bind } from "../model/definitions/parameters.ts";
import type { OutputRead } from "../model/planner/action-plan.ts";
import type { PlanPart } from "../model/planner/plan.ts";
import type { ResponseBuilder } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { inSpan, noSpan } from "../values/span.ts";
import type { UploadedFile } from "../values/uploaded-file.ts";
import type { BoundAction } from "./actions/action-calls.ts";
import type { RemoteResults, RemoteValues } from "./encode-data.ts";
import type { RemoteJoins } from "./joins/remote-joins.ts";
import { spanOfRemote, withSpan } from "./operation-spans.ts";
import type { RemoteServices } from "./options.ts";
import type { PinnedGeneration } from "./pinned-generation.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { statementName } from "./prepared-writes.ts";
import type { BoundRemote } from "./remote/bound-remote.ts";
import { routedSource } from "./route.ts";
import type { TagStatement } from "./tag-statements.ts";

export interface BoundRemoteCalls {
  readonly remotes: readonly BoundRemote[];
  readonly actions: readonly BoundAction[];
}

/**
 * Binds the values of all calls.
 * @throws EngineError for an invalid value or an unused file
 */
export function bindRemoteCalls(
  { plan: { plan }, variables, query, files }: Pick<PlannedOperation, "plan" | "variables" | "query" | "files">,
  session: Session,
  { remote, actions }: RemoteServices,
): BoundRemoteCalls {
  const hasFiles = files !== undefined && files.size > 0;
  const by = { session, query, hasFiles };
  const bound = {
    remotes: plan.remotes?.map((each) => remote.bind(each, variables, session, hasFiles)) ?? none,
    actions: plan.actions?.map((each) => actions.bind(each, variables, by)) ?? none,
  };
  if (hasFiles) checkFilesUsed(files, bound);
  return bound;
}

const none: readonly never[] = [];

/** Refuses files that neither a remote schema nor an action receives, because they would be dropped silently. */
function checkFilesUsed(files: ReadonlySet<UploadedFile>, { remotes, actions }: BoundRemoteCalls): void {
  const used = new Set([...remotes, ...actions].flatMap((each) => each.files.map(({ file }) => file)));
  if ([...files].every((file) => used.has(file))) return;
  const message = "a file was sent, but no remote schema or action of the operation accepts it";
  throw new EngineError("validation-failed", "$.variables", message);
}

export interface CallOptions {
  readonly milliseconds?: number | undefined;
  readonly response?: ResponseBuilder | undefined;
  readonly caller?: Caller | undefined;
}

export class RemoteCaller {
  readonly #pinned: PinnedGeneration;
  readonly #session: Session;
  readonly #services: RemoteServices;
  readonly #tag: TagStatement | undefined;

  /** @param tag adds query tags to statements; absent if there are none */
  constructor(pinned: PinnedGeneration, session: Session, services: RemoteServices, tag?: TagStatement) {
    this.#pinned = pinned;
    this.#session = session;
    this.#services = services;
    this.#tag = tag;
  }

  remote(bound: BoundRemote, { milliseconds, response, caller }: CallOptions): Promise<ReadonlyMap<string, string>> {
    const { span = noSpan } = this.#session;
    const { remote } = this.#services;
    if (!span.isRecording) return remote.send(bound, milliseconds, response, caller);
    const callSpan = spanOfRemote(span, bound.plan);
    return inSpan(callSpan, () => remote.send(withSpan(callSpan, bound), milliseconds, response, caller));
  }

  /** Calls the handler, which may write. */
  action(bound: BoundAction, options: CallOptions): Promise<string> {
    const check = this.#pinned.beforeWrite();
    return check ? check.then(() => this.#run(bound, options)) : this.#run(bound, options);
  }

  #run(bound: BoundAction, { milliseconds, response, caller }: CallOptions): Promise<string> {
    const read = (output: OutputRead, variables: BoundAction["variables"]) => this.#read(output, variables, caller);
    const options = { milliseconds, response, read };
    const { span = noSpan } = this.#session;
    if (!span.isRecording) return this.#services.actions.run(bound, options);
    const calling = span.child(`Action: ${bound.plan.call.action.name}`, "client");
    const traced = { ...bound, session: { ...bound.session, span: calling } };
    return inSpan(calling, () => this.#services.actions.run(traced, options));
  }

  async #read({ source, text, slots }: OutputRead, variables: BoundAction["variables"], caller: Caller | undefined) {
    const values = bind(slots, {
      variables,
      session: this.#session.variables,
      crossSourceValues: this.#session.crossSourceValues,
    });
    const untagged = { text, name: statementName(text) };
    const statement = this.#tag?.(source, untagged) ?? untagged;
    const [row] = await routedSource(this.#pinned.generation, source, this.#session).query(statement, values, caller);
    return row ?? [];
  }
}

/** Makes all calls concurrently, and joins values to each result as it arrives. */
export async function callAll(
  calls: RemoteCaller,
  bound: BoundRemoteCalls,
  options: CallOptions,
  joins: RemoteJoins | undefined,
): Promise<RemoteResults> {
  const { remotes, actions } = bound;
  // The lists of promises below would dominate the cost of a single call, which is the usual case.
  if (remotes.length + actions.length === 1) {
    const [remote] = remotes;
    const [action] = actions;
    if (remote) {
      const values = await calls.remote(remote, options);
      return { remotes: [joins ? await joins.remote(0, values) : values], actions: [] };
    }
    if (action) {
      const text = await calls.action(action, options);
      return { remotes: [], actions: [joins ? await joins.action(0, text) : text] };
    }
  }
  const [remoteValues, actionTexts] = await Promise.all([
    Promise.all(
      remotes.map(async (each, i) => {
        const values = await calls.remote(each, options);
        return joins ? joins.remote(i, values) : values;
      }),
    ),
    Promise.all(
      actions.map(async (each, i) => {
        const text = await calls.action(each, options);
        return joins ? joins.action(i, text) : text;
      }),
    ),
  ]);
  return { remotes: remoteValues, actions: actionTexts };
}

/** Makes the calls of a mutation in the order of its fields. */
export class SequentialRemoteCalls {
  readonly #caller: RemoteCaller;
  readonly #bound: BoundRemoteCalls;
  readonly #order: readonly ScheduledCall[];
  readonly #results: { readonly remotes: RemoteValues[]; readonly actions: string[] } = { remotes: [], actions: [] };
  #started = 0;

  constructor(calls: RemoteCaller, bound: BoundRemoteCalls, parts: readonly PlanPart[]) {
    this.#caller = calls;
    this.#bound = bound;
    this.#order = callOrder(parts, bound);
  }

  /**
   * Makes the calls that are due before the next write.
   * @param written number of fields that have written to databases
   * @param check runs before each call
   * @param options computed for each call after its check
   */
  async callNext(written: number, check: () => Promise<void> | undefined, options: () => CallOptions): Promise<void> {
    for (const { kind, index, afterWrites } of this.#order.slice(this.#started)) {
      if (afterWrites > written) return;
      await check();
      const callOptions = options();
      this.#started++;
      const [remote, action] = [this.#bound.remotes[index], this.#bound.actions[index]];
      if (kind === "remote" && remote) this.#results.remotes[index] = await this.#caller.remote(remote, callOptions);
      if (kind === "action" && action) this.#results.actions[index] = await this.#caller.action(action, callOptions);
    }
  }

  /** Results of the finished calls. */
  get results(): RemoteResults {
    return this.#results;
  }
}

interface ScheduledCall {
  readonly kind: "remote" | "action";
  readonly index: number;
  /** Number of fields before the call that write to databases. */
  readonly afterWrites: number;
}

function callOrder(parts: readonly PlanPart[], { remotes, actions }: BoundRemoteCalls): readonly ScheduledCall[] {
  const order = new Map<string, ScheduledCall>();
  const add = (kind: ScheduledCall["kind"], index: number, afterWrites: number): void => {
    const key = `${kind} ${index}`;
    if (!order.has(key)) order.set(key, { kind, index, afterWrites });
  };
  const visit = (inner: readonly PlanPart[]): void => {
    for (const part of inner) {
      if (part.kind === "object") visit(part.parts);
      if (part.kind === "remote") add("remote", part.request, remotes[part.request]?.plan.afterWrites ?? 0);
      if (part.kind === "action") add("action", part.action, actions[part.action]?.plan.afterWrites ?? 0);
    }
  };
  visit(parts);
  return [...order.values()];
}
