/**
 * `/v1/metadata`, `/v1/query`, `/v2/query`: decodes a request, checks who asks, runs it on a draft of the metadata,
 * and hands a changed draft to `commit`, which stores it and puts it to service before the answer is sent.
 */
import type { Json } from "../../compiler/catalog/model.ts";
import { atomicChange, mayChangeSchema, refuseConcurrent } from "../../compiler/metadata/bulk.ts";
import { type BulkCall, type DecodedCall, decodeRequest } from "../../compiler/metadata/dispatch.ts";
import type { IoCall } from "../../compiler/metadata/io.ts";
import { Basis } from "../execute/basis.ts";
import { type DataOptions, type DataRun, runDataOperation } from "../execute/dml/run.ts";
import type { AdminEndpoint, MetadataService } from "../ports/administration.ts";
import type { AdmissionService } from "../ports/admission.ts";
import { type Continuity, uninterrupted } from "../ports/continuity.ts";
import { hooked, type OperationHooks } from "../ports/operation-hooks.ts";
import type { Siblings } from "../ports/siblings.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import { errorBody } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Session } from "../values/session.ts";
import { applyChange, type ChangeEnvironment } from "./apply-change.ts";
import { getCatalogState, lockCatalogState, setCatalogState } from "./catalog-state.ts";
import type { Committed, ControlPlane } from "./control-plane.ts";
import { runEventTriggerCall } from "./event-logs.ts";
import { exportGeneratedCode } from "./generated-code.ts";
import { handedShapes } from "./handed-shapes.ts";
import { noticeLines, unreadLines } from "./notice-lines.ts";
import { checkMode, type OperatingMode } from "./operating-mode.ts";
import { runSql } from "./run-sql.ts";
import {
  createScheduledEvent,
  deleteScheduledEvent,
  getScheduledEventInvocations,
  getScheduledEvents,
} from "./scheduled-events.ts";
import { describeSource, describeTable, getSourceTables, getTableInfo } from "./source-tables.ts";
import { type Draft, draftOf } from "./state.ts";
import type { MetadataStore } from "./store.ts";
import { testWebhookTransform } from "./test-webhook-transform.ts";
import { engineError, valueOrThrow } from "./thrown.ts";

export interface MetadataOptions extends DataOptions {
  readonly mode: OperatingMode;
  readonly admission: AdmissionService;
  readonly continuity: Continuity;
  /** Of data operations; `undefined`: nobody wants to know of them. */
  readonly hooks: OperationHooks | undefined;
  /** The other processes of the server, of which one at a time changes the metadata; absent: there are none. */
  readonly siblings?: Pick<Siblings, "changing"> | undefined;
  readonly activity: Activity;
  /** Told when a one-off event was made. */
  readonly onScheduledEvent: () => void;
}

/** What the server does, as it is answered. */
interface Activity {
  readonly slowOperations: () => readonly object[];
  readonly liveQueries: () => readonly object[];
}

interface MetadataRequest {
  readonly endpoint: AdminEndpoint;
  readonly body: unknown;
  readonly session: Session;
  /** Counts so many operations against the limits of the session's role. */
  readonly admit: (operations: number) => AdmittedSession | Promise<AdmittedSession>;
  readonly bases: DataRun["bases"];
}

/** @param options how data operations are planned and validated, and what may be changed */
export function metadataService(control: ControlPlane, options: MetadataOptions): MetadataService {
  const { admission } = options;
  return {
    handle(endpoint, body, session, client, bases) {
      const admit = (operations: number) => admission.admit(session, operations, client);
      return handle(control, { endpoint, body, session, admit, bases }, options);
    },
    notices: (request) => [...unreadLines(request), ...noticeLines(control.state.analysis)],
  };
}

async function handle(
  control: ControlPlane,
  { endpoint, body, session, admit, bases }: MetadataRequest,
  options: MetadataOptions,
): Promise<unknown> {
  const { call, resourceVersion } = valueOrThrow(decodeRequest(endpoint, body));
  if (session.role !== "admin" && !(endpoint === "/v1/query" && isForAll(call))) {
    throw new EngineError("access-denied", "$.args", "restricted access : admin only");
  }
  const by = await admit(countOf(call));
  checkMode(options.mode, endpoint, call);
  const requestOn = (draft: Draft, continuity: Continuity): Request => {
    return {
      draft,
      environment: control.changeEnvironment(resourceVersion ?? control.state.resourceVersion),
      by,
      basis: () => new Basis(control.generationOf(draft), () => control.generation, continuity),
      bases,
      options,
      store: control.store,
    };
  };
  // Neither data operations nor reads nor SQL that leaves the schema alone wait for changes or hold them up.
  if (!mayChangeSchema(call)) {
    const { continuity } = options;
    await continuity.settled();
    return runCall(call, requestOn(draftOf(control.state), continuity));
  }
  return inTurn(control, options, () =>
    control.exclusively(async (state) => {
      const draft = draftOf(state);
      // What others change meanwhile waits for this change, which is refused then.
      const answer = await runCall(call, requestOn(draft, uninterrupted));
      if (!draft.modified) return answer;
      return withWarnings(answer, await control.commit(draft, resourceVersion ?? state.resourceVersion));
    }),
  );
}

function inTurn<T>(control: ControlPlane, { siblings }: MetadataOptions, change: () => Promise<T>): Promise<T> {
  if (siblings === undefined) return change();
  const before = control.state;
  return siblings.changing(change, () => handedShapes(control.state, before));
}

/** Tells what did not go well though the change was made, where the answer has a place for it. */
function withWarnings(answer: Json, { broken, warnings: told }: Committed): Json {
  if (broken.length + told.length === 0) return answer;
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const added = broken.map(({ operation: { collection, name }, role, faults }) => ({
    code: "saved-operation-broken",
    type: "query_collections",
    name: `query_collections ${name} in ${collection}`,
    message: `role ${role} cannot run it any more: ${faults.join(", ")}`,
  }));
  const { warnings = [] } = answer as { readonly warnings?: readonly Json[] };
  return { ...answer, warnings: [...warnings, ...told.map((each) => ({ ...each })), ...added] };
}

/** What the calls of one request share. */
interface Request {
  readonly draft: Draft;
  readonly environment: ChangeEnvironment;
  readonly by: AdmittedSession;
  /** The draft as it can be asked. */
  readonly basis: () => Basis;
  readonly bases: DataRun["bases"];
  readonly options: MetadataOptions;
  readonly store: MetadataStore;
}

/** Whether every role may ask for it. */
function isForAll(call: DecodedCall): boolean {
  return call.effect === "data" || (call.effect === "bulk" && call.items.length > 0 && call.items.every(isForAll));
}

/** Operations, those of a bulk one by one. */
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
      const run = () => runDataOperation(input, { basis: request.basis(), bases: request.bases, by, path, options });
      const { hooks } = options;
      if (!hooks) return (await run()) as Json;
      const asked = { query: stringifyJson(input), operationName: null, variables: null };
      return (await hooked(hooks, ["data", asked, by], run)) as Json;
    }
    case "bulk":
      return runBulk(call, request);
    case "plan": {
      // Loaded for who asks for it.
      const { planChanges } = await import("./plan-changes.ts");
      // On a copy: other items of a bulk go on without these changes.
      return planChanges(call, { ...draft, effects: [] }, environment);
    }
  }
}

function runIo(call: IoCall, { draft, environment, by: { session }, store, options }: Request): Promise<Json> | Json {
  switch (call.operation) {
    case "run_sql":
      return runSql(call, draft, environment, session);
    case "test_webhook_transform":
      return testWebhookTransform(call);
    case "get_source_tables":
      return getSourceTables(call, draft, environment);
    case "get_table_info":
      return getTableInfo(call, draft, environment);
    case "describe_table":
      return describeTable(call, draft, environment);
    case "describe_source":
      return describeSource(call, draft, environment);
    case "export_generated_code":
      return exportGeneratedCode(call, draft, environment);
    case "get_slow_operations":
      return [...options.activity.slowOperations()] as Json;
    case "get_live_queries":
      return [...options.activity.liveQueries()] as Json;
    case "get_catalog_state":
      return getCatalogState(store);
    case "set_catalog_state":
      return setCatalogState(call, store);
    case "lock_catalog_state":
      return lockCatalogState(call, store);
    case "create_scheduled_event":
      return createScheduledEvent(call, store).finally(options.onScheduledEvent);
    case "delete_scheduled_event":
      return deleteScheduledEvent(call, store);
    case "get_scheduled_events":
      return getScheduledEvents(call, draft, store);
    case "get_scheduled_event_invocations":
      return getScheduledEventInvocations(call, draft, store);
    case "invoke_event_trigger":
    case "redeliver_event":
    case "redeliver_events":
    case "get_event_logs":
    case "get_event_invocation_logs":
    case "get_event_by_id":
    case "cleanup_event_trigger_logs":
      return runEventTriggerCall(call, draft, environment, session);
  }
}

async function runBulk(bulk: BulkCall, request: Request): Promise<Json> {
  const { draft, environment } = request;
  const run = (item: DecodedCall) => runCall(item, request);
  switch (bulk.mode) {
    case "bulk": {
      const answers: Json[] = [];
      for (const item of bulk.items) answers.push(await run(item));
      return answers;
    }
    case "bulk_keep_going": {
      const answers: Json[] = [];
      for (const item of bulk.items) answers.push(await runIsolated(item, draft, run));
      return answers;
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

/** A failing item answers with its error and leaves the draft as it was before it. */
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
