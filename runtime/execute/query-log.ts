/** Writes log lines of the types `query-log` (statements) and `execution-log` (durations). */
import { bind, type ParameterSlot, type ValueSource } from "../model/definitions/parameters.ts";
import type { Plan } from "../model/planner/plan.ts";
import type { Log } from "../observe/logs/log.ts";
import { masked, type ShownRequestSettings, shownRequest } from "../observe/logs/shown-request.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Session } from "../values/session.ts";
import { fieldsOfStatement } from "./operation-spans.ts";
import type { QueryLog, RunningOperation } from "./running-operation.ts";

/** Returns the log; `undefined` if both types are disabled. */
export function queryLog(
  log: Log,
  { logMaskedVariables }: Pick<ShownRequestSettings, "logMaskedVariables">,
): QueryLog | undefined {
  const logsQueries = log.isEnabled("query-log", "info");
  const logsExecutions = log.isEnabled("execution-log", "info");
  if (!logsQueries && !logsExecutions) return undefined;
  return {
    begin({ request, session, planned, targets = [], isCached = false }) {
      if (!logsQueries) return;
      const detail = {
        request_id: session.requestId ?? null,
        query: shownRequest(request, logMaskedVariables),
        generated_sql: isCached ? null : generatedSql(planned, session, logMaskedVariables),
        kind: isCached ? "cached" : kindOf(planned.plan.plan),
        ...connectionTemplate(planned.plan.plan, targets),
      };
      log.text("query-log", "info", stringifyJson(detail), session.span?.context);
    },
    end(
      {
        session,
        planned: {
          plan: { plan },
        },
      },
      since,
    ) {
      if (!logsExecutions) return;
      const statistics = {
        execution_time: Math.round((performance.now() - since) * 1000) / 1_000_000,
        statements: plan.statements.length + plan.writes.length,
        remote_requests: plan.remotes?.length ?? 0,
        action_calls: plan.actions?.length ?? 0,
      };
      const detail = { request_id: session.requestId ?? null, statistics };
      log.text("execution-log", "info", JSON.stringify(detail), session.span?.context);
    },
  };
}

/** Returns the connection targets of the sources that the plan uses. */
function connectionTemplate(
  { statements, writes }: Plan,
  targets: NonNullable<RunningOperation["targets"]>,
): { readonly connection_template?: object } {
  if (targets.length === 0) return {};
  const used = new Set([...statements, ...writes].map(({ source }) => source));
  const results = targets.filter(([source]) => used.has(source));
  return results.length === 0 ? {} : { connection_template: Object.fromEntries(results) };
}

function kindOf({ statements, writes, actions = [], remotes = [] }: Plan): string {
  if (statements.length + writes.length > 0) return "database";
  if (actions.length > 0) return "action";
  return remotes.length > 0 ? "remote-schema" : "introspection";
}

/** Returns statements by root field; `null` for mutations and plans without statements. */
function generatedSql(
  { plan: { plan }, variables }: RunningOperation["planned"],
  session: Session,
  maskedVariables: ReadonlySet<string>,
): unknown {
  if (plan.statements.length === 0) return null;
  const input = { variables, session: session.variables, crossSourceValues: { get: () => masked } };
  const entries = plan.statements.flatMap(({ text, slots }, statement) => {
    const prepared_arguments = bind(slots, input).map((value, i) =>
      readsAny(slots[i], maskedVariables) ? masked : value,
    );
    return fieldsOfStatement(plan, statement).map((field) => [field, { query: text, prepared_arguments }] as const);
  });
  return Object.fromEntries(entries);
}

/** Returns true if the value of a slot contains one of the variables. */
function readsAny(slot: ParameterSlot | undefined, names: ReadonlySet<string>): boolean {
  return slot !== undefined && "source" in slot && names.size > 0 && readsVariable(slot.source, names);
}

function readsVariable(source: ValueSource, names: ReadonlySet<string>): boolean {
  switch (source.kind) {
    case "constant":
    case "literal":
      return false;
    case "variable":
      return names.has(source.name);
    case "list":
      return source.items.some((item) => readsVariable(item, names));
    case "object":
      return source.members.some(([, member]) => readsVariable(member, names));
  }
}
