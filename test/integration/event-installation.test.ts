/** The recorders of event triggers match the metadata after every kind of change. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import {
  type ExportedSource,
  installedTriggers,
  wantedTriggers,
  wronglyRecorded,
} from "../support/installed-triggers.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_DISABLE_EVENTING: "true" } });
});

afterAll(async () => {
  await server?.close();
});

beforeEach(async () => {
  await server.metadata("clear_metadata", {});
  await query(
    server.databaseUrl,
    `drop schema public cascade; create schema public;
     create table note (id integer primary key, body text, stars text);
     create table letter (id integer primary key, text text, stamp text)`,
  );
  await server.metadata("replace_metadata", { version: 3, sources: [empty] });
  await server.metadata("bulk", [track("note"), track("letter")]);
});

afterEach(async () => {
  await expectRight();
});

const empty = {
  name: "default",
  kind: "postgres",
  tables: [],
  configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
};

const track = (table: string) => ({ type: "pg_track_table", args: { table } });

function trigger(name: string, table: string, definition: object, more: object = {}) {
  return {
    type: "pg_create_event_trigger",
    args: { name, table, webhook: "http://127.0.0.1:9/", ...definition, ...more },
  };
}

const create = (name: string, table: string, definition: object, more: object = {}) =>
  server.post("/v1/metadata", trigger(name, table, definition, more));

const sql = (text: string, args: object = {}) =>
  server.post("/v2/query", { type: "run_sql", args: { sql: text, ...args } });

async function exported(of = server): Promise<ExportedSource & { readonly name: string }> {
  const metadata = (await of.metadata("export_metadata", {})) as { readonly sources: readonly never[] };
  return metadata.sources[0] ?? { name: "default", tables: [] as never };
}

async function expectRight(): Promise<void> {
  const source = await exported();
  expect(await installedTriggers(server.databaseUrl)).toEqual(wantedTriggers(source));
  expect(await wronglyRecorded(server.databaseUrl, source, ["note", "letter", "memo"])).toEqual([]);
}

const all = { insert: { columns: "*" }, update: { columns: "*" }, delete: { columns: "*" } };
const watching = (...columns: string[]) => ({ update: { columns, payload: columns } });

const events = async () =>
  (
    await query(
      server.databaseUrl,
      "select trigger_name as name, archived, payload -> 'data' as data from engine_catalog.event_log order by created_at",
    )
  ).map(({ name, archived }) => `${name}${archived ? " archived" : ""}`);

describe("Creating, replacing and deleting event triggers", () => {
  it("An event trigger records its operations, and deleting it archives its events", async () => {
    expect(await create("all_of_it", "note", all)).toMatchObject({ status: 200 });
    await query(server.databaseUrl, "insert into note values (1, 'a', 'b')");
    expect(await events()).toContain("all_of_it");
    await expectRight();
    await create("all_of_it", "note", watching("body"), { replace: true });
    expect(await events()).toContain("all_of_it"); // pending events are kept
    await expectRight();
    await server.metadata("pg_delete_event_trigger", { name: "all_of_it" });
    expect(await events()).not.toContain("all_of_it");
    expect(await events()).toContain("all_of_it archived");
  });

  it("Untracking its table or dropping its source removes an event trigger", async () => {
    await create("one", "note", all);
    await create("two", "letter", all);
    await server.metadata("pg_untrack_table", { table: "note" });
    await expectRight();
    await server.metadata("pg_drop_source", { name: "default" });
    expect(await query(server.databaseUrl, "select to_regnamespace('engine_catalog') is null as missing")).toEqual([
      { missing: true },
    ]);
    await server.metadata("pg_add_source", {
      name: "default",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
    });
  });

  it("A change that the database refuses leaves no recorders behind", async () => {
    await query(server.databaseUrl, "create view seen as select * from note");
    const before = await exported();
    const response = await server.post("/v1/metadata", {
      type: "bulk",
      args: [trigger("fine", "note", all), { type: "pg_track_table", args: { table: "nowhere" } }],
    });
    expect(response.status).toBe(400);
    expect(await exported()).toEqual(before);
  });

  it("A change based on an old resource version is refused and the recorders are restored", async () => {
    await create("one", "note", all);
    const version = (
      (await server.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} })).json as {
        resource_version: number;
      }
    ).resource_version;
    const response = await server.post("/v1/metadata", {
      ...trigger("one", "note", watching("body"), { replace: true }),
      resource_version: version - 1,
    });
    expect(response.status).toBe(409);
    expect(wantedTriggers(await exported())).toHaveLength(3);
  });

  it("An event trigger follows a renamed source", async () => {
    await create("one", "note", all);
    await server.metadata("rename_source", { name: "default", new_name: "main" });
    await expectRight();
    expect(await events()).not.toContain("one archived");
    await server.metadata("rename_source", { name: "main", new_name: "default" });
  });

  it("An event trigger stays if only connection settings change", async () => {
    await create("one", "note", all);
    await query(server.databaseUrl, "insert into note values (6, 'a', 'b')");
    const database_url = { from_env: "ENGINE_GRAPHQL_DATABASE_URL" };
    await server.metadata("pg_update_source", {
      name: "default",
      configuration: { connection_info: { database_url, pool_settings: { retries: 2 } } },
    });
    await expectRight();
    expect(await events()).toContain("one");
  });

  it("An event trigger stays if the metadata is replaced by the same", async () => {
    await create("one", "note", all);
    const metadata = await server.metadata("export_metadata", {});
    await query(server.databaseUrl, "insert into note values (5, 'a', 'b')");
    await server.metadata("replace_metadata", metadata);
    await expectRight();
    await server.metadata("clear_metadata", {});
    expect(await installedTriggers(server.databaseUrl)).toEqual([]);
    await server.metadata("replace_metadata", metadata);
  });
});

describe("Reloading event triggers", () => {
  it("A reload reports manually changed recorders and recreates them only on request", async () => {
    await create("one", "note", all);
    await query(
      server.databaseUrl,
      `create function engine_catalog."notify_engine_old_INSERT"() returns trigger language plpgsql as 'begin return null; end';
       create trigger "notify_engine_old_INSERT" after insert on letter for each row execute function engine_catalog."notify_engine_old_INSERT"();
       alter table note disable trigger all;
       drop trigger "notify_engine_one_UPDATE" on note`,
    );
    const changed = await installedTriggers(server.databaseUrl);
    const response = await server.metadata("reload_metadata", {});
    expect(response).toMatchObject({
      message: "success",
      warnings: [
        {
          code: "event-trigger-mismatch",
          type: "source",
          name: "source default",
          message: expect.stringMatching(
            /outdated: .*notify_engine_one_UPDATE.*; left over: notify_engine_old_INSERT\).*recreate_event_triggers/,
          ),
        },
      ],
    });
    expect(await installedTriggers(server.databaseUrl)).toEqual(changed);
    await server.metadata("reload_metadata", { recreate_event_triggers: [] });
    expect(await installedTriggers(server.databaseUrl)).toEqual(changed);
    expect(await server.metadata("reload_metadata", { recreate_event_triggers: true })).not.toHaveProperty("warnings");
    await expectRight();
    expect(await server.metadata("reload_metadata", {})).not.toHaveProperty("warnings");
  });
});

describe("Failed installation of event triggers", () => {
  const source = (name: string, url: string, table: string) => ({
    name,
    kind: "postgres",
    configuration: { connection_info: { database_url: url } },
    tables: [{ table: { schema: "public", name: table } }],
  });
  const withDatabase = async (work: (other: TestDatabase) => Promise<void>): Promise<void> => {
    const other = await createDatabase("other");
    try {
      await query(other.url, "create table elsewhere (id integer primary key)");
      await work(other);
    } finally {
      await server.metadata("replace_metadata", { version: 3, sources: [empty] });
      await other.drop();
    }
  };

  it("A source with an unreachable database is dropped with a warning", async () => {
    await withDatabase(async (other) => {
      const sources = [empty, source("away", other.url, "elsewhere")];
      await server.metadata("replace_metadata", { version: 3, sources });
      expect(await create("far", "elsewhere", all, { source: "away" })).toMatchObject({ status: 200 });
      await query(server.databaseUrl, `alter database "${other.name}" allow_connections false`);
      await query(
        server.databaseUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${other.name}'`,
      );
      await server.metadata("reload_metadata", { recreate_event_triggers: true });
      const response = await server.metadata("pg_drop_source", { name: "away" });
      expect(response).toMatchObject({
        message: "success",
        warnings: [{ code: "source-cleanup-failed", type: "source", name: "source away" }],
      });
      await query(server.databaseUrl, `alter database "${other.name}" allow_connections true`);
    });
  });

  it("Event triggers imported during an outage are installed when the database returns", async () => {
    await withDatabase(async (other) => {
      const away = source("away", other.url, "elsewhere");
      await query(server.databaseUrl, `alter database "${other.name}" allow_connections false`);
      const event_triggers = [
        {
          name: "late",
          webhook: "http://127.0.0.1:9/",
          definition: all,
          retry_conf: { num_retries: 0, interval_sec: 10 },
        },
      ];
      const tables = away.tables.map((table) => ({ ...table, event_triggers }));
      await server.metadata("replace_metadata", {
        allow_inconsistent_metadata: true,
        metadata: { version: 3, sources: [empty, { ...away, tables }] },
      });
      await query(server.databaseUrl, `alter database "${other.name}" allow_connections true`);
      await expect
        .poll(() => installedTriggers(other.url), { timeout: 20_000, interval: 200 })
        .toEqual(["DELETE", "INSERT", "UPDATE"].map((operation) => `notify_engine_late_${operation} on elsewhere`));
    });
  }, 60_000);

  it("An event trigger is refused if the database user may not create it", async () => {
    await withDatabase(async (other) => {
      const role = `weak_${other.name.slice(-12)}`;
      await query(other.url, `create role ${role} login password 'x'; grant all on elsewhere to ${role}`);
      const url = new URL(other.url);
      url.username = role;
      url.password = "x";
      const weak = source("weak", url.href, "elsewhere");
      await server.metadata("replace_metadata", { version: 3, sources: [empty, weak] });
      const before = await server.metadata("export_metadata", {});
      const { status, json } = await create("none", "elsewhere", all, { source: "weak" });
      expect(status).toBe(400);
      expect(json).toMatchObject({
        code: "postgres-error",
        path: "$.args",
        error: expect.stringContaining('event triggers of source "weak" cannot be installed: permission denied'),
      });
      expect(await server.metadata("export_metadata", {})).toEqual(before);
      expect(await query(other.url, "select to_regnamespace('engine_catalog') is null as missing")).toEqual([
        { missing: true },
      ]);
      await server.metadata("replace_metadata", { version: 3, sources: [empty] });
      await query(other.url, `drop owned by ${role}; drop role ${role}`);
    });
  });

  it("Recorders are restored if the metadata cannot be stored", async () => {
    await create("kept", "note", all);
    await query(
      server.metadataUrl,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
       create trigger refuse before insert or update on engine_catalog.engine_metadata_part
         for each row execute function refuse()`,
    );
    try {
      const changed = await create("kept", "note", watching("body"), { replace: true });
      const added = await create("added", "letter", all);
      expect([changed.status, added.status]).not.toContain(200);
      expect(wantedTriggers(await exported())).toHaveLength(3);
      await expectRight();
      expect((await server.metadata("pg_delete_event_trigger", { name: "kept" }).catch(String)) as string).toContain(
        "pg_delete_event_trigger",
      );
      await expectRight();
    } finally {
      await query(server.metadataUrl, "drop function refuse() cascade");
    }
  });

  it("A source that could not be added leaves no recorders, and others are unchanged", async () => {
    await create("one", "note", all);
    await query(server.databaseUrl, "insert into note values (1)");
    const before = [await installedTriggers(server.databaseUrl), await events()];
    const another = await startTestServer({
      environment: { ENGINE_GRAPHQL_DISABLE_EVENTING: "true", SHARED_URL: server.databaseUrl },
    });
    try {
      await query(
        another.metadataUrl,
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
         create trigger refuse before insert or update on engine_catalog.engine_metadata_part
           for each row execute function refuse()`,
      );
      const tracked = (table: string, name: string, definition: object) => {
        const retry_conf = { num_retries: 0, interval_sec: 10, timeout_sec: 60 };
        const trigger = { name, webhook: "http://127.0.0.1:9/", retry_conf, definition };
        return { table: { schema: "public", name: table }, event_triggers: [trigger] };
      };
      const shared = {
        name: "shared",
        kind: "postgres",
        configuration: { connection_info: { database_url: { from_env: "SHARED_URL" } } },
        // One recorder is new; the other replaces the recorder of another trigger.
        tables: [tracked("letter", "two", all), tracked("note", "one", watching("body"))],
      };
      const args = { version: 3, sources: [shared] };
      const { status, json } = await another.post("/v1/metadata", { type: "replace_metadata", args });
      expect(status, JSON.stringify(json)).toBe(500);
      expect([await installedTriggers(server.databaseUrl), await events()]).toEqual(before);
    } finally {
      await another.close();
    }
    // The replacing recorder remains until the owner of its name recreates the original.
    await server.metadata("reload_metadata", { recreate_event_triggers: true });
  });

  it("A start repairs changed recorders", async () => {
    await create("one", "note", all);
    await query(
      server.databaseUrl,
      `drop function engine_catalog."notify_engine_one_INSERT"() cascade;
       alter table note disable trigger "notify_engine_one_UPDATE"`,
    );
    const another = await startTestServer({ on: server, environment: { ENGINE_GRAPHQL_DISABLE_EVENTING: "true" } });
    await expectRight();
    await another.stop();
  });
});

describe("Event triggers and run_sql", () => {
  it("run_sql records its own writes before and after its schema change", async () => {
    await create("one", "note", all);
    expect(
      await sql(
        "insert into note values (1, 'x', 'y'); alter table note add column more text; update note set more = 'z'",
      ),
    ).toMatchObject({ status: 200 });
    expect(
      await query(
        server.databaseUrl,
        "select payload #>> '{data,new,more}' as more from engine_catalog.event_log where payload ->> 'op' = 'UPDATE' and trigger_name = 'one' and not archived",
      ),
    ).toEqual([{ more: "z" }]);
  });

  it.each([
    ["renames a column", "alter table note rename column body to content"],
    ["renames the table", "alter table note rename to memo"],
    [
      "renames a column and writes it",
      "insert into note values (1, 'a', 'b'); alter table note rename column body to content; update note set content = 'c'",
    ],
    ["changes the type of a watched column", "alter table note alter column body type varchar(20)"],
    ["changes another table", "alter table letter add column more text"],
    ["fails half-way", "alter table note rename column body to content; select 1 / 0"],
    ["drops an unwatched column", "alter table note drop column stars"],
    ["drops a watched column", "alter table note drop column body"],
    ["drops a watched column with its dependents", "alter table note drop column body cascade"],
    ["drops the table", "drop table note"],
    ["disables the triggers", "alter table note disable trigger all"],
  ])("Event triggers stay correct when run_sql %s", async (_, text) => {
    await create("whole", "note", all);
    await create("part", "note", watching("body"));
    await create("elsewhere", "letter", all);
    const { status } = await sql(text);
    await expectRight();
    if (status === 200) return;
    await sql(text, { cascade: true });
    await expectRight();
    await sql(text.includes("drop") ? "select 1" : "alter table note add column extra text", { no_transaction: true });
  });

  it("Event triggers stay correct if the rest of a bulk fails", async () => {
    await create("part", "note", watching("body"));
    const response = await server.post("/v2/query", {
      type: "bulk",
      args: [
        { type: "run_sql", args: { sql: "alter table note rename column stars to points" } },
        { type: "run_sql", args: { sql: "select 1 / 0" } },
      ],
    });
    expect(response.status).toBe(400);
  });

  it("Schema changes lose no concurrent writes of other sessions", async () => {
    await create("whole", "note", all);
    await create("part", "note", { insert: { columns: "*", payload: ["id", "body"] } });
    let isDone = false;
    let written = 0;
    const writer = async (from: number): Promise<void> => {
      for (let id = from; !isDone; id++, written++) {
        await query(server.databaseUrl, `insert into note (id) values (${id})`);
      }
    };
    const writers = [writer(1_000), writer(100_000), writer(200_000)];
    for (let round = 0; round < 6; round++) {
      const [from, to] = round % 2 === 0 ? ["body", "content"] : ["content", "body"];
      expect(await sql(`alter table note rename column ${from} to ${to}`)).toMatchObject({ status: 200 });
      expect(await sql(`alter table note alter column ${to} type varchar(${round + 10})`)).toMatchObject({
        status: 200,
      });
      await server.metadata("reload_metadata", { recreate_event_triggers: true });
    }
    isDone = true;
    await Promise.all(writers);
    for (const name of ["whole", "part"]) {
      const [row] = await query(
        server.databaseUrl,
        "select count(*)::integer as events from engine_catalog.event_log where trigger_name = $1 and not archived",
        [name],
      );
      expect(row).toEqual({ events: written });
    }
    await query(server.databaseUrl, "truncate note");
  });
});
