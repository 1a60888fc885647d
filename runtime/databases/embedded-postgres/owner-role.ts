/**
 * The role for requests and administrators' SQL in the embedded PostgreSQL. It owns its databases but is not a
 * superuser, because a superuser can read files and run programs of the machine.
 */

import { randomBytes } from "node:crypto";
import pg from "pg";
import { messageOf } from "../../values/message-of.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

const role = "engine";
/**
 * The role that `role` may assume if an option allows it. `postgres` itself owns the shared objects of all databases.
 */
const superuserRole = "engine_superuser";

export interface OwnerRoleOptions {
  readonly databases: readonly string[];
  /** Allows the role to become a superuser with `set role engine_superuser`. */
  readonly mayBecomeSuperuser: boolean;
}

/**
 * Creates the role and its databases if they are missing, transfers the ownership of objects that earlier versions or
 * the superuser created in them, and sets a new password.
 * @param superuserUrl URL of the server for the superuser
 * @returns the URLs of the databases in the same order, with the role's password
 * @throws EmbeddedPostgresError `start-failed`
 */
export async function openAsOwner(
  superuserUrl: string,
  { databases, mayBecomeSuperuser }: OwnerRoleOptions,
): Promise<readonly string[]> {
  const password = randomBytes(24).toString("base64url");
  try {
    await asSuperuser(superuserUrl, (client) => client.query(roleStatements(password, mayBecomeSuperuser)));
    // Waits for all before a failure is thrown, because the server stops then.
    const opened = await Promise.allSettled(
      databases.map(async (database) => {
        await asSuperuser(superuserUrl, (client) => ensureOwned(client, database));
        await asSuperuser(urlOf(superuserUrl, { pathname: `/${database}` }), (client) => client.query(handOver));
      }),
    );
    for (const result of opened) if (result.status === "rejected") throw result.reason;
  } catch (error) {
    throw new EmbeddedPostgresError(
      "start-failed",
      `cannot give the databases of the embedded PostgreSQL to the role ${role}: ${messageOf(error)}`,
      error,
    );
  }
  return databases.map((database) => urlOf(superuserUrl, { pathname: `/${database}`, username: role, password }));
}

function urlOf(base: string, parts: Partial<Pick<URL, "pathname" | "username" | "password">>): string {
  return Object.assign(new URL(base), parts).href;
}

/** Excludes schemas that the role can write to: a function in one of them would run with superuser rights. */
const safeSearchPath = "-c search_path=pg_catalog,pg_temp";

/** Runs `work` with a connection of the superuser, and closes the connection. */
export async function asSuperuser(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: safeSearchPath });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function ensureOwned(client: pg.Client, database: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    "select pg_get_userbyid(datdba) as owner from pg_database where datname = $1",
    [database],
  );
  const name = client.escapeIdentifier(database);
  if (rows.length === 0) await client.query(`create database ${name} owner ${role}`);
  else if (rows[0]?.owner !== role) await client.query(`alter database ${name} owner to ${role}`);
}

/** Returns statements that run as one transaction, which waits for the disk once. */
function roleStatements(password: string, mayBecomeSuperuser: boolean): string {
  return `
do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
  if not exists (select from pg_roles where rolname = '${superuserRole}') then create role ${superuserRole}; end if;
end $$;
alter role ${role} with login inherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls
  password '${password}';
-- Members do not inherit the attribute SUPERUSER; it requires an explicit \`set role\`, so requests never have it.
alter role ${superuserRole} with ${mayBecomeSuperuser ? "superuser" : "nosuperuser"};
${mayBecomeSuperuser ? "grant" : "revoke"} ${superuserRole} ${mayBecomeSuperuser ? "to" : "from"} ${role}`;
}

/**
 * Transfers all objects of the superusers in the current database to the role, in one transaction. `reassign owned`
 * rejects the superuser created by initdb. Objects of extensions keep their owners, as do event triggers, foreign-data
 * wrappers and untrusted languages, which only superusers may own. System objects have OIDs below 16384
 * (FirstNormalObjectId of PostgreSQL), except for large objects, whose OIDs users choose. Sequences of columns change
 * owner with their tables.
 */
const handOver = `
do $$
declare
  object record;
  statement text;
begin
  for object in
    with owned(classid, objid) as (
      select 'pg_namespace'::regclass, oid from pg_namespace where nspowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_class'::regclass, oid from pg_class
        where relowner in (10, '${superuserRole}'::regrole) and relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'c') and relpersistence <> 't'
      union all select 'pg_proc'::regclass, oid from pg_proc where proowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_type'::regclass, t.oid from pg_type t
        where typowner in (10, '${superuserRole}'::regrole) and typtype in ('b', 'd', 'e', 'r', 'm') and not exists (select from pg_type where typarray = t.oid)
      union all select 'pg_operator'::regclass, oid from pg_operator where oprowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_opclass'::regclass, oid from pg_opclass where opcowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_opfamily'::regclass, oid from pg_opfamily where opfowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_collation'::regclass, oid from pg_collation where collowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_conversion'::regclass, oid from pg_conversion where conowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_ts_config'::regclass, oid from pg_ts_config where cfgowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_ts_dict'::regclass, oid from pg_ts_dict where dictowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext where stxowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_foreign_server'::regclass, oid from pg_foreign_server where srvowner in (10, '${superuserRole}'::regrole)
      union all select 'pg_largeobject'::regclass, oid from pg_largeobject_metadata where lomowner in (10, '${superuserRole}'::regrole)
    )
    select (pg_identify_object(classid, objid, 0)).* from owned
    where (objid >= 16384 or classid = 'pg_largeobject'::regclass) and not exists (
      select from pg_depend d where d.classid = owned.classid and d.objid = owned.objid
        and (d.deptype = 'e' or d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
          and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0)
    )
  loop
    statement := format('alter %s %s owner to ${role}',
      case object.type when 'composite type' then 'type' when 'statistics object' then 'statistics'
        else object.type end,
      object.identity);
    execute statement;
  end loop;
end $$`;
