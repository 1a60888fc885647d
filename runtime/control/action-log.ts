/** The operation that lists calls of asynchronous actions, which are stored in the metadata database. */
import type { Json } from "../../compiler/catalog/model.ts";
import { callStatuses } from "../../compiler/metadata/operations/action-log.ts";
import { shownErrors } from "../jobs/actions/action-log.ts";
import { type CallFilter, countCalls, hasCalls, type ListedCall, readCalls } from "../jobs/actions/call-list.ts";
import { EngineError } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";
import type { IoCallOf, IoContext, IoHandlers } from "./io-handlers.ts";

export const actionLogHandlers: IoHandlers<"get_action_logs"> = { get_action_logs: getActionLogs };

async function getActionLogs({ input, path }: IoCallOf<"get_action_logs">, context: IoContext): Promise<Json> {
  const { store } = context;
  const { action_name: action, call_id: id, status, from, to, limit, offset, get_rows_count } = input;
  if (action !== undefined) await checkAction(action, path, context);
  const statuses = status.length === 0 ? callStatuses : [...new Set(status)];
  const filter: CallFilter = { action, id, statuses, from, to };
  const calls = await readCalls(store, filter, { limit, offset });
  const count = get_rows_count ? { count: await countCalls(store, filter) } : {};
  return { calls: calls.map((call) => rowOf(call, context)), ...count };
}

function rowOf({ createdAt, responseReceivedAt, ...call }: ListedCall, { visibility, session }: IoContext): Json {
  return {
    id: call.id,
    action_name: call.action,
    status: call.status,
    created_at: createdAt,
    response_received_at: responseReceivedAt,
    role: call.role,
    input: call.input,
    output: call.output,
    errors: shownErrors(call.errors, visibility, session),
    // Times are `Date` objects, which JSON writes as ISO 8601 in UTC.
  } as unknown as Json;
}

/** Accepts actions of the metadata, and dropped ones whose calls were kept. */
async function checkAction(name: string, path: string, { draft, store }: IoContext): Promise<void> {
  const names = draft.catalog.actions.map((action) => action.name);
  if (names.includes(name) || (await hasCalls(store, name))) return;
  throw new EngineError("not-exists", path, `action with name "${name}" does not exist`, {
    hint: () => didYouMean(name, names),
  });
}
