/** SQL statements on the log of asynchronous action calls in the metadata database (`docs/how-to/actions.md`). */
import { actionsChannel as channel } from "../delivery/server-instances.ts";

const log = "engine_catalog.engine_action_log";

/** Queues a call. Parameters: action, arguments, client headers, session variables. Returns the id. */
export const insertStatement = `
  with call as (
    insert into ${log} (action_name, input_payload, request_headers, session_variables) values ($1, $2, $3, $4)
    returning id
  )
  select id::text as id, pg_notify('${channel}', 'created') from call`;

/** Restricts a call to its own session. Parameters: id, action, session variables (null for admins). */
const visible = "id = $1::uuid and action_name = $2 and ($3::jsonb is null or session_variables = $3::jsonb)";

/** Reads the state of a call. */
export const findStatement = `
  select id::text as id, to_json(created_at)::text as created_at, status in ('completed', 'error') as has_ended,
    case status when 'completed' then response_payload end::text as output,
    case status when 'error' then errors end::text as errors
  from ${log} where ${visible}`;

/** Selects the calls that have not ended. Parameter: ids. */
export const runningStatement = `
  select id::text as id from ${log} where id = any ($1::uuid[]) and status in ('created', 'processing')`;

const due = "coalesce(l.next_retry_at, l.created_at)";

/** Claims due calls for a registered instance. Parameters: instance, actions, counts, total limit. */
export const takeStatement = `
  with me as (select id from engine_catalog.engine_server_instances where id = $1 for key share),
  picked as (
    select l.id from unnest($2::text[], $3::int[]) as share (action, count)
    cross join lateral (
      select l.id from ${log} l
      where l.action_name = share.action and l.status = 'created' and ${due} <= statement_timestamp()
      order by ${due}, l.id limit share.count for update skip locked
    ) l
    limit $4
  )
  update ${log} l set status = 'processing', locked_by = me.id, locked_at = statement_timestamp()
  from picked, me where l.id = picked.id
  returning l.id::text as id, l.action_name as action, l.tries, l.input_payload::text as input,
    l.request_headers::text as headers, l.session_variables::text as variables`;

/** Reads the seconds until the next retry of some actions is due. Parameter: actions. */
export const nextStatement = `
  select extract(epoch from min(next) - statement_timestamp())::float8 as seconds
  from unnest($1::text[]) as actions (name) cross join lateral (
    select ${due} as next from ${log} l
    where l.action_name = actions.name and l.status = 'created' and ${due} > statement_timestamp()
    order by 1 limit 1
  ) l`;

/**
 * Stores the results of calls that an instance holds. Parameters: ids, instances, states, texts of responses or errors,
 * seconds to wait. A call that waits for a retry keeps the error of its last attempt.
 */
export const finishStatement = `
  with result as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::float8[])
      as r (id, instance, state, answer, wait)
  ), done as (
    update ${log} l set
      status = case r.state when 'delivered' then 'completed' when 'error' then 'error' else 'created' end,
      response_payload = case r.state when 'delivered' then r.answer::jsonb end,
      errors = case when r.state in ('error', 'retry') then r.answer::jsonb when r.state = 'free' then l.errors end,
      tries = l.tries + case r.state when 'free' then 0 else 1 end,
      next_retry_at = case r.state
        when 'retry' then statement_timestamp() + make_interval(secs => r.wait)
        when 'free' then l.next_retry_at
      end,
      response_received_at = case when r.state in ('delivered', 'error') then statement_timestamp() end,
      locked_by = null, locked_at = null
    from result r
    where l.id = r.id and l.status = 'processing' and l.locked_by = r.instance
    returning l.status
  )
  select pg_notify('${channel}', 'ended') from (select from done where status in ('completed', 'error') limit 1) as ended`;

/** Deletes calls that ended some hours ago. Parameters: hours, batch size. Returns the ids. */
export const clearStatement = `
  delete from ${log} where id in (
    select id from ${log}
    where status in ('completed', 'error') and response_received_at < statement_timestamp() - make_interval(hours => $1::int)
    order by response_received_at limit $2 for update skip locked
  ) returning id`;

/** Deletes all calls of some actions. Parameter: action names. */
export const deleteActionsStatement = `delete from ${log} where action_name = any ($1::text[])`;
