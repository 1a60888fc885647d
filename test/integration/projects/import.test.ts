/** A project of the original engine: imported, deployed, and queried as its roles. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { startTestServer } from "../../support/server.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

it("An imported project serves the same rows to the same roles", async () => {
  const server = await startTestServer();
  try {
    const project = join(await temporaryDirectory(), "blog");
    const peer = join(import.meta.dirname, "../../golden/import/blog-v2/project");
    expect(await runCommand("import", peer, "--out", project)).toMatchObject({ code: 0 });
    const deployed = await runCommand("deploy", "--with-seeds", "--project", project, "--endpoint", server.url);
    expect(deployed).toMatchObject({ code: 0, stderr: "" });
    const ann = { "x-engine-role": "user", "x-engine-user-id": "00000000-0000-4000-8000-000000000001" };
    const other = { ...ann, "x-engine-user-id": "00000000-0000-4000-8000-000000000002" };
    expect(await server.graphql("{ author { name posts { title } } }", ann)).toEqual({
      data: { author: [{ name: "Ann", posts: [{ title: "About x-hasura-role" }] }] },
    });
    expect(await server.graphql("{ author { name } }", other)).toEqual({ data: { author: [] } });
    const insert = 'mutation { insert_post_one(object: {title: "Second"}) { author_id } }';
    expect(await server.graphql(insert, ann)).toEqual({
      data: { insert_post_one: { author_id: ann["x-engine-user-id"] } },
    });
    expect(
      await server.post("/v2/query", { type: "run_sql", args: { sql: "select by_user from audit order by 1" } }),
    ).toMatchObject({
      json: { result: [["by_user"], ["00000000-0000-4000-8000-000000000001"], ["NULL"]] },
    });
  } finally {
    await server.close();
  }
});

it("The import reports omitted settings and untranslated names", async () => {
  const peer = await temporaryDirectory({
    "config.yaml":
      "version: 3\nendpoint: https://old.example\nadmin_secret: not-to-be-copied\ninsecure_skip_tls_verify: true\n",
    "metadata/version.yaml": "version: 3\n",
    "metadata/databases/databases.yaml": "[]\n",
    "metadata/cron_triggers.yaml":
      '- name: nightly\n  webhook: http://jobs.example\n  schedule: 0 3 * * *\n  include_in_metadata: true\n  payload: { x-hasura-role: job, nested: [{ X-Hasura-Org: "1" }] }\n',
  });
  const out = join(peer, "imported");
  const { code, stdout } = await runCommand("import", peer, "--out", out);
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(0, 5)).toEqual([
    "Manual steps:",
    "  config.yaml:3: admin_secret is a secret and left out: set ENGINE_GRAPHQL_ADMIN_SECRET, for example in .env",
    "  config.yaml:4: insecure_skip_tls_verify is left out: set it in config.yaml to accept any TLS certificate of the server",
    "  metadata/cron_triggers.yaml:5: x-hasura-role is a name of the original engine and kept: check whether to rename",
    "  metadata/cron_triggers.yaml:5: X-Hasura-Org is a name of the original engine and kept: check whether to rename",
  ]);
  expect(stdout).not.toContain("not-to-be-copied");
});
