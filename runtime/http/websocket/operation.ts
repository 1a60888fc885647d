/**
 * Runs one operation of a connection. Queries and mutations end with `complete`; a subscription runs until it completes
 * or is stopped.
 */
import { slowMilliseconds } from "../../observe/logs/slow-operations.ts";
import type { WebsocketLog } from "../../observe/logs/websocket-log.ts";
import type { GraphqlRequest, PreparedOperation, Subscription, SubscriptionSink } from "../../ports/graphql.ts";
import type { OperationIdentity } from "../../ports/metrics.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import type { JoinedBytes } from "../../values/joined-bytes.ts";
import { enclosed, textSize, toBytes, unpacked } from "../../values/response-text.ts";
import type { Session } from "../../values/session.ts";
import { requestSession } from "../request-session.ts";
import { CombinedValidity, staleResponse } from "../response-validity.ts";
import type { Channel } from "./channel.ts";
import { completeMessage, message, type Protocol } from "./protocol.ts";
import { type ResultEndings, resultBeginning } from "./result-frame.ts";

export interface OperationContext {
  readonly channel: Pick<Channel, "send" | "sendParts" | "isBusy">;
  /** Shared by all connections. */
  readonly endings: ResultEndings;
  readonly protocol: Protocol;
  /** Renders an error as JSON text in the form of the endpoint, without `internal`. */
  readonly renderError: (error: EngineError) => string;
  /** Cancels queries when the client disconnects. */
  readonly caller: Caller;
  readonly services: Pick<
    RequestServices,
    "admission" | "authenticator" | "graphql" | "savedText" | "telemetry" | "reportBug" | "slowOperations" | "roleUsage"
  >;
  /** The client's address. */
  readonly address: string;
  readonly subscriptions: Subscriptions;
  /** Returns true once the client has stopped the operation; no further message is sent for it. */
  readonly isStopped: () => boolean;
  readonly log: WebsocketLog;
}

export interface Operation {
  /** The id chosen by the client. */
  readonly id: string;
  readonly requestId: string;
  /** The request, or the error of a well-formed request that is refused. */
  readonly request: GraphqlRequest | EngineError;
  /** Returns the hash of the operation text for the log; absent before planning. */
  readonly textHash?: (() => string) | undefined;
}

/** Runs an operation. Resolves when the client's next message may be handled. */
export async function runOperation(context: OperationContext, operation: Operation, session: Session): Promise<void> {
  const { tracer } = context.services.telemetry;
  const { requestId } = operation;
  if (!tracer.isOn) return runTraced(context, operation, { ...session, requestId });
  const span = tracer.begin("websocket", "server", session.clientHeaders ?? {}, { request_id: requestId });
  try {
    await runTraced(context, operation, requestSession(session, { requestId, span }));
  } finally {
    span.end();
  }
}

async function runTraced(context: OperationContext, received: Operation, session: Session): Promise<void> {
  const { channel, protocol, services, log, isStopped } = context;
  const { id, request } = received;
  let operation = received;
  log.operation(operation, { type: "started" });
  const caller: Caller = {
    get aborted() {
      return context.caller.aborted || isStopped();
    },
  };
  const fail = (thrown: unknown, render: (errors: string) => string, milliseconds = 0): void => {
    services.roleUsage?.note(session.role, true, milliseconds, 0);
    if (isStopped()) {
      log.operation(operation, { type: "stopped" });
      return;
    }
    session.span?.fail(thrown);
    channel.send(render(`[${renderFailure(context, operation, thrown)}]`));
    channel.send(completeMessage(id));
  };
  let prepared: PreparedOperation;
  try {
    if (request instanceof EngineError) throw request;
    const admitted = await services.admission.admit(session, 1, { peer: context.address });
    prepared = await services.graphql.prepare(request, admitted);
    operation = { ...received, textHash: prepared.textHash };
    if (isStopped() && prepared.kind === "query") return log.operation(operation, { type: "stopped" });
    if (prepared.kind === "subscription") {
      await subscribe(context, operation, prepared);
      services.roleUsage?.note(session.role, false, 0, 0);
      return;
    }
  } catch (thrown) {
    return fail(thrown, (errors) => protocol.refused(id, errors));
  }
  const since = performance.now();
  const noteIfSlow = (milliseconds: number, hasFailed: boolean): void => {
    if (milliseconds < slowMilliseconds || request instanceof EngineError) return;
    services.slowOperations?.note(request, { role: session.role, hasFailed, milliseconds });
  };
  try {
    const validity = new CombinedValidity();
    const data = await unpacked(await prepared.run(caller, validity));
    const current = validity.isCurrent();
    if (current !== true && !(await current)) throw staleResponse();
    const milliseconds = performance.now() - since;
    noteIfSlow(milliseconds, false);
    services.roleUsage?.note(session.role, validity.errors.length > 0, milliseconds, textSize(data));
    if (!isStopped()) sendResult(context, operation, { data, errors: validity.errors }, prepared.about);
    if (typeof data !== "string") data.release();
  } catch (thrown) {
    const milliseconds = performance.now() - since;
    noteIfSlow(milliseconds, true);
    return fail(thrown, (errors) => protocol.failed(id, errors), milliseconds);
  }
  if (!isStopped()) channel.send(completeMessage(id));
  log.operation(operation, { type: "completed" });
}

async function subscribe(
  context: OperationContext,
  operation: Operation,
  prepared: Extract<PreparedOperation, { kind: "subscription" }>,
): Promise<void> {
  const { channel, protocol, subscriptions, log, endings, isStopped } = context;
  const { id } = operation;
  const beginning = resultBeginning(protocol.resultType, id);
  const sink = {
    next: (data: string | JoinedBytes, errors?: readonly EngineError[]) => {
      if (errors === undefined) return channel.sendParts(beginning, endings.of(data), prepared.about);
      sendResult(context, operation, { data, errors }, prepared.about);
    },
    error: (error: unknown) => {
      const payload = `{"data":null,"errors":[${renderFailure(context, operation, error)}]}`;
      channel.send(message(protocol.resultType, id, payload));
    },
    complete: () => {
      channel.send(completeMessage(id));
      log.operation(operation, { type: "completed" });
    },
    isBusy: () => channel.isBusy(),
    get aborted() {
      return isStopped();
    },
  };
  await subscriptions.start(id, prepared, sink, () => log.operation(operation, { type: "stopped" }));
}

interface OperationResult {
  readonly data: string | JoinedBytes;
  readonly errors: readonly EngineError[];
}

/** Sends a result and logs its first error. */
function sendResult(
  { channel, protocol, log, renderError }: OperationContext,
  operation: Operation,
  { data, errors }: OperationResult,
  about: OperationIdentity | undefined,
): void {
  const { resultType } = protocol;
  const [first] = errors;
  if (first) log.operation(operation, { type: "query_err", detail: first });
  const end = first ? `,"errors":[${errors.map(renderError).join(",")}]}` : "}";
  if (typeof data === "string") channel.send(message(resultType, operation.id, `{"data":${data}${end}`), about);
  else channel.sendParts(resultBeginning(resultType, operation.id), toBytes(enclosed(data, "", `${end}}`)), about);
}

/** Logs an error and renders it as JSON text. */
function renderFailure(
  { services, log, renderError }: OperationContext,
  operation: Operation,
  thrown: unknown,
): string {
  const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, operation.requestId);
  log.operation(operation, { type: "query_err", detail: error });
  return renderError(error);
}

interface Running {
  /** `null` before the first result. */
  subscription: Subscription | null;
  /** Called when the client or the end of the connection stops the subscription. */
  readonly onStop: () => void;
}

/** The subscriptions of one connection, by id. */
export class Subscriptions {
  readonly #running = new Map<string, Running>();

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /**
   * Starts a subscription. Results after its end are not passed to the sink. Stopping the subscription before its first
   * result cancels its statement without reporting an error.
   * @throws EngineError if the first result fails
   */
  async start(
    id: string,
    operation: Extract<PreparedOperation, { kind: "subscription" }>,
    sink: SubscriptionSink,
    onStop: () => void,
  ): Promise<void> {
    const running: Running = { subscription: null, onStop };
    this.#running.set(id, running);
    const isRunning = (): boolean => this.#running.get(id) === running;
    const end = (): boolean => isRunning() && this.#running.delete(id);
    try {
      const subscription = await operation.subscribe({
        next: (data, errors) => {
          if (isRunning()) sink.next(data, errors);
        },
        error: (error) => {
          if (isRunning()) sink.error(error);
        },
        complete: () => {
          if (end()) sink.complete();
        },
        isBusy: () => sink.isBusy(),
        get aborted() {
          return !isRunning() || sink.aborted === true;
        },
      });
      // The subscription may have been stopped or completed in the meantime.
      if (isRunning()) running.subscription = subscription;
      else subscription.stop();
    } catch (error) {
      if (end()) throw error;
    }
  }

  /** Ignores unknown ids, because a subscription may complete while the client stops it. */
  stop(id: string): void {
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    running.subscription?.stop();
    running.onStop();
  }

  stopAll(): void {
    for (const id of [...this.#running.keys()]) this.stop(id);
  }
}
