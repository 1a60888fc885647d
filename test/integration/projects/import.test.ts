/** A project of the other engine: imported, deployed, and asked as its roles. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { startTestServer } from "../../support/server.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

it("serves what it served, to whom it served it", async () => {
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
