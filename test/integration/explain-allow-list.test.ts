/** The allow-list in `explain_access` and `engine why`: on a server, with metadata files, and for an artifact. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../support/artifact.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

const secret = { "x-engine-admin-secret": "s" };
const ofAll = "query All { book { id } }";
const ofReaders = "query Titles { book { id title } }";
const ofNobody = "query Other { book { title } }";
let server: TestServer;
let folder: string;

async function call(type: string, args: object) {
  return (await server.post("/v1/metadata", { type, args }, secret)).json;
}

beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer({
    environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s", ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" },
    sealed: false,
  });
  const sql = "create table book (id int primary key, title text not null)";
  await server.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  const permission = { columns: ["id", "title"], filter: {} };
  const collection = (name: string, query: string) => ({
    name,
    definition: { queries: [{ name: name === "public" ? "All" : "Titles", query }] },
  });
  const changes: readonly (readonly [string, object])[] = [
    ["pg_track_table", { table: "book" }],
    ["pg_create_select_permission", { table: "book", role: "reader", permission }],
    ["pg_create_select_permission", { table: "book", role: "guest", permission }],
    ["create_query_collection", collection("public", ofAll)],
    ["create_query_collection", collection("readers", ofReaders)],
    ["add_collection_to_allowlist", { collection: "public", scope: { global: true } }],
    ["add_collection_to_allowlist", { collection: "readers", scope: { global: false, roles: ["reader"] } }],
  ];
  for (const [type, args] of changes) expect(await call(type, args)).toEqual({ message: "success" });
  folder = await mkdtemp(join(tmpdir(), "why-allow-list-"));
  await writeFile(join(folder, "metadata.json"), JSON.stringify(await call("export_metadata", {})));
  const shape = ["--shape", join(folder, "shape.json")];
  for (const args of [
    ["shape", "--database", server.databaseUrl, "--out", join(folder, "shape.json")],
    ["build", "--metadata", join(folder, "metadata.json"), ...shape, "--out", join(folder, "built")],
    ["build", "--metadata", join(folder, "metadata.json"), ...shape, "--closed", "--out", join(folder, "closed")],
  ]) {
    expect(await engine(args, folder)).toMatchObject({ code: 0 });
  }
}, 180_000);

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const reasonOf = (contains: boolean, role: string) =>
  `the allow-list ${contains ? "contains" : "does not contain"} the operation for role ${role}`;

/** Explains a query with files, in a project with these settings. */
async function offline(settings: Readonly<Record<string, string>>, metadata: string, role: string, query: string) {
  const project = await mkdtemp(join(folder, "project-"));
  await mkdir(join(project, "metadata"));
  await writeFile(
    join(project, ".env"),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  await writeFile(join(project, "query.graphql"), query);
  const shape = metadata === "metadata.json" ? ["--shape", join(folder, "shape.json")] : [];
  const input = ["--metadata", join(folder, metadata), ...shape];
  const args = ["why", role, "--query", "query.graphql", ...input, "--project", project, "--format", "json"];
  const { code, stdout, stderr } = await engine(args, project);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("The allow-list", { timeout: 120_000 }, () => {
  it.each([
    ["guest", ofAll, true],
    ["guest", `${ofAll} # the same`, true],
    ["guest", ofReaders, false],
    ["reader", ofReaders, true],
    ["reader", ofNobody, false],
  ])("explains for role %s whether it contains %s, as the server decides", async (role, query, isAllowed) => {
    const explanation = await call("explain_access", { role, request: { query } });
    expect(explanation.verdict).toBe(isAllowed ? "allowed" : "denied");
    const [step] = explanation.steps.filter(({ check }: { readonly check: string }) => check === "allow_list");
    expect(step).toMatchObject({ result: isAllowed ? "passed" : "failed", reason: reasonOf(isAllowed, role) });
    if (!isAllowed) {
      expect(explanation.reason).toBe(reasonOf(false, role));
      expect(step.hint).toBe(role === "guest" ? "operations: public.All" : "operations: public.All, readers.Titles");
    }
    const response = await server.post("/v1/graphql", { query }, { ...secret, "x-engine-role": role });
    expect(response.json.errors === undefined).toBe(isAllowed);
  });

  it("does not apply to admin", async () => {
    const { verdict, steps } = await call("explain_access", { role: "admin", request: { query: ofNobody } });
    expect(verdict).toBe("allowed");
    expect(steps.map(({ check }: { readonly check: string }) => check)).not.toContain("allow_list");
    const { json } = await server.post("/v1/graphql", { query: ofNobody }, secret);
    expect(json).toEqual({ data: { book: [] } });
  });

  it("makes the verdict of a root field depend on the operation, with the operations of the role", async () => {
    expect(await call("explain_access", { role: "guest", root_field: { name: "book" } })).toMatchObject({
      verdict: "depends",
      reason: "the allow-list is enabled: role guest may send only saved operations",
      steps: expect.arrayContaining([
        expect.objectContaining({ check: "allow_list", result: "unknown", hint: "operations: public.All" }),
      ]),
    });
  });

  it.each(["metadata.json", "built"])("is explained without a server from %s, with its scope", async (input) => {
    const enabled = { ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" };
    const allowed = await offline(enabled, input, "reader", ofReaders);
    expect(allowed.steps).toContainEqual(
      expect.objectContaining({ result: "passed", reason: reasonOf(true, "reader") }),
    );
    const ofAllRoles = { ...enabled, ENGINE_GRAPHQL_ALLOWLIST_SCOPE: "global" };
    expect(await offline(ofAllRoles, input, "reader", ofReaders)).toMatchObject({
      verdict: "denied",
      reason: reasonOf(false, "reader"),
      steps: expect.arrayContaining([expect.objectContaining({ hint: "operations: public.All" })]),
    });
    expect((await offline({}, input, "reader", ofNobody)).verdict).not.toBe("denied");
  });

  it("of a closed artifact compares the text, also for admin", async () => {
    expect((await offline({}, "closed", "guest", ofAll)).verdict).not.toBe("denied");
    for (const [role, query] of [
      ["guest", `${ofAll} # the same`],
      ["admin", ofNobody],
    ] as const) {
      expect(await offline({}, "closed", role, query)).toMatchObject({
        verdict: "denied",
        reason: reasonOf(false, role),
      });
    }
  });
});
