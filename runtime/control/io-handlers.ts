/**
 * Types of handlers for operations that need more than metadata: a database, the network or another part of the server.
 * Every row of the registry with `effect: "io"` has a handler with the name of the operation.
 */
import type { Json } from "../../compiler/catalog/model.ts";
import type { IoOperationCall } from "../../compiler/metadata/registry.ts";
import type { Generation } from "../execute/generation.ts";
import type { RecentLines } from "../observe/logs/recent-lines.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import type { Session } from "../values/session.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import type { PlanRequest } from "./explain-request.ts";
import type { Draft } from "./state.ts";
import type { MetadataStore } from "./store.ts";

export interface IoContext {
  readonly draft: Draft;
  readonly environment: ChangeEnvironment;
  readonly session: Session;
  readonly store: MetadataStore;
  readonly activity: Activity;
  readonly environmentVariables: Readonly<Record<string, string | undefined>>;
  /** Role of requests without credentials; `null`: they are refused. */
  readonly unauthorizedRole: string | null;
  /** Determines whether stored errors are shown with internal details. */
  readonly visibility: ErrorVisibility;
  /** Must be called after a one-off event has been stored, or an event has been redelivered. */
  readonly onScheduledEvent: () => void;
  /** Returns the generation of the draft. */
  readonly generation: () => Generation;
  readonly planRequest: PlanRequest;
}

/** Current activity of the server, as returned by operations. */
export interface Activity {
  readonly slowOperations: () => readonly object[];
  readonly roleUsage: () => object;
  readonly toolCalls: () => readonly object[];
  readonly instances: () => Promise<readonly object[]>;
  readonly liveQueries: () => readonly object[];
  /** Absent if the log keeps no lines. */
  readonly logLines?: RecentLines | undefined;
}

type IoOperationName = IoOperationCall["operation"];

export type IoCallOf<N extends IoOperationName> = Extract<IoOperationCall, { readonly operation: N }>;

/** Handlers throw EngineErrors at the path of the call. */
export type IoHandlers<N extends IoOperationName = IoOperationName> = {
  readonly [O in N]: (call: IoCallOf<O>, context: IoContext) => Promise<Json> | Json;
};
