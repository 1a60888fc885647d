/**
 * Types of handlers for operations that need more than metadata: a database, the network or another part of the server.
 * Every row of the registry with `effect: "io"` has a handler with the name of the operation.
 */
import type { Json } from "../../compiler/catalog/model.ts";
import type { IoOperationCall } from "../../compiler/metadata/registry.ts";
import type { Session } from "../values/session.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import type { Draft } from "./state.ts";
import type { MetadataStore } from "./store.ts";

export interface IoContext {
  readonly draft: Draft;
  readonly environment: ChangeEnvironment;
  readonly session: Session;
  readonly store: MetadataStore;
  readonly activity: Activity;
  readonly environmentVariables: Readonly<Record<string, string | undefined>>;
  /** Must be called after a one-off event has been stored. */
  readonly onScheduledEvent: () => void;
}

/** Current activity of the server, as returned by operations. */
export interface Activity {
  readonly slowOperations: () => readonly object[];
  readonly liveQueries: () => readonly object[];
}

type IoOperationName = IoOperationCall["operation"];

export type IoCallOf<N extends IoOperationName> = Extract<IoOperationCall, { readonly operation: N }>;

/** Handlers throw EngineErrors at the path of the call. */
export type IoHandlers<N extends IoOperationName = IoOperationName> = {
  readonly [O in N]: (call: IoCallOf<O>, context: IoContext) => Promise<Json> | Json;
};
