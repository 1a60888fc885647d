/**
 * SQL on scheduled events in the metadata database (`docs/how-to/schedules.md`). Every time-dependent statement takes the
 * current time as its last parameter: `null` for the clock of the database, a timestamp in tests.
 */
export type EventKind = "cron" | "one_off";

interface Tables {
  readonly events: string;
  readonly logs: string;
  /** SQL expression of the lane. */
  readonly lane: string;
  /** Additional columns needed for delivery. */
  readonly columns: string;
}

/** The lane of all one-off events. */
export const oneOffLane = "one_off";

/** Tables and columns of each kind of events. */
export const tablesOf: Readonly<Record<EventKind, Tables>> = {
  cron: {
    events: "engine_catalog.engine_cron_events",
    logs: "engine_catalog.engine_cron_event_invocation_logs",
    lane: "e.trigger_name",
    columns: "null::text as definition",
  },
  one_off: {
    events: "engine_catalog.engine_scheduled_events",
    logs: "engine_catalog.engine_scheduled_event_invocation_logs",
    lane: `'${oneOffLane}'`,
    // Cast to text, so that long numbers keep their digits.
    columns: `json_build_object('webhook', e.webhook_conf, 'headers', e.header_conf, 'retry_conf', e.retry_conf,
      'comment', e.comment, 'request_transform', e.request_transform, 'response_transform', e.response_transform,
      'signing_secret', e.signing_secret, 'payload', e.payload)::text as definition`,
  },
};

const clock = (place: number): string => `coalesce($${place}::timestamptz, statement_timestamp())`;
const due = "coalesce(e.next_retry_at, e.scheduled_time)";
/**
 * PostgreSQL cannot subtract infinite timestamps: one such row would fail every statement that computes with its time.
 */
const hasTime = `isfinite(e.scheduled_time) and ${due} > '-infinity'`;

/**
 * Returns the statement that locks due events for a registered instance. Parameters: instance, lanes, counts, lanes
 * with at most one call in flight, total limit, time.
 */
export function takeStatement(kind: EventKind): string {
  const { events, lane, columns } = tablesOf[kind];
  return `
    with me as (select id from engine_catalog.engine_server_instances where id = $1 for key share),
    picked as (
      select e.id from unnest($2::text[], $3::int[]) as share (lane, count)
      cross join lateral (
        select e.id from ${events} e
        where ${lane} = share.lane and e.status = 'scheduled' and ${due} <= ${clock(6)} and ${hasTime}
        order by ${due}, e.id
        limit case when share.lane = any ($4::text[]) then least(share.count, 1) else share.count end
        for update skip locked
      ) e
      limit $5
    )
    update ${events} e set status = 'locked', locked_by = me.id, locked_at = ${clock(6)}
    from picked, me where e.id = picked.id
    returning e.id, ${lane} as lane, e.tries, e.created_at, e.scheduled_time,
      extract(epoch from ${clock(6)} - e.scheduled_time)::float8 as late_seconds,
      ${
        kind === "cron"
          ? `exists (select from ${events} o where o.trigger_name = e.trigger_name and o.id <> e.id
               and (o.status = 'locked' or (o.status = 'scheduled' and o.tries > 0))) as is_busy,
             not exists (select from ${events} o where o.trigger_name = e.trigger_name
               and o.scheduled_time > e.scheduled_time and o.scheduled_time <= ${clock(6)}) as is_latest`
          : "false as is_busy, true as is_latest"
      },
      e.redelivered_at is not null as is_redelivered,
      ${columns}`;
}

/**
 * Returns the statement that stores results of an instance. Parameters: ids, instances, states, seconds to wait,
 * statuses, requests, responses, time.
 */
export function finishStatement(kind: EventKind): string {
  const { events, logs } = tablesOf[kind];
  return `
    with result as (
      select * from unnest($1::text[], $2::uuid[], $3::text[], $4::float8[], $5::int[], $6::text[], $7::text[])
        as r (id, instance, state, wait, status, request, response)
    ), done as (
      update ${events} e set
        status = case when r.state in ('retry', 'free') then 'scheduled' else r.state end,
        tries = least(e.tries, 2147483646) + case when r.request is null then 0 else 1 end,
        next_retry_at = case r.state
          when 'retry' then ${clock(8)} + make_interval(secs => r.wait)
          when 'free' then case when r.wait > 0 then ${clock(8)} + make_interval(secs => r.wait) else e.next_retry_at end
        end,
        locked_by = null, locked_at = null
      from result r
      where e.id = r.id and e.status = 'locked' and e.locked_by = r.instance
      returning e.id
    )
    insert into ${logs} (event_id, status, request, response)
      select id, r.status, r.request::json, r.response::json from result r join done using (id) where r.request is not null`;
}

/** Returns the statement that reads the seconds until the next event of some lanes is due. Parameters: lanes, time. */
export function nextStatement(kind: EventKind): string {
  const { events, lane } = tablesOf[kind];
  return `
    select extract(epoch from min(next) - ${clock(2)})::float8 as seconds
    from unnest($1::text[]) as lanes (lane) cross join lateral (
      select ${due} as next from ${events} e where ${lane} = lanes.lane and e.status = 'scheduled' and ${hasTime}
      order by 1 limit 1
    ) e where next < 'infinity'`;
}

/**
 * Returns the statement that deletes ended events of a lane that were due more than some hours ago. Parameters: lane,
 * hours, limit, time. It returns the ids.
 */
export function removeEndedStatement(kind: EventKind): string {
  const { events, lane } = tablesOf[kind];
  return `
    delete from ${events} where id in (
      select e.id from ${events} e
      where ${lane} = $1 and e.status in ('delivered', 'error', 'dead')
        and e.scheduled_time < ${clock(4)} - make_interval(hours => $2::int)
      limit $3 for update skip locked
    ) returning id`;
}

// ---------------------------------------------------------------- events of cron triggers

/**
 * Counts the waiting events of each trigger and returns the time up to which events exist. Parameters: names,
 * schedules, zones, time. Triggers with another stored schedule are omitted: an instance with newer metadata creates
 * their events.
 */
export const upcomingStatement = `
  select s.trigger_name as name, waiting.count::int as count, greatest(latest.scheduled_time, s.since) as latest,
    ${clock(4)} as now
  from unnest($1::text[], $2::text[], $3::text[]) as given (name, schedule, timezone)
  join engine_catalog.engine_cron_schedules s
    on (s.trigger_name, s.schedule, s.timezone) = (given.name, given.schedule, given.timezone)
  cross join lateral (
    select count(*) from engine_catalog.engine_cron_events e
    where e.trigger_name = s.trigger_name and e.status = 'scheduled' and e.tries = 0
  ) waiting
  left join lateral (
    select e.scheduled_time from engine_catalog.engine_cron_events e
    where e.trigger_name = s.trigger_name order by e.scheduled_time desc limit 1
  ) latest on true`;

/**
 * Creates events. Parameters: names, times. Another instance may have created or even delivered them since the times
 * were computed.
 */
export const generateStatement = `
  insert into engine_catalog.engine_cron_events (trigger_name, scheduled_time)
  select name, time from unnest($1::text[], $2::timestamptz[]) as t (name, time)
  where not exists (
    select from engine_catalog.engine_cron_events e where e.trigger_name = name and e.scheduled_time = time
  )
  on conflict (trigger_name, scheduled_time) where status = 'scheduled' do nothing`;

/** Deletes the events of all other triggers in any state. Parameter: names of the triggers to keep. */
export const deleteOtherTriggersStatement = `
  with gone as (delete from engine_catalog.engine_cron_schedules where trigger_name <> all ($1::text[]))
  delete from engine_catalog.engine_cron_events where trigger_name <> all ($1::text[])`;

/** Stores the schedules and deletes untried events of changed schedules. Parameters: names, schedules, zones, time. */
export const scheduleStatement = `
  with given as (
    select * from unnest($1::text[], $2::text[], $3::text[]) as g (name, schedule, timezone)
  ), changed as (
    insert into engine_catalog.engine_cron_schedules as s (trigger_name, schedule, timezone, since)
      select name, schedule, timezone, ${clock(4)} from given
    on conflict (trigger_name)
      do update set schedule = excluded.schedule, timezone = excluded.timezone, since = excluded.since
      where (s.schedule, s.timezone) <> (excluded.schedule, excluded.timezone)
    returning trigger_name
  )
  delete from engine_catalog.engine_cron_events e using changed
  where e.trigger_name = changed.trigger_name and e.status = 'scheduled' and e.tries = 0`;
