/**
 * The privileges of administrators' SQL in the embedded PostgreSQL, and the upgrade, at start, of data that earlier
 * versions created.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAsOwner } from "../../runtime/databases/embedded-postgres/owner-role.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";

let folder = "";
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-role-"));
  await chmod(folder, 0o755); // PostgreSQL may run as another user, which must be able to traverse the folder.
  postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, "postgres"), durable: false });
}, 60_000);

afterAll(async () => {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = async (database: string, mayBecomeSuperuser = false): Promise<string> => {
  const [url = ""] = await openAsOwner(postgres.url, { databases: [database], mayBecomeSuperuser });
  return url;
};

async function run(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: pg.QueryResult | readonly pg.QueryResult[] = await client.query(sql);
    return [results].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

describe("The role of requests and run_sql", () => {
  let url = "";
  beforeAll(async () => {
    url = await open("attacked");
  });

  it.each([
    "copy (select 1) to program 'id'",
    "copy (select 1) to '/tmp/engine-written'",
    "create temp table t (line text); copy t from '/etc/passwd'",
    "create temp table t (line text); copy t from program 'id'",
    "select pg_read_file('postgresql.conf')",
    "select pg_read_file('engine-password')",
    "select pg_read_binary_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    "select lo_export(lo_create(0), '/tmp/engine-written')",
    "create extension dblink",
    "create extension file_fdw",
    "create extension postgres_fdw",
    "create extension adminpack",
    "create extension plperlu",
    "create function f() returns int language c as 'libc', 'system'",
    "alter role engine superuser",
    "alter role postgres password 'guess'",
    "alter role engine_superuser login",
    "create role other superuser",
    "grant pg_execute_server_program to engine",
    "grant pg_read_server_files to engine",
    "set role postgres",
    "set role engine_superuser",
    "set session authorization postgres",
    "set session authorization engine_superuser",
    "select rolpassword from pg_authid",
    "alter system set archive_command = 'id'",
    "set session_preload_libraries = 'evil'",
    "alter role postgres set search_path = public",
    "create function f() returns event_trigger language plpgsql as 'begin end'; create event trigger e on ddl_command_start execute function f()",
    "load '/tmp/evil.so'",
  ])("The embedded role refuses: %s", async (sql) => {
    await expect(run(url, sql)).rejects.toMatchObject({ code: "42501" });
  });

  it("The embedded role owns its database and may create tables, schemas, functions and trusted extensions", async () => {
    await run(
      url,
      "create table own (id serial primary key); create schema more; create function more.f() returns int language sql as 'select 1'",
    );
    await run(
      url,
      "create extension pgcrypto; create extension citext; create extension hstore; create extension pg_trgm",
    );
    expect(
      await run(url, "select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user"),
    ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
  });

  it("The embedded role has a new password at every start", async () => {
    const [before, after] = [await open("passwords"), await open("passwords")];
    await expect(run(before, "select 1")).rejects.toThrow("password authentication failed");
    await expect(run(after.replace(/engine:[^@]*@/, "postgres:postgres@"), "select 1")).rejects.toThrow(
      "password authentication failed",
    );
  });
});

describe("The --embedded-superuser option", () => {
  it("--embedded-superuser lets SQL become a superuser until a start without it", async () => {
    const url = await open("raised", true);
    await expect(run(url, "create extension dblink")).rejects.toThrow("permission denied");
    await run(url, "set role engine_superuser; create extension dblink; create table made (id serial primary key)");
    const later = await open("raised");
    await expect(run(later, "set role engine_superuser")).rejects.toThrow("permission denied");
    expect(await run(later, "insert into made default values returning id")).toEqual([{ id: 1 }]);
  });
});

/** A table and other objects that users of earlier versions, who were superusers, may have created. */
const earlier = `
  create extension pgcrypto;
  create schema shop;
  create schema "we'ird ""schema";
  create type shop.state as enum ('open', 'closed');
  create domain shop.price as numeric check (value >= 0);
  create type shop.pair as (a int, b int);
  create type shop.span as range (subtype = int);
  create table shop.item (id serial primary key, n int generated always as identity, state shop.state, price shop.price);
  create table "we'ird ""schema"."t ""able" (id int);
  create table shop.part (n int) partition by range (n);
  create table shop.part_0 partition of shop.part for values from (0) to (1);
  create view shop.items as select * from shop.item;
  create materialized view shop.kept as select 1 as one;
  create sequence shop.loose;
  create function shop.add(int, int) returns int language sql security definer as 'select $1 + $2';
  create procedure shop.act() language sql as 'select 1';
  create aggregate shop.total (int) (sfunc = int4pl, stype = int);
  create operator shop.### (leftarg = int, rightarg = int, function = int4pl);
  create operator family shop.family using btree;
  create collation shop.plain from "C";
  create text search configuration shop.words (parser = default);
  create statistics shop.stats on id, n from shop.item;
  create function shop.noted() returns trigger language plpgsql as 'begin return new; end';
  create trigger noted before insert on shop.item for each row execute function shop.noted();
  select lo_create(4711);
`;

const kept = `
  select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid >= 16384 and c.relowner <> 'engine'::regrole and n.nspname <> 'pg_toast'
  union all select proname from pg_proc p where oid >= 16384 and proowner <> 'engine'::regrole
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all select typname from pg_type where oid >= 16384 and typowner <> 'engine'::regrole
    and typnamespace <> 'pg_toast'::regnamespace
  union all select nspname from pg_namespace where oid >= 16384 and nspowner <> 'engine'::regrole
  union all select oprname from pg_operator where oid >= 16384 and oprowner <> 'engine'::regrole
  union all select opfname from pg_opfamily where oid >= 16384 and opfowner <> 'engine'::regrole
  union all select collname from pg_collation where oid >= 16384 and collowner <> 'engine'::regrole
  union all select cfgname from pg_ts_config where oid >= 16384 and cfgowner <> 'engine'::regrole
  union all select stxname from pg_statistic_ext where stxowner <> 'engine'::regrole
  union all select oid::text from pg_largeobject_metadata where lomowner <> 'engine'::regrole
`;

describe("Embedded data of an earlier version", () => {
  it("Data of an earlier version belongs to the embedded role after a start and after a second one", async () => {
    await run(postgres.url, "create database old");
    const before = new URL(postgres.url);
    before.pathname = "/old";
    await run(before.href, earlier);
    for (const _start of [1, 2]) {
      const url = await open("old");
      expect(await run(url, kept)).toEqual([]);
      await run(url, "alter table shop.item add column note text; alter table shop.item drop column note");
      await run(url, "insert into shop.item (state, price) values ('open', 1)");
      await run(
        url,
        "create or replace view shop.items as select * from shop.item; refresh materialized view shop.kept",
      );
    }
    expect(await run(await open("old"), "select count(*)::int as rows from shop.item")).toEqual([{ rows: 2 }]);
  });

  it("Changing the owner of earlier data grants no function superuser privileges", async () => {
    const url = await open("trapped");
    const body = "begin execute 'alter role engine superuser'; return ''; end";
    await run(
      url,
      `create function public.format(text, text, text) returns text language plpgsql as '${body.replaceAll("'", "''")}';
       create function public.pg_identify_object(regclass, oid, int) returns text language plpgsql as '${body.replaceAll("'", "''")}';
       alter role engine in database trapped set search_path = public, pg_catalog;
       alter database trapped set search_path = public, pg_catalog`,
    );
    const before = new URL(postgres.url);
    before.pathname = "/trapped";
    await run(before.href, "create table pg_catalog_bait (id int)").catch(() => undefined);
    const reopened = await open("trapped");
    expect(await run(reopened, "select rolsuper from pg_catalog.pg_roles where rolname = 'engine'")).toEqual([
      { rolsuper: false },
    ]);
  });
});
