/**
 * `/v1/metadata`, `/v1/query`, `/v2/query`: decodes a request, checks the caller's role, runs it on a draft of the metadata,
 * and passes a changed draft to `commit`, which stores and serves it before the response is sent.
 */

import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { noticesOf } from "../../compiler/2-analyze/notices.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { unreadMembers, unreadText } from "../../compiler/catalog/unread-members.ts";
import { atomicChange, mayChangeSchema, refuseConcurrent } from "../../compiler/metadata/bulk.ts";
import {
  type BulkCall,
  type DecodedCall,
  type DecodedRequest,
  decodeRequest,
} from "../../compiler/metadata/dispatch.ts";
import type { IoCall } from "../../compiler/metadata/operation.ts";
import { type DataOptions, type DataRun, runDataOperation } from "../execute/dml/run.ts";
import { PinnedGeneration } from "../execute/pinned-generation.ts";
import type { AdminClient, AdminEndpoint, MetadataService } from "../ports/administration.ts";
import type { AdmissionService } from "../ports/admission.ts";
import { type Continuity, uninterrupted } from "../ports/continuity.ts";
import { type OperationHooks, withHooks } from "../ports/operation-hooks.ts";
import type { Siblings } from "../ports/siblings.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import { errorBody } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Session } from "../values/session.ts";
import { accessHandlers } from "./access.ts";
import { actionLogHandlers } from "./action-log.ts";
import { adviseHandlers } from "./advise.ts";
import { agentToolHandlers } from "./agent-tools.ts";
import { applyChange, type ChangeEnvironment } from "./apply-change.ts";
import { type AuditLog, auditLogHandlers, failureOf } from "./audit-log.ts";
import { auditedRequest } from "./audited-operations.ts";
import { catalogStateHandlers } from "./catalog-state.ts";
import { originOf } from "./change-origin.ts";
import type { Committed, ControlPlane } from "./control-plane.ts";
import { deadLetterHandlers } from "./dead-letters.ts";
import { engineError, valueOrThrow } from "./diagnostic-errors.ts";
import { eventLogHandlers } from "./event-logs.ts";
import { explainAccessHandlers } from "./explain-access.ts";
import type { PlanRequest } from "./explain-request.ts";
import { generatedCodeHandlers } from "./generated-code.ts";
import type { Activity, IoContext, IoHandlers } from "./io-handlers.ts";
import { getLogLines } from "./log-lines.ts";
import { metadataHistoryHandlers } from "./metadata-history.ts";
import { checkMode, type OperatingMode } from "./operating-mode.ts";
import { runSqlHandlers } from "./run-sql.ts";
import { scheduledEventHandlers } from "./scheduled-events.ts";
import { sourceTableHandlers } from "./source-tables.ts";
import { type Draft, draftOf } from "./state.ts";
import type { MetadataStore } from "./store.ts";
import { testWebhookTransformHandlers } from "./test-webhook-transform.ts";
import { exportShapes } from "./worker-shapes.ts";

export interface MetadataOptions extends DataOptions {
  readonly mode: OperatingMode;
  readonly admission: AdmissionService;
  readonly continuity: Continuity;
  /** Hooks around data operations. */
  readonly hooks: OperationHooks | undefined;
  /** The other workers of the server; absent if there are none. Only one worker at a time changes the metadata. */
  readonly siblings?: Pick<Siblings, "changing"> | undefined;
  readonly activity: Activity;
  /** Environment variables that the metadata can use. */
  readonly environmentVariables: IoContext["environmentVariables"];
  readonly unauthorizedRole: IoContext["unauthorizedRole"];
  readonly visibility: IoContext["visibility"];
  /** Called after a one-off event has been created, or an event has been redelivered. */
  readonly onScheduledEvent: () => void;
  readonly planRequest: PlanRequest;
  readonly auditLog: Pick<AuditLog, "record">;
}

interface MetadataRequest {
  readonly endpoint: AdminEndpoint;
  readonly body: unknown;
  readonly session: Session;
  /** Counts operations against the limits of the session's role. */
  readonly admit: (operations: number) => AdmittedSession | Promise<AdmittedSession>;
  readonly validity: DataRun["validity"];
  /** Address of the client, for the audit log. */
  readonly ip: string;
}

/** @param options planning, validation and write permissions for data operations */
export function metadataService(control: ControlPlane, options: MetadataOptions): MetadataService {
  const { admission } = options;
  return {
    handle(endpoint, body, session, client, validity) {
      const admit = (operations: number) => admission.admit(session, operations, client);
      return handle(control, { endpoint, body, session, admit, validity, ip: addressOf(client) }, options);
    },
    notices: (request) => [...unreadLines(request), ...noticeLines(control.state.analysis)],
  };
}

/** Returns the reported address, which clients can forge, together with that of the connection if they differ. */
const addressOf = ({ ip, peer }: AdminClient): string => (ip === peer ? peer : `${ip} via ${peer}`);

async function handle(control: ControlPlane, request: MetadataRequest, options: MetadataOptions): Promise<unknown> {
  const { endpoint, body, session, ip } = request;
  const decoded = valueOrThrow(decodeRequest(endpoint, body));
  const audited = auditedRequest(body, decoded.call);
  if (audited.count === 0 || session.role !== "admin") return handleDecoded(control, request, decoded, options);
  const record = (outcome: string) => {
    const { resourceVersion } = control.state;
    return options.auditLog.record({ ...audited, session, ip, endpoint, outcome, resourceVersion });
  };
  try {
    const response = await handleDecoded(control, request, decoded, options);
    await record("success");
    return response;
  } catch (error) {
    await record(failureOf(error));
    throw error;
  }
}

async function handleDecoded(
  control: ControlPlane,
  { endpoint, body, session, admit, validity }: MetadataRequest,
  { call, resourceVersion }: DecodedRequest,
  options: MetadataOptions,
): Promise<unknown> {
  if (session.role !== "admin" && !(endpoint === "/v1/query" && isOpenToAllRoles(call))) {
    throw new EngineError("access-denied", "$.args", "restricted access : admin only");
  }
  const by = await admit(countOf(call));
  checkMode(options.mode, endpoint, call);
  const requestOn = (draft: Draft, continuity: Continuity): Request => {
    return {
      draft,
      environment: control.changeEnvironment(resourceVersion ?? control.state.resourceVersion),
      by,
      pinned: () => new PinnedGeneration(control.generationOf(draft), () => control.generation, continuity),
      validity,
      options,
      store: control.store,
    };
  };
  // Data operations, reads and SQL that cannot change the schema run concurrently with metadata changes.
  if (!mayChangeSchema(call)) {
    const { continuity } = options;
    await continuity.settled();
    return runCall(call, requestOn(draftOf(control.state), continuity));
  }
  return amongWorkers(control, options, () =>
    control.exclusively(async (state) => {
      const draft = draftOf(state);
      // No checks for interruptions: `commit` refuses the change if another instance has changed the metadata.
      const response = await runCall(call, requestOn(draft, uninterrupted));
      if (!draft.modified) return response;
      const expected = resourceVersion ?? state.resourceVersion;
      return withWarnings(response, await control.commit(draft, expected, originOf(body, session)));
    }),
  );
}

/** Runs a change exclusively among all workers of the server. */
function amongWorkers<T>(control: ControlPlane, { siblings }: MetadataOptions, change: () => Promise<T>): Promise<T> {
  if (siblings === undefined) return change();
  const before = control.state;
  return siblings.changing(change, () => exportShapes(control.state, before));
}

/** Adds the warnings of a committed change to its response, if the response is an object. */
function withWarnings(response: Json, { broken, warnings: changeWarnings }: Committed): Json {
  if (broken.length + changeWarnings.length === 0) return response;
  if (typeof response !== "object" || response === null || Array.isArray(response)) return response;
  const added = broken.map(({ operation: { collection, name }, role, faults }) => ({
    code: "saved-operation-broken",
    type: "query_collections",
    name: `query_collections ${name} in ${collection}`,
    message: `no longer valid for role ${role}: ${faults.join(", ")}`,
  }));
  const { warnings = [] } = response as { readonly warnings?: readonly Json[] };
  return { ...response, warnings: [...warnings, ...changeWarnings.map((each) => ({ ...each })), ...added] };
}

/** State shared by the calls of one request. */
interface Request {
  readonly draft: Draft;
  readonly environment: ChangeEnvironment;
  readonly by: AdmittedSession;
  /** Returns a generation of the draft for data operations. */
  readonly pinned: () => PinnedGeneration;
  readonly validity: DataRun["validity"];
  readonly options: MetadataOptions;
  readonly store: MetadataStore;
}

/** Returns true if roles other than admin may run the call. */
function isOpenToAllRoles(call: DecodedCall): boolean {
  if (call.effect === "data") return true;
  return call.effect === "bulk" && call.items.length > 0 && call.items.every(isOpenToAllRoles);
}

/** Counts the operations of a call, including those inside bulks. */
function countOf(call: DecodedCall): number {
  return call.effect === "bulk" ? call.items.reduce((sum, item) => sum + countOf(item), 0) : 1;
}

async function runCall(call: DecodedCall, request: Request): Promise<Json> {
  const { draft, environment, by, options } = request;
  switch (call.effect) {
    case "read": {
      const { catalog, analysis } = draft;
      return valueOrThrow(call.read({ catalog, analysis, context: environment.context }));
    }
    case "change":
      return applyChange(call, draft, environment);
    case "io":
      return runIo(call, request);
    case "data": {
      const { input, path } = call;
      const run = () =>
        runDataOperation(input, { pinned: request.pinned(), validity: request.validity, by, path, options });
      const { hooks } = options;
      if (!hooks) return (await run()) as Json;
      const operation = { query: stringifyJson(input), operationName: null, variables: null };
      return (await withHooks(hooks, ["data", operation, by], run)) as Json;
    }
    case "bulk":
      return runBulk(call, request);
    case "plan": {
      // Loaded on first use: few servers run this operation.
      const { planChanges } = await import("./plan-changes.ts");
      // On a copy, so that other items of a bulk are unaffected.
      return planChanges(call, { ...draft, effects: [] }, environment);
    }
  }
}

const activityHandlers: IoHandlers<
  "get_slow_operations" | "get_role_usage" | "get_tool_calls" | "get_instances" | "get_live_queries" | "get_log_lines"
> = {
  get_slow_operations: (_, { activity }) => [...activity.slowOperations()] as Json,
  get_role_usage: (_, { activity }) => ({ ...activity.roleUsage() }) as Json,
  get_tool_calls: (_, { activity }) => [...activity.toolCalls()] as Json,
  get_instances: async (_, { activity }) => [...(await activity.instances())] as Json,
  get_live_queries: (_, { activity }) => [...activity.liveQueries()] as Json,
  get_log_lines: (call, { activity }) => getLogLines(call, activity.logLines),
};

const ioHandlers: IoHandlers = {
  ...runSqlHandlers,
  ...testWebhookTransformHandlers,
  ...sourceTableHandlers,
  ...generatedCodeHandlers,
  ...accessHandlers,
  ...explainAccessHandlers,
  ...adviseHandlers,
  ...activityHandlers,
  ...agentToolHandlers,
  ...actionLogHandlers,
  ...deadLetterHandlers,
  ...auditLogHandlers,
  ...catalogStateHandlers,
  ...metadataHistoryHandlers,
  ...scheduledEventHandlers,
  ...eventLogHandlers,
};

function runIo(call: IoCall, request: Request): Promise<Json> | Json {
  const { draft, environment, by, store, options, pinned } = request;
  const { activity, environmentVariables, unauthorizedRole, visibility, onScheduledEvent, planRequest } = options;
  // Safe: the registry decodes the call with the row of this name.
  const handle = ioHandlers[call.operation as keyof IoHandlers] as (
    call: IoCall,
    context: IoContext,
  ) => Promise<Json> | Json;
  return handle(call, {
    draft,
    environment,
    session: by.session,
    store,
    activity,
    environmentVariables,
    unauthorizedRole,
    visibility,
    onScheduledEvent,
    generation: () => pinned().generation,
    planRequest,
  });
}

async function runBulk(bulk: BulkCall, request: Request): Promise<Json> {
  const { draft, environment } = request;
  const run = (item: DecodedCall) => runCall(item, request);
  switch (bulk.mode) {
    case "bulk": {
      const responses: Json[] = [];
      for (const item of bulk.items) responses.push(await run(item));
      return responses;
    }
    case "bulk_keep_going": {
      const responses: Json[] = [];
      for (const item of bulk.items) responses.push(await runIsolated(item, draft, run));
      return responses;
    }
    case "bulk_atomic":
      return applyChange(atomicChange(bulk), draft, environment);
    case "concurrent_bulk": {
      const refusal = refuseConcurrent(bulk);
      if (refusal) throw engineError(refusal);
      return Promise.all(bulk.items.map(run));
    }
  }
}

/** Runs an item of a bulk. If it fails, restores the draft and returns the error as the response. */
async function runIsolated(item: DecodedCall, draft: Draft, run: (item: DecodedCall) => Promise<Json>): Promise<Json> {
  const before = { ...draft, effects: [...draft.effects] };
  try {
    return await run(item);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    Object.assign(draft, before);
    return errorBody(error, true) as unknown as Json;
  }
}

const cachedLines = new WeakMap<Analysis, readonly string[]>();

/** Returns notices about metadata that is accepted but has no effect. */
export function noticeLines(analysis: Analysis): readonly string[] {
  let lines = cachedLines.get(analysis);
  if (lines === undefined) {
    lines = noticesOf(analysis).map(({ path, message }) => `${path}: ${message}`);
    cachedLines.set(analysis, lines);
  }
  return lines;
}

/**
 * Returns notices about unknown keys of a document that replaces the metadata. Unknown keys are not stored.
 * @param request body of any request
 */
function unreadLines(request: unknown): readonly string[] {
  if (!isObject(request) || request.type !== "replace_metadata" || !isObject(request.args)) return [];
  const { args } = request;
  const document = isObject(args.metadata) ? args.metadata : args;
  return unreadMembers(document).map((member) => `${member.path}: ${unreadText(member)}`);
}
