/** The asynchronous actions of an artifact, in a metadata database of its own; without one their fields fail. */
import type { ActionCalls } from "../../execute/actions/action-calls.ts";
import type { Generation } from "../../execute/generation.ts";
import type { ActionLog } from "../../jobs/actions/action-log.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { type ActionDatabase, type AsyncActions, openAsyncActions } from "../parts/async-actions.ts";
import type { AutomaticOptions } from "../parts/delivering.ts";
import type { Started } from "../parts/start.ts";

export interface SealedActions {
  readonly options: AutomaticOptions;
  readonly log: Log;
  readonly telemetry: Pick<Telemetry, "tracer">;
  readonly generation: () => Pick<Generation, "asynchronousActions">;
  readonly actions: ActionCalls;
  /** `undefined`: there is no metadata database. */
  readonly kept: { readonly database: ActionDatabase; readonly calls: ActionLog } | undefined;
}

export function openSealedActions(started: Started, { kept, ...settings }: SealedActions): Pick<AsyncActions, "stop"> {
  const names = settings
    .generation()
    .asynchronousActions()
    .map(({ name }) => name);
  if (kept === undefined) {
    const info = { message: notServed, actions: names };
    if (names.length > 0) settings.log.warn("startup", { kind: "async_actions", info });
    return { stop: async () => undefined };
  }
  const acting = openAsyncActions({ ...settings, ...kept });
  started.add(() => acting.stop(0));
  acting.refresh();
  return acting;
}

const notServed =
  "Asynchronous actions are not served: --metadata-database-url names the database that their calls are kept in";
