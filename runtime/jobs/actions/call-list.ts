/**
 * Lists the calls in the log of asynchronous actions for administrators. The newest calls are merged from one index scan
 * for each action and status, so that the time of a page does not depend on the size of the log.
 */

import { isObject } from "../../values/is-object.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { parseStored } from "./stored-json.ts";

const log = "engine_catalog.engine_action_log";

export interface CallFilter {
  /** Absent for all actions. */
  readonly action?: string | undefined;
  readonly id?: string | undefined;
  readonly statuses: readonly string[];
  /** Range of creation times in ISO 8601; `from` is inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ListedCall {
  readonly id: string;
  readonly action: string;
  readonly status: string;
  readonly createdAt: Date;
  /** `null` until the call ends. */
  readonly responseReceivedAt: Date | null;
  /** Number of attempts so far. */
  readonly tries: number;
  /** Role of the session that made the call. */
  readonly role: string | null;
  readonly input: unknown;
  readonly output: unknown;
  /** Error object, including details for privileged callers. */
  readonly errors: unknown;
}

// Parameters of all statements: action, statuses, start, end, id; of pages also limit and offset.

const inRange = `l.created_at >= coalesce($3::timestamptz, '-infinity') and l.created_at < coalesce($4::timestamptz, 'infinity')`;
const matching = `l.status = any ($2::text[]) and ${inRange}
  and ($1::text is null or l.action_name = $1) and ($5::uuid is null or l.id = $5)`;
const newestFirst = "order by l.created_at desc, l.id desc";

/** Selects the ids of a page. Names of actions are found one after the other in the index. */
const newest = `
  with recursive names (name) as (
    select coalesce($1::text, (select l.action_name from ${log} l order by l.action_name limit 1))
    union all
    select (select l.action_name from ${log} l where l.action_name > names.name order by l.action_name limit 1)
    from names where names.name is not null and $1::text is null
  ), page as materialized (
    select l.id from names cross join unnest($2::text[]) as wanted (status) cross join lateral (
      select l.id, l.created_at from ${log} l
      where l.action_name = names.name and l.status = wanted.status and ${inRange} and $5::uuid is null
      ${newestFirst} limit $6::bigint + $7::bigint
    ) l
    ${newestFirst} limit $6::bigint offset $7::bigint
  )`;
const single = `
  with page as materialized (
    select l.id from ${log} l where l.id = $5::uuid and ${matching} limit $6::bigint offset $7::bigint
  )`;

/** The limit makes the planner read each row by its id. */
const rowsOfPage = `
  select l.id::text as id, l.action_name, l.status, l.created_at, l.response_received_at, l.tries,
    l.session_variables::text as variables, l.input_payload::text as input,
    l.response_payload::text as output, l.errors::text as errors
  from page cross join lateral (select * from ${log} l where l.id = page.id limit 1) l
  ${newestFirst}`;

const countStatement = `select count(*)::int as count from ${log} l where ${matching}`;
const existsStatement = `select from ${log} l where l.action_name = $1 limit 1`;

type Database = Pick<AutomationDatabase, "query">;

/** Returns a page of the calls, newest first. */
export async function readCalls(
  database: Database,
  filter: CallFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly ListedCall[]> {
  const text = (filter.id === undefined ? newest : single) + rowsOfPage;
  return (await database.query(text, [...valuesOf(filter), limit, offset])).map(callOf);
}

/** Returns the number of calls. */
export async function countCalls(database: Database, filter: CallFilter): Promise<number> {
  const [row] = await database.query(countStatement, valuesOf(filter));
  return Number(row?.count);
}

/** Returns true if the log has a call of the action, which may have been dropped. */
export async function hasCalls(database: Database, action: string): Promise<boolean> {
  return (await database.query(existsStatement, [action])).length > 0;
}

const valuesOf = ({ action, statuses, from, to, id }: CallFilter): readonly unknown[] => [
  action ?? null,
  statuses,
  from ?? null,
  to ?? null,
  id ?? null,
];

function callOf(row: Readonly<Record<string, unknown>>): ListedCall {
  const variables = storedValue(row.variables);
  const role = isObject(variables) ? variables["x-engine-role"] : undefined;
  return {
    id: String(row.id),
    action: String(row.action_name),
    status: String(row.status),
    createdAt: row.created_at as Date,
    responseReceivedAt: row.response_received_at as Date | null,
    tries: Number(row.tries),
    role: typeof role === "string" ? role : null,
    input: storedValue(row.input),
    output: storedValue(row.output),
    errors: storedValue(row.errors),
  };
}

/** Parses a text of the log. An unreadable one, which the engine did not write, does not hide the other calls. */
function storedValue(text: unknown): unknown {
  if (typeof text !== "string") return null;
  try {
    return parseStored(text);
  } catch {
    return text;
  }
}
