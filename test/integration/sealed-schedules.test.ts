/** Cron triggers of a sealed artifact: they run with a metadata database, and are reported without one. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { engine, startArtifact } from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { ensureBuilt } from "../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

let folder: string;
let database: TestDatabase;
let receiver: WebhookReceiver;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "sealed-schedules-"));
  database = await createDatabase("sealed_schedules");
  receiver = await startWebhookReceiver();
  const trigger = `{ name: yearly, webhook: "${receiver.url}/yearly", schedule: "0 0 1 1 *", include_in_metadata: true }`;
  await writeFile(join(folder, "metadata.yaml"), `version: 3\nsources: []\ncron_triggers:\n  - ${trigger}\n`);
  const built = await engine(["build", "--metadata", "metadata.yaml", "--out", join(folder, "artifact")], folder);
  expect(built).toMatchObject({ code: 0, stdout: expect.stringMatching(/--metadata-database-url: yearly\n$/) });
}, 120_000);

afterAll(async () => {
  await receiver?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

it("The schedules of an artifact run in its metadata database", async () => {
  const environment = { ENGINE_GRAPHQL_METADATA_DATABASE_URL: database.url };
  const server = await startArtifact(join(folder, "artifact"), { environment });
  try {
    const events = "select count(*)::int as count from engine_catalog.engine_cron_events";
    expect(await query(database.url, events)).toEqual([{ count: 100 }]);
    await query(
      database.url,
      `update engine_catalog.engine_cron_events set scheduled_time = now()
       where id = (select id from engine_catalog.engine_cron_events order by scheduled_time limit 1)`,
    );
    await vi.waitFor(() => expect(receiver.received.map(({ path }) => path)).toEqual(["/yearly"]), { timeout: 10_000 });
  } finally {
    await server.stop();
  }
});

it("Without a metadata database, a start names the schedules that do not run", async () => {
  const server = await startArtifact(join(folder, "artifact"), { environment: {} });
  try {
    await vi.waitFor(() => expect(server.log.join("")).toContain("Cron triggers do not run"), { timeout: 10_000 });
  } finally {
    await server.stop();
  }
});
