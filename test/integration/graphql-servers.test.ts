/**
 * The servers and tools of `docs/how-to/graphql-schema.md`: each runs as a program with the package and `graphql` installed.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { query as runSql } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const library = join(root, "fixtures/library");
const peers = join(root, "test/peers/node_modules");
/** True if the packages are missing outside CI, where `.ci/run` installs them. */
const isLeftOut = !existsSync(peers) && process.env.CI === undefined;
const hint = isLeftOut ? " (left out: run npm ci --prefix test/peers)" : "";

const key = "a key of thirty-two characters: 1";
const [ines, tomás] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

let metadata: TestServer;
let folder: string;
let page: string;
let environment: NodeJS.ProcessEnv;

/** Runs a program of the page as a file, and returns its output. */
async function program(name: string): Promise<readonly [file: string, output: string | undefined]> {
  const marker = `<!-- example: ${name} -->`;
  const [, after] = page.split(marker);
  const [, code, output] = /^\n```js\n(.*?)```\n(?:\n```json\n(.*?)```)?/s.exec(after ?? "") ?? [];
  if (code === undefined) throw new Error(`the page has no ${name}`);
  const file = join(folder, name);
  await writeFile(file, code);
  return [file, output];
}

function bearer(role: string, user: string): Readonly<Record<string, string>> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { "x-engine-default-role": role, "x-engine-allowed-roles": [role], "x-engine-user-id": user };
  const signed = `${encode({ alg: "HS256" })}.${encode({ "https://engine.io/jwt/claims": claims })}`;
  return { authorization: `Bearer ${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}` };
}

beforeAll(async () => {
  if (isLeftOut) return;
  await ensureBuilt();
  page = await readFile(join(root, "docs/how-to/graphql-schema.md"), "utf8");
  folder = await mkdtemp(join(tmpdir(), "graphql-servers-"));
  await mkdir(join(folder, "node_modules"));
  for (const name of ["@apollo", "@graphql-tools", "graphql-yoga"]) {
    await symlink(join(peers, name), join(folder, "node_modules", name));
  }
  await symlink(join(root, "node_modules/graphql"), join(folder, "node_modules/graphql"));
  await symlink(root, join(folder, "node_modules/engine"));
  metadata = await startTestServer({ sealed: false });
  await runSql(metadata.databaseUrl, await readFile(join(library, "postgres/schema.sql"), "utf8"));
  await runSql(metadata.databaseUrl, await readFile(join(library, "postgres/seed.sql"), "utf8"));
  await metadata.metadata("replace_metadata", (await readMetadataDirectory(join(library, "metadata"))).metadata);
  environment = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    PORT: "0",
    ENGINE_GRAPHQL_DATABASE_URL: metadata.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.metadataUrl,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
    ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ type: "HS256", key }),
    ENGINE_GRAPHQL_LOG_LEVEL: "error",
  };
}, 120_000);

afterAll(async () => {
  if (isLeftOut) return;
  await metadata?.close();
  await rm(folder, { recursive: true, force: true });
});

interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const servers = [
  { name: "GraphQL Yoga", file: "yoga.mjs" },
  { name: "Apollo Server", file: "apollo.mjs" },
];

describe.skipIf(isLeftOut).each(servers)(`The GraphQL server $name${hint}`, ({ file }) => {
  let child: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const [path] = await program(file);
    child = spawn(process.execPath, [path], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
    if (!child.stdout) throw new Error("the output is piped");
    const gone = once(child, "exit").then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)));
    const [line] = await Promise.race([once(createInterface(child.stdout), "line"), gone]);
    gone.catch(() => undefined);
    url = String(line);
  }, 60_000);

  afterAll(async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, "exit");
  });

  async function ask({ query, variables = {}, headers = bearer("member", ines) }: GraphqlRequest) {
    const all = { "content-type": "application/json", ...headers };
    const response = await fetch(url, { method: "POST", headers: all, body: JSON.stringify({ query, variables }) });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    const body: any = await response.json();
    return { status: response.status, body };
  }

  it("The server runs a query with variables, aliases and related rows", async () => {
    const query = `query ($genre: [String!]!, $limit: Int = 5) {
      found: book(where: {genres: {_contains: $genre}}, order_by: {id: asc}, limit: $limit) { called: title author { name } }
    }`;
    expect(await ask({ query, variables: { genre: ["adventure"], limit: 1 } })).toEqual({
      status: 200,
      body: { data: { found: [{ called: "Around the World in Eighty Days", author: { name: "Jules Verne" } }] } },
    });
  });

  it("The server runs each request under its own session", async () => {
    const query = "{ member { name loans(order_by: {id: asc}) { due_on } } }";
    const names = async (user: string) => (await ask({ query, headers: bearer("member", user) })).body;
    const [own, other] = await Promise.all([names(ines), names(tomás)]);
    expect(own).toEqual({
      data: { member: [{ name: "Ines", loans: [{ due_on: "2024-01-30" }, { due_on: "2024-02-29" }] }] },
    });
    expect(other).toEqual({ data: { member: [{ name: "Tomás", loans: [{ due_on: "2024-03-09" }] }] } });
  });

  it("The server runs mutations and returns the engine's errors beside successful fields", async () => {
    const query = `mutation ($id: bigint!, $due: date!) {
      own: update_loan_by_pk(pk_columns: {id: $id}, _set: {due_on: $due}) { due_on }
      of_another: update_loan_by_pk(pk_columns: {id: 3}, _set: {due_on: $due}) { due_on }
      again: update_loan_by_pk(pk_columns: {id: $id}, _set: {due_on: "2024-03-02"}) { due_on }
    }`;
    const again = { due_on: "2024-03-02" };
    expect((await ask({ query, variables: { id: 2, due: "2024-03-01" } })).body).toEqual({
      data: { own: { due_on: "2024-03-01" }, of_another: null, again },
    });
    const { status, body } = await ask({ query, variables: { id: 2, due: "never" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: { own: null, of_another: null, again },
      errors: [
        { path: ["own"], extensions: { code: "data-exception" } },
        { path: ["of_another"], extensions: { code: "data-exception" } },
      ],
    });
    await runSql(metadata.databaseUrl, "update loan set due_on = '2024-02-29' where id = 2");
  });

  it("The server refuses fields that the role does not have", async () => {
    const { body } = await ask({ query: "{ member { fines_due } }" });
    expect(body.errors).toMatchObject([{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }]);
    expect(body.data).toBeUndefined();
  });

  it("The server refuses requests that fail authentication", async () => {
    const query = "{ member { name } }";
    const unknown = await ask({ query, headers: {} });
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ extensions: { code: "invalid-headers" } }] } });
    expect(unknown.body.errors[0].extensions).not.toHaveProperty("http");
    const [, signature] = (bearer("member", ines).authorization ?? "").split(/\.(?=[^.]*$)/);
    const forged = `${(bearer("admin", ines).authorization ?? "").replace(/[^.]*$/, "")}${signature}`;
    const answer = await ask({ query, headers: { authorization: forged } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ extensions: { code: "invalid-jwt" } }] } });
  });

  it("The server refuses a role without a schema", async () => {
    const { body } = await ask({ query: "{ member { name } }", headers: { "x-engine-admin-secret": "secret" } });
    expect(body.errors).toMatchObject([
      { message: expect.stringMatching(/^role admin has no schema|the session has another role$/) },
    ]);
    expect(body.data ?? null).toBeNull();
  });

  it.skipIf(file === "apollo.mjs")("The server streams the results of subscriptions", async () => {
    const headers = { accept: "text/event-stream", "content-type": "application/json", ...bearer("member", ines) };
    const query = "subscription { loan_by_pk(id: 1) { renewals } }";
    const leaving = new AbortController();
    const { body } = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify({ query }),
      signal: leaving.signal,
    });
    let text = "";
    const seen = async (renewals: number) => {
      const result = `data: ${JSON.stringify({ data: { loan_by_pk: { renewals } } })}`;
      while (!text.includes(result)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`the stream ended after ${text}`);
        text += value;
      }
    };
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    await seen(0);
    await runSql(metadata.databaseUrl, "update loan set renewals = 7 where id = 1");
    await seen(7);
    leaving.abort();
  });
});

describe.skipIf(isLeftOut)(`GraphQL Tools${hint}`, () => {
  it("GraphQL Tools stitch and mock the schema", async () => {
    const [file, output] = await program("tools.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: environment });
    expect(stdout).toBe(output);
  });
});
