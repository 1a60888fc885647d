/**
 * Reverses the steps of `catalog-migrations.ts` for an older version of the product, one entry per step in the same
 * order. Installed recorders continue to record: each reversal edits those that call functions which it drops, and
 * clears their hash, so that every version installs its own again.
 */

/** The first step has no reversal: the tables are removed with the last event trigger. */
export const postgresCatalogReversals: readonly (string | undefined)[] = [
  undefined,
  // Recorders that pack events fail to write a pack and then record one by one, as for other errors of packing.
  `
  ${editRecorders([["engine_catalog.event_json(", "pg_catalog.to_jsonb("]])}
  drop function engine_catalog.unpack_events(integer), engine_catalog.unpack_one(engine_catalog.packed_events, text);
  drop table engine_catalog.packed_events;
  drop function engine_catalog.event_json(json), engine_catalog.storable_event_json(json);
  `,
  `
  drop function engine_catalog.unpack_all_events();
  drop index engine_catalog.event_log_waiting;
  alter table engine_catalog.event_log drop column ordering_waits_for;
  `,
  `
  ${editRecorders(
    ["engine.user", "engine.tracecontext"].map((setting) => [
      `engine_catalog.event_setting('${setting}')`,
      `nullif(pg_catalog.current_setting('${setting}', true), '')::jsonb`,
    ]),
  )}
  ${insertEventLog(
    "nullif(pg_catalog.current_setting('engine.user', true), '')::jsonb",
    "nullif(pg_catalog.current_setting('engine.tracecontext', true), '')::jsonb",
  )}
  drop function engine_catalog.event_setting(text);
  `,
  // The quoted name keeps the edit out of constants, in which quotes are doubled. The branch that packs has no such name,
  // and its events are recorded one by one.
  `
  ${editRecorders([
    [
      "'trace_context', (select engine_catalog.event_trace())",
      "'trace_context', (select engine_catalog.event_setting('engine.tracecontext'))",
    ],
  ])}
  ${insertEventLog("engine_catalog.event_setting('engine.user')", "engine_catalog.event_setting('engine.tracecontext')")}
  drop function engine_catalog.event_trace();
  `,
  "drop index engine_catalog.event_log_failed;",
  "alter table if exists engine_catalog.engine_source_catalog_version replica identity default;",
];

/** Returns a block that replaces texts in the functions of recorders. */
function editRecorders(replacements: readonly (readonly [string, string])[]): string {
  const edited = replacements.reduce(
    (text, [from, to]) => `pg_catalog.replace(${text}, $text$${from}$text$, $text$${to}$text$)`,
    "pg_catalog.pg_get_functiondef(recorder)",
  );
  return `do $do$
  declare
    recorder oid;
  begin
    for recorder in
      select p.oid from pg_catalog.pg_proc p
      where p.pronamespace = 'engine_catalog'::pg_catalog.regnamespace
        and p.proname ~ '^notify_engine_.*_(INSERT|UPDATE|DELETE)$'
    loop
      execute pg_catalog.regexp_replace(${edited}, '\\mdefinition [0-9a-f]{16}\\M', 'definition 0000000000000000');
    end loop;
  end
  $do$;`;
}

/** Returns the function that SQL of users calls, as older versions define it. */
function insertEventLog(session: string, trace: string): string {
  return `create or replace function engine_catalog.insert_event_log(
    schema_name text, table_name text, trigger_name text, op text, row_data json
  ) returns text language sql volatile as $$
    insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
    values ($1, $2, $3, pg_catalog.jsonb_build_object(
      'op', $4,
      'data', $5,
      'session_variables', ${session},
      'trace_context', ${trace}
    ))
    returning id
  $$;`;
}
