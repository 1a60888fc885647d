/** The payloads that the engine sends pass the validators of the generated module, and their values are preserved. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportMetadata } from "../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { must } from "../support/compiled.ts";
import { query } from "../support/database.ts";
import { loadShop } from "../support/handler-module.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { root } from "../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const folder = join(root, "test/golden/handlers/shop");
const secret = `whsec_${Buffer.from("a secret of thirty-two bytes ...").toString("base64")}`;

let shop: Awaited<ReturnType<typeof loadShop>>;
let receiver: WebhookReceiver;
let server: TestServer;

beforeAll(async () => {
  shop = await loadShop();
  receiver = await startWebhookReceiver((response, { body }) => {
    const isOrder = body.includes('"place_order"');
    response.end(isOrder ? '{"id":"8f1c9d6e-2f8e-4a3a-9a55-1f6f0b1f6c11","parts":[]}' : '"SMALL"');
  });
  const environment = { HANDLERS: receiver.url, NEW_SECRET: secret, OLD_SECRET: secret };
  server = await startTestServer({ sealed: false, environment });
  await query(server.databaseUrl, await readFile(join(folder, "schema.sql"), "utf8"));
  const { metadata } = await readMetadataDirectory(join(folder, "metadata.yaml"));
  const exported = exportMetadata(must(readMetadataDocument(metadata, emptyCatalog)));
  const text = JSON.stringify(exported).replaceAll('"DATABASE_URL"', '"ENGINE_GRAPHQL_DATABASE_URL"');
  await server.metadata("replace_metadata", JSON.parse(text));
}, 60_000);

afterAll(async () => {
  await server?.close();
  await receiver?.close();
});

/**
 * Waits for `count` calls of a trigger or action, and returns the bodies of all its calls. A cron trigger may become
 * due while waiting.
 */
async function bodies(name: string, count: number): Promise<readonly unknown[]> {
  const found = () => receiver.received.filter(({ body }) => body.includes(`"name":"${name}"`));
  await expect.poll(() => found().length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
  return found().map(({ body }) => JSON.parse(body));
}

const full = `
  (1, '8f1c9d6e-2f8e-4a3a-9a55-1f6f0b1f6c11', 'paid', 'Ann', '2026-02-28', '2026-02-28 12:00+01', 12.50, 1.5, true,
   '{"a": [1, null]}', array['x', null], array[1, null]::bigint[], 'it''s "odd"', 5, row('Rome', 'NaN'),
   'a=>1, b=>null', -7, '\\x00ff', '1 day 02:00', '[2026-01-01,2026-02-01)')`;
const empty = `
  (9007199254740993, '8f1c9d6e-2f8e-4a3a-9a55-1f6f0b1f6c12', 'new', '', null, 'infinity', 'NaN', '-Infinity', false,
   null, '{}', null, null, null, null, null, null, null, null, null)`;

describe("Payloads of event handlers", () => {
  it("Row events fit the generated types for extreme values of every type", async () => {
    await query(server.databaseUrl, `insert into orders values ${full}, ${empty}`);
    await query(server.databaseUrl, "update orders set customer = 'Bob', status = 'new' where id = 1");
    await query(server.databaseUrl, "delete from orders where id = 1");
    const events = (await bodies("order_changed", 4)).map((body) => shop.OrderChangedPayload.parse(body));
    expect(events.map(({ event }) => event.op).sort()).toEqual(["DELETE", "INSERT", "INSERT", "UPDATE"]);
    const inserted = events.flatMap(({ event }) => (event.op === "INSERT" ? [event.data.new] : []));
    const first = inserted.find(({ id }) => id === 1);
    expect(first).toEqual({
      ...{ id: 1, key: "8f1c9d6e-2f8e-4a3a-9a55-1f6f0b1f6c11", status: "paid", customer: "Ann" },
      ...{ "Shipped on": "2026-02-28", at: "2026-02-28T11:00:00+00:00", total: 12.5, weight: 1.5, is_gift: true },
      ...{ note: { a: [1, null] }, tags: ["x", null], counts: [1, null], mood: 'it\'s "odd"', price: 5 },
      ...{ origin: { city: "Rome", lat: Number.NaN }, more: { a: "1", b: null }, small: -7, raw: "\\x00ff" },
      ...{ wait: "1 day 02:00:00", during: "[2026-01-01,2026-02-01)" },
    });
    const other = inserted.find(({ id }) => id !== 1);
    expect(other).toMatchObject({ at: "infinity", total: Number.NaN, weight: Number.NEGATIVE_INFINITY, counts: null });
    for (const { event } of events) {
      if (event.op === "UPDATE") expect([event.data.old.customer, event.data.new.customer]).toEqual(["Ann", "Bob"]);
    }
  });

  it("Row events fit the generated types if operations send different columns", async () => {
    const events = (await bodies("orderPaid", 2)).map((body) => shop.OrderPaidPayload.parse(body).event);
    expect(events.map(({ op, data }) => [op, data.old])).toEqual(
      expect.arrayContaining([
        ["UPDATE", { id: 1, status: "paid" }],
        ["DELETE", { id: 1 }],
      ]),
    );
  });

  it("Manual events fit the generated types with a session", async () => {
    const args = { name: "order_changed", payload: { any: [1] } };
    await server.metadata("pg_invoke_event_trigger", args);
    const manual = (await bodies("order_changed", 5)).at(-1);
    const { event } = shop.OrderChangedPayload.parse(manual);
    expect(event).toMatchObject({ op: "MANUAL", data: { old: null, new: { any: [1] } } });
    expect(event.session_variables).toMatchObject({ "x-engine-role": "admin" });
  });
});

describe("Payloads of action handlers", () => {
  it("Action calls fit the generated types for every form of a client's value", async () => {
    const ask = (args: string) => server.graphql(`mutation { place_order(${args}) { id } }`);
    const answers = [
      await ask(
        "items: [{ book: 1, size: SMALL, parts: [{ book: 2, parts: [] }], price: 1.5 }], key: 5, extra: { a: [1] }",
      ),
      await ask('items: { book: 1, size: null }, note: null, key: "k", extra: "text"'),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ data: { place_order: { id: expect.any(String) } } });
    const inputs = (await bodies("place_order", 2)).map((body) => shop.PlaceOrderPayload.parse(body).input);
    expect(inputs).toEqual([
      {
        ...{ key: expect.anything(), extra: { a: [1] } },
        items: [{ book: 1, size: "SMALL", parts: [{ book: 2, parts: [] }], price: 1.5 }],
      },
      { items: [{ book: 1, size: null }], note: null, key: "k", extra: "text" },
    ]);
  });

  it("Action calls without arguments fit the generated types", async () => {
    await server.graphql("{ sizes }");
    for (const body of await bodies("sizes", 1)) expect(shop.SizesPayload.parse(body).input).toEqual({});
  });
});

describe("Payloads of cron handlers", () => {
  it("Cron calls fit the generated types", async () => {
    for (const name of ["nightly report", "tick"]) {
      await query(
        server.metadataUrl,
        `update engine_catalog.engine_cron_events set scheduled_time = now() where id = (select id from
           engine_catalog.engine_cron_events where trigger_name = $1 and status = 'scheduled' order by scheduled_time limit 1)`,
        [name],
      );
    }
    const [report] = await bodies("nightly report", 1);
    expect(shop.NightlyReportPayload.parse(report).payload).toEqual({
      to: ["board", 7],
      deep: { on: true, none: null, empty: [] },
    });
    const [tick] = await bodies("tick", 1);
    expect(shop.TickPayload.parse(tick).payload).toBeNull();
  });
});
