import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { type ArtifactProcess, engine, refusedArtifact, startArtifact } from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { openEvents } from "../support/event-stream.ts";
import { freePort } from "../support/free-port.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";

const library = join(root, "fixtures/library");
const secret = { "x-engine-admin-secret": "secret" };

const toolNames = ["book", "find_books", "lend_copy", "my_loans", "renew_loan"];

let folder: string;
let artifact: string;
let database: TestDatabase;
let environment: Readonly<Record<string, string>>;

async function filesOf(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), "utf8")])),
  );
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

async function sourceMap(): Promise<SourceMap> {
  return JSON.parse(await readFile(join(artifact, "server.mjs.map"), "utf8"));
}

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "sealed-"));
  artifact = join(folder, "artifact");
  const built = await engine(
    ["build", "--metadata", join(library, "metadata"), "--shape", join(library, "shape.json"), "--out", artifact],
    folder,
  );
  expect(built).toMatchObject({ code: 0, stderr: "" });
  database = await createDatabase("sealed");
  await query(database.url, await readFile(join(library, "postgres/schema.sql"), "utf8"));
  await query(database.url, await readFile(join(library, "postgres/seed.sql"), "utf8"));
  environment = { ENGINE_GRAPHQL_DATABASE_URL: database.url, ENGINE_GRAPHQL_ADMIN_SECRET: "secret" };
}, 120_000);

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe("The engine build command in detail", () => {
  it("engine build writes the same bytes at any path and time", async () => {
    await cp(join(library, "metadata"), join(folder, "elsewhere/here/metadata"), { recursive: true });
    await cp(join(library, "shape.json"), join(folder, "elsewhere/here/shape.json"));
    const built = await engine(["build", "--metadata", "here/metadata", "--out", "out"], join(folder, "elsewhere"));
    expect(built).toMatchObject({ code: 0, stderr: "" });
    expect(await filesOf(join(folder, "elsewhere/out"))).toEqual(await filesOf(artifact));
  }, 60_000);

  it.each([
    ["an open artifact", []],
    ["a closed artifact", ["--closed"]],
  ])(
    "The tools for assistants are in %s, and in its lists by role",
    async (_, flags) => {
      const out = join(folder, `tools${flags.length}`);
      const given = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
      expect(await engine(["build", ...given, "--out", out, ...flags], folder)).toMatchObject({ code: 0, stderr: "" });
      const read = (name: string) => readFile(join(out, name), "utf8");
      expect(JSON.parse(await read("manifest.json")).serves.agentTools).toEqual(toolNames);
      const { roles } = JSON.parse(await read("access.json"));
      expect(Object.keys(roles.member.tools)).toEqual(["book", "find_books", "my_loans", "renew_loan"]);
      expect(roles.member.tools.renew_loan.frontend).toEqual({
        operation: "desk.renew",
        hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
        limits: { rows: 1000, bytes: 262144, seconds: 30 },
        scopes: ["loans.write"],
      });
      const server = await read("server.mjs");
      for (const name of toolNames) expect(server).toMatch(new RegExp(`name: "${name}"|name:"${name}"`));
      expect(server).toMatch(/agentTools: ?/);
    },
    120_000,
  );

  it("engine build writes the documented files", async () => {
    const files = await filesOf(artifact);
    const server = [
      "access.json",
      "bom.json",
      "manifest.json",
      "openapi.json",
      "server.mjs",
      "server.mjs.map",
      "workers.mjs",
    ];
    expect(Object.keys(files)).toEqual(
      [...server, "engine.mjs", "engine.d.mts", "config.d.mts", "options.d.mts", "handler.mjs", "handler.d.mts"].sort(),
    );
    expect(JSON.parse(files["manifest.json"] ?? "")).toMatchObject({
      serves: { roles: ["admin", "librarian", "member", "visitor"], sources: { default: "postgres" } },
    });
    const { bomFormat, components } = JSON.parse(files["bom.json"] ?? "");
    const names = components.map(({ name }: { name: string }) => name);
    expect(bomFormat).toBe("CycloneDX");
    expect(names).toEqual(expect.arrayContaining(["graphql", "ioredis", "jose", "pg", "pino", "undici", "ws"]));
    expect(names).not.toContain("tedious");
  });

  it("engine build omits the compiler, administration and code generation from the artifact", async () => {
    const { sources } = await sourceMap();
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.some((source) => source.includes("roles/member/root-fields.ts"))).toBe(true);
    const unwanted =
      /(^|\/)(compiler|runtime\/(control|cli|databases\/embedded-postgres))\/|node_modules\/(ts-morph|esbuild|fastify|zod|find-my-way|commander)\/|http\/(admin|explain|dump|config|developer)\.ts/;
    expect(sources.filter((source) => unwanted.test(source))).toEqual([]);
  });

  it("engine build omits unused drivers and telemetry exporters from the artifact", async () => {
    const { sources } = await sourceMap();
    const unused = /node_modules\/(tedious|mssql|@opentelemetry)\/|telemetry\/otlp\/(export|encode)\.ts/;
    expect(sources.filter((source) => unused.test(source))).toEqual([]);
  });

  it("engine build includes the generated modules in the source map, but no package sources", async () => {
    const { sources, sourcesContent } = await sourceMap();
    const shown = sources.filter((_, i) => sourcesContent[i] !== null);
    expect(shown).toContain("generated:roles/member/root-fields.ts");
    expect(shown.filter((source) => !source.startsWith("generated:"))).toEqual([]);
  });

  it("engine build writes no files for inconsistent metadata", async () => {
    const broken = join(folder, "broken.yaml");
    await writeFile(
      broken,
      `version: 3
sources:
  - name: default
    kind: postgres
    configuration: { connection_info: { database_url: { from_env: ENGINE_GRAPHQL_DATABASE_URL } } }
    tables: [{ table: { schema: public, name: nowhere } }]
`,
    );
    const out = join(folder, "nothing");
    const built = await engine(
      ["build", "--metadata", broken, "--shape", join(library, "shape.json"), "--out", out],
      folder,
    );
    expect(built.code).toBe(1);
    expect(built.stderr).toContain("nowhere");
    await expect(readdir(out)).rejects.toThrow("ENOENT");
  });
});

describe("Artifacts that cannot serve", () => {
  it("An artifact prints its options", async () => {
    const { code, stdout } = await refusedArtifact(artifact, { environment: {}, args: ["--help"] });
    expect([code, stdout]).toEqual([0, expect.stringContaining("--install-triggers")]);
  });

  it("An artifact names an unreachable database with the reason and without the password", async () => {
    const url = `postgres://me:hush@127.0.0.1:${await freePort()}/app`;
    const unreachable = { ...environment, ENGINE_GRAPHQL_DATABASE_URL: url };
    const { code, stderr } = await refusedArtifact(artifact, { environment: unreachable });
    expect(code).toBe(1);
    expect(stderr).toMatch(/the database of source default cannot be read: connection error: connect ECONNREFUSED/);
    expect(stderr).not.toContain("hush");
  });

  it("An artifact names the option to choose another port", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = String(typeof address === "object" && address ? address.port : 0);
    const taken = { ...environment, ENGINE_GRAPHQL_SERVER_PORT: port, ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1" };
    const { stderr } = await refusedArtifact(artifact, { environment: taken });
    blocker.close();
    expect(stderr).toContain(`port ${port} is in use by another program`);
    expect(stderr).toContain("choose another port with ENGINE_GRAPHQL_SERVER_PORT\n");
  });
});

describe("Changed artifacts", () => {
  it("A changed artifact fails verification and refuses to serve unless verification is disabled", async () => {
    expect(await engine(["verify", artifact], folder)).toMatchObject({ code: 0 });
    const changed = join(folder, "changed");
    await cp(artifact, changed, { recursive: true });
    await writeFile(join(changed, "server.mjs"), `${await readFile(join(changed, "server.mjs"), "utf8")}// more\n`);
    await rm(join(changed, "bom.json"));
    expect(await engine(["verify", changed], folder)).toEqual({
      code: 1,
      stdout: "",
      stderr: "server.mjs was changed\nbom.json is missing\n",
    });
    const refused = await refusedArtifact(changed, { environment });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      "has been modified since it was built: server.mjs was changed, bom.json is missing",
    );
    const server = await startArtifact(changed, { environment, args: ["--no-verify"] });
    await server.stop();
  });
});

describe("Sealed servers", () => {
  let server: ArtifactProcess;
  let live: TestServer;

  beforeAll(async () => {
    server = await startArtifact(artifact, { environment });
    const metadataDatabase = await createDatabase("sealed-metadata");
    live = await startTestServer({ environment, on: { databaseUrl: database.url, metadataUrl: metadataDatabase.url } });
    const { metadata } = await readMetadataDirectory(join(library, "metadata"));
    const replaced = await live.post("/v1/metadata", { type: "replace_metadata", args: metadata }, secret);
    expect(replaced.status).toBe(200);
  }, 60_000);

  afterAll(async () => {
    await server.stop();
    await live.stop();
  });

  async function ask(url: string, path: string, body: unknown, headers: Record<string, string>) {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }

  const member = { ...secret, "x-engine-role": "member", "x-engine-user-id": "00000000-0000-0000-0000-000000000001" };
  const cases: readonly (readonly [string, string, Record<string, string>])[] = [
    [
      "a query",
      "{ book(order_by: {title: asc}) { title author { name } copies_aggregate { aggregate { count } } } }",
      secret,
    ],
    ["introspection", "{ __schema { types { name fields { name } inputFields { name } } } }", member],
    ["row filters", "{ loan { id due_on copy { book { title } } } }", member],
    ["what a role may not see", "{ loan { id member_id } }", { ...secret, "x-engine-role": "visitor" }],
    ["a role that nothing names", "{ book { title } }", { ...secret, "x-engine-role": "stranger" }],
    [
      "a mutation",
      `mutation { update_book(where: {title: {_eq: "none"}}, _set: {title: "x"}) { affected_rows } }`,
      secret,
    ],
    ["syntax errors", "{ book {", secret],
    ["no secret", "{ book { title } }", {}],
  ];

  it.each(cases)("An artifact returns the same response to %s as the live server", async (_, text, headers) => {
    for (const path of ["/v1/graphql", "/v1beta1/relay"]) {
      expect(await ask(server.url, path, { query: text }, headers)).toEqual(
        await ask(live.url, path, { query: text }, headers),
      );
    }
  });

  it("An artifact returns the same responses to saved operations and REST requests as the live server", async () => {
    const { metadata } = await readMetadataDirectory(join(library, "metadata"));
    const { query_collections } = metadata as { query_collections: { definition: { queries: { query: string }[] } }[] };
    const texts = query_collections.flatMap(({ definition }) => definition.queries.map(({ query }) => query));
    expect(texts.length).toBeGreaterThan(3);
    for (const headers of [secret, member]) {
      for (const text of texts) {
        expect(await ask(server.url, "/v1/graphql", { query: text }, headers)).toEqual(
          await ask(live.url, "/v1/graphql", { query: text }, headers),
        );
      }
      for (const path of ["/api/rest/books", "/api/rest/my/loans", "/api/rest/nowhere", "/api/swagger/json"]) {
        const [sealed, other] = await Promise.all([server, live].map(({ url }) => fetch(`${url}${path}`, { headers })));
        expect([sealed?.status, await sealed?.text()]).toEqual([other?.status, await other?.text()]);
      }
    }
  });

  it("An artifact delivers subscriptions as event streams", async () => {
    const body = { query: "subscription { branch(limit: 1) { __typename } }" };
    const reader = await openEvents(`${server.url}/v1/graphql`, body, secret);
    expect(await reader.take()).toEqual({ event: "next", data: { data: { branch: [{ __typename: "branch" }] } } });
    reader.close();
  });

  it("An artifact delivers subscriptions over WebSockets", async () => {
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: secret } });
    const payload = { query: "subscription { branch(limit: 1) { __typename } }" };
    client.send({ id: "1", type: "subscribe", payload });
    const delivered = { id: "1", type: "next", payload: { data: { branch: [{ __typename: "branch" }] } } };
    // Skips acknowledgements and keep-alives.
    let message = await client.next();
    while (!isDeepStrictEqual(message, delivered)) message = await client.next();
    client.ws.terminate();
  });

  it("An artifact has health and version endpoints and no administration", async () => {
    const status = async (path: string, init?: RequestInit) => (await fetch(`${server.url}${path}`, init)).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/healthz", { method: "HEAD" })).toBe(200);
    expect(await status("/livez")).toBe(200);
    const readiness = await fetch(`${server.url}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([
      200,
      { status: "ready", sources: { ready: 1, not_ready: 0 } },
    ]);
    expect(await status("/healthz/sources", { headers: secret })).toBe(200);
    expect((await fetch(`${server.url}/healthz/sources`)).ok).toBe(false);
    expect(await status("/v1/version")).toBe(200);
    for (const path of ["/v1/metadata", "/v2/query", "/v1/query", "/v1/graphql/explain", "/v1alpha1/pg_dump"]) {
      expect(await status(path, { method: "POST", headers: secret, body: "{}" })).toBe(404);
    }
  });
});

describe("Drift between an artifact and its database", () => {
  const books = { query: "{ book(limit: 1) { title } }" };
  let changed: TestDatabase;
  const settings = () => ({ environment: { ...environment, ENGINE_GRAPHQL_DATABASE_URL: changed.url } });

  beforeAll(async () => {
    changed = await createDatabase("sealed-drift");
    await query(changed.url, await readFile(join(library, "postgres/schema.sql"), "utf8"));
  });
  afterAll(() => changed.drop());

  it("An unchanged database causes only the notice about the saved shape", async () => {
    const server = await startArtifact(artifact, settings());
    await vi.waitFor(() => expect(server.log).toContainEqual(expect.stringContaining("starting API server")));
    await server.stop();
    // The library's shape contains nothing that is specific to a version of PostgreSQL.
    const notCompared = expect.stringContaining("were not compared: the shape does not contain them");
    expect(server.log.filter((line) => line.includes('"drift"'))).toEqual([notCompared]);
  });

  it("Harmless drift is served and logged", async () => {
    await query(changed.url, "alter table book add note text; create table other (id integer primary key)");
    const server = await startArtifact(artifact, settings());
    const difference = (text: string) => expect.stringContaining(`"difference":"${text}"`);
    await vi.waitFor(() => {
      expect(server.log).toContainEqual(difference("column public.book.note was added (pg_catalog.text null)"));
      expect(server.log).toContainEqual(difference("table public.other was added (table)"));
    });
    await server.stop();
  });

  it("Harmful drift is refused with its differences unless warnings are accepted", async () => {
    await query(
      changed.url,
      "alter table branch rename column name to title; alter table review add rank integer not null",
    );
    const refused = await refusedArtifact(artifact, settings());
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("column public.branch.name is missing");
    expect(refused.stderr).toContain("column public.review.rank was added (pg_catalog.int4 not null)");
    const server = await startArtifact(artifact, { ...settings(), args: ["--drift=warn"] });
    const answer = await fetch(`${server.url}/v1/graphql`, {
      method: "POST",
      headers: secret,
      body: JSON.stringify(books),
    });
    expect(await answer.json()).toEqual({ data: { book: [] } });
    await server.stop();
  });
});

describe("Closed mode", () => {
  it("A closed artifact runs only saved operations and REST endpoints", async () => {
    const closed = join(folder, "closed");
    const input = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
    expect(await engine(["build", ...input, "--closed", "--out", closed], folder)).toMatchObject({ code: 0 });
    const { metadata } = await readMetadataDirectory(join(library, "metadata"));
    const { query_collections } = metadata as { query_collections: { definition: { queries: { query: string }[] } }[] };
    const saved = query_collections[0]?.definition.queries[0]?.query ?? "";
    const server = await startArtifact(closed, { environment });
    const post = async (text: string) => {
      const body = JSON.stringify({ query: text });
      return (await fetch(`${server.url}/v1/graphql`, { method: "POST", headers: secret, body })).text();
    };
    const refusal = { path: "$.query", code: "validation-failed" };
    const refused = JSON.stringify({ errors: [{ message: "query is not allowed", extensions: refusal }] });
    expect(await post("{ book { title } }")).toBe(refused);
    expect(await post("{ no GraphQL at all")).toBe(refused);
    expect(await post(`${saved} `)).toBe(refused);
    expect(await post(saved)).not.toBe(refused);
    const get = async (query: string) =>
      (await fetch(`${server.url}/v1/graphql?${new URLSearchParams({ query })}`, { headers: secret })).text();
    expect(await get("{ book { title } }")).toBe(refused);
    expect(await get(saved)).not.toBe(refused);
    expect((await fetch(`${server.url}/api/rest/books?title=x`, { headers: secret })).status).toBe(200);
    await server.stop();
  }, 60_000);
});
