/**
 * One operation on a connection, from its start to its last message. Queries and mutations end with `complete`; a
 * subscription goes on until it completes by itself or is stopped.
 */
import { slowMilliseconds } from "../../observe/logs/slow-operations.ts";
import type { WebsocketLog } from "../../observe/logs/websocket-log.ts";
import type { GraphqlRequest, PreparedOperation } from "../../ports/graphql.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import type { Session } from "../../values/session.ts";
import { overtakenAnswer, ReadBases } from "../read-bases.ts";
import { requestSession } from "../request-session.ts";
import type { Channel } from "./channel.ts";
import { completeMessage, message, type Protocol } from "./protocol.ts";
import { type ResultEndings, resultBeginning } from "./result-frame.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface OperationContext {
  readonly channel: Pick<Channel, "send" | "sendParts" | "isBusy">;
  /** Those that all connections share. */
  readonly endings: ResultEndings;
  readonly protocol: Protocol;
  /** An error as JSON text, in the form of the endpoint and without `internal`. */
  readonly renderError: (error: EngineError) => string;
  /** The client, for as long as it is there: queries end with it. */
  readonly caller: Caller;
  readonly services: Pick<
    RequestServices,
    "admission" | "authenticator" | "graphql" | "telemetry" | "reportBug" | "slowOperations"
  >;
  /** Of the client. */
  readonly address: string;
  readonly subscriptions: Subscriptions;
  /** The client has stopped the operation, and wants to hear no more of it. */
  readonly isStopped: () => boolean;
  readonly log: WebsocketLog;
}

export interface Operation {
  /** The client's name for it. */
  readonly id: string;
  readonly requestId: string;
  /** An error stands for a request that is refused by itself. */
  readonly request: GraphqlRequest | EngineError;
  /** For the log; absent until it is planned. */
  readonly textHash?: (() => string) | undefined;
}

/** Resolves when the next message of the client may be handled; never rejects. */
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
  const fail = (thrown: unknown, render: (errors: string) => string): void => {
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
    if (prepared.kind === "subscription") return await subscribe(context, operation, prepared);
  } catch (thrown) {
    return fail(thrown, (errors) => protocol.refused(id, errors));
  }
  const since = performance.now();
  const noteIfSlow = (hasFailed: boolean): void => {
    const milliseconds = performance.now() - since;
    if (milliseconds < slowMilliseconds || request instanceof EngineError) return;
    services.slowOperations?.note(request, { role: session.role, hasFailed, milliseconds });
  };
  try {
    const bases = new ReadBases();
    const data = await prepared.run(caller, bases);
    const holds = bases.holds();
    if (holds !== true && !(await holds)) throw overtakenAnswer();
    noteIfSlow(false);
    if (!isStopped()) channel.send(message(protocol.resultType, id, `{"data":${data}}`), prepared.about);
  } catch (thrown) {
    noteIfSlow(true);
    return fail(thrown, (errors) => protocol.failed(id, errors));
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
    next: (data: string) => channel.sendParts(beginning, endings.of(data), prepared.about),
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

/** Logs the failure; answers it as JSON text. */
function renderFailure(
  { services, log, renderError }: OperationContext,
  operation: Operation,
  thrown: unknown,
): string {
  const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, operation.requestId);
  log.operation(operation, { type: "query_err", detail: error });
  return renderError(error);
}
