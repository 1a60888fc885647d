/**
 * Rows tampered with by a user of the metadata database, or of the event log in a source, affect only themselves and no
 * other rows.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let main: TestDatabase;
let metadata: TestDatabase;
let webhook: WebhookReceiver;
const start = () =>
  startTestServer({
    sealed: false,
    on: { databaseUrl: main.url, metadataUrl: metadata.url },
    environment: { ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: "200" },
  });

beforeAll(async () => {
  [main, metadata, webhook] = await Promise.all([
    createDatabase("main"),
    createDatabase("metadata"),
    startWebhookReceiver((response) => response.end('{"id":null}')),
  ]);
  await query(main.url, "create table letter (id integer primary key, body text); insert into letter values (1)");
  const server = await start();
  await server.metadata("pg_track_table", { source: "default", table: "letter" });
  const trigger = { source: "default", table: "letter", name: "told", webhook: webhook.url, insert: { columns: "*" } };
  await server.metadata("pg_create_event_trigger", trigger);
  const cron = { name: "yearly", schedule: "0 0 1 1 *", webhook: webhook.url, include_in_metadata: true };
  await server.metadata("create_cron_trigger", cron);
  await server.metadata("set_custom_types", { objects: [{ name: "Done", fields: [{ name: "id", type: "String" }] }] });
  const action = { kind: "asynchronous", type: "mutation", handler: webhook.url, output_type: "Done" };
  await server.metadata("create_action", { name: "later", definition: action });
  await server.stop();
}, 60_000);

afterAll(async () => {
  await Promise.all([main.drop(), metadata.drop(), webhook.close()]);
});

/** Returns SQL for the message in the newest log entry of an event. */
const messageOf = (table: string, id: string): string =>
  `(select response -> 'data' ->> 'message' from engine_catalog.${table} where event_id = ${id} limit 1)`;

describe("Tampered rows beside the metadata", () => {
  let server: TestServer;
  const deep = `${"[".repeat(2000)}${"]".repeat(2000)}`;

  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());

  it("A tampered one-off event ends with an error that names the unreadable column, and other events are delivered", async () => {
    const url = JSON.stringify(webhook.url);
    const unreadable: readonly (readonly [column: string, value: string])[] = [
      ["webhook_conf", `{"a": 1}`],
      ["webhook_conf", "null"],
      ["header_conf", `{"a": 1}`],
      ["header_conf", "[1, null]"],
      ["retry_conf", `"often"`],
      ["retry_conf", `{"num_retries": 3, "retry_interval_seconds": {}}`],
      ["retry_conf", `{"timeout_seconds": -1}`],
      ["retry_conf", `{"backoff": {"factor": "x"}}`],
      ["request_transform", "[1]"],
      ["request_transform", `{"version": 2, "body": 5}`],
      ["response_transform", `{"version": 2, "body": {"action": "transform", "template": {}}}`],
      ["signing_secret", "5"],
      ["signing_secret", `[{"value_from_env": {}}]`],
      ["payload", deep],
      ["payload", `{"__proto__": {"role": "admin"}}`],
    ];
    for (const [column, value] of unreadable) {
      const [columns, values] =
        column === "webhook_conf" ? [column, [value]] : [`webhook_conf, ${column}`, [url, value]];
      await query(
        metadata.url,
        `insert into engine_catalog.engine_scheduled_events (comment, scheduled_time, ${columns})
         values ('unreadable', now(), ${values.map((_, i) => `$${i + 1}`).join(", ")})`,
        values,
      );
    }
    const times = ["infinity", "-infinity", "4713-01-01 BC"];
    for (const time of times) {
      await query(
        metadata.url,
        `with late as (insert into engine_catalog.engine_cron_events (trigger_name, scheduled_time) values ('yearly', $1))
         insert into engine_catalog.engine_scheduled_events (comment, scheduled_time, webhook_conf) values ('time', $1, $2)`,
        [time, url],
      );
    }
    await query(
      metadata.url,
      `insert into engine_catalog.engine_scheduled_events (comment, scheduled_time, webhook_conf, tries)
       values ('most tries', now(), $1, 2147483647), ('plain', now(), $1, 0)`,
      [url],
    );
    const ended = `select comment, status, ${messageOf("engine_scheduled_event_invocation_logs", "e.id")} as message
      from engine_catalog.engine_scheduled_events e where comment <> 'time' order by comment`;
    await vi.waitFor(
      async () => {
        const rows = await query(metadata.url, ended);
        expect(rows.map(({ status }) => status)).toEqual(["delivered", "delivered", ...unreadable.map(() => "error")]);
        for (const { message } of rows.slice(2)) expect(message).toMatch(/cannot be read|not allowed|nested deeper/);
      },
      { timeout: 15_000 },
    );
    expect(server.log.filter((line) => line.includes("unhandled-internal-error"))).toEqual([]);
  }, 30_000);

  it("A tampered row of the event log does not stop the delivery and storage of other events", async () => {
    const payloads = ["null", "5", "[]", `{"op": {"a": 1}, "session_variables": [1], "trace_context": "x"}`, deep];
    const insert = (id: string, payload: string, tries: number, created: string) =>
      query(
        main.url,
        `insert into engine_catalog.event_log (id, schema_name, table_name, trigger_name, payload, tries, created_at)
         values ($1, 'public', 'letter', 'told', $2, $3, $4)`,
        [id, payload, tries, created],
      );
    await insert("tries", "{}", 2147483647, "now");
    await insert("negative", "{}", -2147483648, "now");
    await insert("never", "{}", 0, "infinity");
    await insert('"; drop table letter --', "{}", 0, "-infinity");
    for (const [index, payload] of payloads.entries()) await insert(`payload ${index}`, payload, 0, "now");
    await vi.waitFor(
      async () => {
        const left = "select id from engine_catalog.event_log where not delivered";
        expect(await query(main.url, left)).toEqual([]);
      },
      { timeout: 15_000 },
    );
    expect(server.log.filter((line) => line.includes("unhandled-internal-error"))).toEqual([]);
  }, 30_000);

  it("A tampered asynchronous action ends with an error and delays no other action", async () => {
    const broken = JSON.stringify({ "(json text)": "{" });
    const rows = [
      ["{}", "{}", "{}"],
      [broken, "{}", "{}"],
      ["{}", broken, "{}"],
      ["{}", "{}", broken],
      ["5", "[]", "null"],
    ];
    for (const row of rows) {
      await query(
        metadata.url,
        `insert into engine_catalog.engine_action_log (action_name, input_payload, request_headers, session_variables)
         values ('later', $1, $2, $3)`,
        row,
      );
    }
    const states = `select status, errors ->> 'error' as error from engine_catalog.engine_action_log
      order by created_at, input_payload::text, request_headers::text`;
    await vi.waitFor(
      async () => {
        const found = await query(metadata.url, states);
        const errors = found.filter(({ status }) => status === "error");
        expect(errors.map(({ error }) => error)).toEqual(errors.map(() => "the stored call cannot be read"));
        expect([found.length, errors.length]).toEqual([5, 3]);
        expect(found.filter(({ status }) => status === "completed")).toHaveLength(2);
      },
      { timeout: 15_000 },
    );
    expect(server.log.filter((line) => line.includes("unhandled-internal-error"))).toEqual([]);
  }, 30_000);

  it("Tampered rows of other tables have no effect", async () => {
    await query(
      metadata.url,
      `update engine_catalog.engine_version set cli_state = '5', console_state = '[]';
       insert into engine_catalog.engine_schema_notifications
       values (1, '{"sources": {"__proto__": 1e9, "default": "x"}, "remote_schemas": [1]}', 5, gen_random_uuid())
       on conflict (id) do update set notification = excluded.notification;
       insert into engine_catalog.engine_server_instances values (gen_random_uuid(), 'infinity', true);
       notify engine_metadata, '{"__proto__": 1}'; notify engine_actions, 'x'`,
    );
    expect(await server.graphql("{ letter { id } }")).toEqual({ data: { letter: [{ id: 1 }] } });
    await server.metadata("create_query_collection", { name: "kept", definition: { queries: [] } });
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the attack
const hostile = "a\"'`${globalThis.tampered=1}*/ -- \n\u2028 ]] $$ \\";

describe("Tampered stored metadata", () => {
  interface Part {
    readonly where: string;
    readonly value: string;
  }
  const table = "table_name = 'letter'";
  const source = "source = 'default' and table_name = ''";
  const others = "source = ''";
  const change = ({ where, value }: Part) =>
    query(metadata.url, `update engine_catalog.engine_metadata_part set value = $1 where ${where} returning 1`, [
      value,
    ]);
  const storedValue = async (where: string): Promise<string> => {
    const [row] = await query(
      metadata.url,
      `select value::text from engine_catalog.engine_metadata_part where ${where}`,
    );
    return String(row?.value);
  };
  const withMember = (text: string, member: string) => `${text.slice(0, text.lastIndexOf("}"))},${member}}`;
  const permissionWith = (filter: string) =>
    `"select_permissions":[{"role":"member","permission":{"columns":["id"],"filter":${filter}}}]`;

  it.each([
    ["a null table", table, () => "null", "$.sources[0].tables[0]"],
    ["a member __proto__", table, (text: string) => withMember(text, `"__proto__":{}`), "__proto__"],
    ["a member constructor", table, (text: string) => withMember(text, `"constructor":{}`), "constructor"],
    [
      "a filter of 10,000 levels",
      table,
      (text: string) => withMember(text, permissionWith(`${'{"_not":'.repeat(10_000)}{}${"}".repeat(10_000)}`)),
      "nested too deeply",
    ],
    [
      "SQL for a limit",
      table,
      (text: string) =>
        withMember(text, permissionWith(`{}`).replace(`"filter"`, `"limit":"1; drop table letter","filter"`)),
      "permission.limit",
    ],
    [
      "an invalid GraphQL name",
      table,
      (text: string) => withMember(text, `"configuration":${JSON.stringify({ custom_name: hostile })}`),
      "configuration.custom_name",
    ],
    ["a source that is not an object", source, () => `"x"`, "not a JSON object"],
    [
      "a kind of database __proto__",
      source,
      (text: string) => text.replace(`"postgres"`, `"__proto__"`),
      "$.sources[0].kind",
    ],
    ["null for a global section", others, () => "null", "not a JSON object"],
    ["an unknown version", others, (text: string) => text.replace(/"version": ?3/, `"version":99`), "$.version"],
    [
      "a number in place of the actions",
      others,
      (text: string) => text.replace(/"actions": ?\[/, `"actions":5,"x":[`),
      "actions",
    ],
  ])(
    "Stored metadata with %s is refused at a start with its path, and a running server serves on",
    async (_, where, edit, place) => {
      const before = await storedValue(where);
      const server = await start();
      try {
        expect(await change({ where, value: edit(before) })).toHaveLength(1);
        await query(
          metadata.url,
          "update engine_catalog.engine_metadata_version set resource_version = resource_version + 1",
        );
        const reason = "the metadata in the metadata database cannot be read";
        await expect(start()).rejects.toThrow(reason);
        await expect(start()).rejects.toThrow(place);
        expect(await server.graphql("{ letter { id } }")).toEqual({ data: { letter: [{ id: 1 }] } });
        const answer = await server.post("/v1/metadata", {
          type: "drop_query_collection",
          args: { collection: "kept", cascade: false },
        });
        expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(reason)]);
      } finally {
        await change({ where, value: before });
        await server.stop();
      }
      expect("tampered" in globalThis).toBe(false);
    },
    30_000,
  );

  it("Hostile names in stored metadata become neither code nor SQL, and the rest is served", async () => {
    const before = [await storedValue(table), await storedValue(others), await storedValue(source)] as const;
    const names = { schema: hostile, name: hostile };
    const relationship = {
      name: "other",
      using: { manual_configuration: { remote_table: names, column_mapping: { [hostile]: hostile } } },
    };
    const permission = { columns: ["id", hostile], filter: { [hostile]: { _eq: hostile } } };
    const readable = { columns: ["id"], filter: { body: { _neq: hostile } }, limit: 5 };
    const edited: Record<string, unknown> = {
      ...JSON.parse(before[0]),
      configuration: { comment: hostile, column_config: { body: { comment: hostile } } },
      object_relationships: [relationship],
      computed_fields: [{ name: "computed", definition: { function: names } }],
      select_permissions: [
        { role: hostile, permission },
        { role: "reader", permission: readable, comment: hostile },
      ],
    };
    const cron = { name: hostile, webhook: `http://127.0.0.1:1/${hostile}`, schedule: "0 0 1 1 *", comment: hostile };
    const deepQuery = `query n ${"{ a ".repeat(100_000)}${"}".repeat(100_000)}`;
    const collection = {
      name: hostile,
      definition: {
        queries: [
          { name: "deep", query: deepQuery },
          { name: hostile, query: hostile },
        ],
      },
    };
    const section = {
      ...JSON.parse(before[1]),
      cron_triggers: [{ ...cron, include_in_metadata: true }],
      query_collections: [collection],
    };
    await change({ where: table, value: JSON.stringify(edited) });
    await change({ where: others, value: JSON.stringify(section) });
    await query(main.url, "update letter set body = 'x'");
    const server = await start();
    try {
      expect(await server.graphql("{ letter { id } }", { "x-engine-role": "reader" })).toEqual({
        data: { letter: [{ id: 1 }] },
      });
      const found = JSON.stringify(await server.metadata("get_inconsistent_metadata", {}));
      for (const type of ["object_relation", "computed_field", "select_permission"]) expect(found).toContain(type);
      expect(found).toContain("the query is nested too deeply");
      expect("tampered" in globalThis).toBe(false);
    } finally {
      await change({ where: table, value: before[0] });
      await change({ where: others, value: before[1] });
      await server.stop();
    }
    expect(await query(main.url, "select count(*)::int as letters from letter")).toEqual([{ letters: 1 }]);
  }, 30_000);

  it("Stored metadata without a version row is served from its parts", async () => {
    await query(metadata.url, "delete from engine_catalog.engine_metadata_version");
    const server = await start();
    expect(await server.graphql("{ letter { id } }")).toEqual({ data: { letter: [{ id: 1 }] } });
    await server.stop();
  }, 30_000);

  it("Stored metadata with a malformed catalog version is left unchanged and the start fails with the reason", async () => {
    await query(metadata.url, "update engine_catalog.engine_version set version = '1; drop table letter'");
    await expect(start()).rejects.toThrow("which is not a number");
  });
});
