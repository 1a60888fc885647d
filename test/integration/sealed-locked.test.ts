/**
 * A sealed artifact in a locked-down environment: read-only files, a user without privileges, no code from strings, and
 * Node's permission model with read access to the artifact's own folder. `docs/how-to/sealed.md` documents the command.
 */
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type ArtifactProcess,
  type ArtifactSettings,
  engine,
  refusedArtifact,
  startArtifact,
} from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";

const library = join(root, "fixtures/library");
const secret = { "x-engine-admin-secret": "secret" };
/** The user `nobody`, where the tests may start processes of other users. */
const unprivilegedUser = process.getuid?.() === 0 ? 65_534 : undefined;

let folder: string;
let artifact: string;
let database: TestDatabase;
let server: ArtifactProcess | undefined;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "sealed-locked-"));
  await chmod(folder, 0o755);
  artifact = join(folder, "artifact");
  const built = await engine(["build", "--metadata", join(library, "metadata"), "--out", artifact], folder);
  expect(built).toMatchObject({ code: 0, stderr: "" });
  for (const name of await readdir(artifact)) await chmod(join(artifact, name), 0o444);
  await chmod(artifact, 0o555);
  database = await createDatabase("sealed_locked");
  for (const file of ["schema.sql", "seed.sql"]) {
    await query(database.url, await readFile(join(library, "postgres", file), "utf8"));
  }
}, 120_000);

afterEach(() => server?.stop());

afterAll(async () => {
  await database.drop();
  await chmod(artifact, 0o755);
  await rm(folder, { recursive: true, force: true });
});

function locked(environment: Readonly<Record<string, string>> = {}): ArtifactSettings {
  return {
    environment: { ENGINE_GRAPHQL_DATABASE_URL: database.url, ENGINE_GRAPHQL_ADMIN_SECRET: "secret", ...environment },
    flags: ["--experimental-permission", `--allow-fs-read=${artifact}/*`],
    ...(unprivilegedUser !== undefined && { user: unprivilegedUser }),
  };
}

async function ask(headers: Record<string, string>, text = "{ branch(order_by: {id: asc}, limit: 1) { id } }") {
  const response = await fetch(`${server?.url}/v1/graphql`, {
    method: "POST",
    headers,
    body: JSON.stringify({ query: text }),
  });
  return response.json();
}

const answered = { data: { branch: [{ id: expect.anything() }] } };

describe("Sealed servers under Node's permission model", () => {
  it("A locked artifact serves queries, mutations, introspection, REST and subscriptions without writing files", async () => {
    const built = await readdir(artifact);
    server = await startArtifact(artifact, locked());
    expect(await ask(secret)).toEqual(answered);
    expect(await ask(secret, "mutation { delete_loan(where: {id: {_eq: -1}}) { affected_rows } }")).toEqual({
      data: { delete_loan: { affected_rows: 0 } },
    });
    expect(await ask(secret, '{ __type(name: "book") { name } }')).toEqual({ data: { __type: { name: "book" } } });
    expect((await fetch(`${server.url}/api/rest/books?title=x`, { headers: secret })).status).toBe(200);
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: secret } });
    client.send({ id: "1", type: "subscribe", payload: { query: "subscription { branch { id } }" } });
    let message = (await client.next()) as { readonly type: string };
    while (message.type !== "next") message = (await client.next()) as typeof message;
    client.ws.terminate();
    expect(await engine(["verify", artifact], folder)).toMatchObject({ code: 0 });
    expect(await readdir(artifact)).toEqual(built);
  });

  it.runIf(unprivilegedUser !== undefined)("A locked artifact runs as a user without privileges", async () => {
    server = await startArtifact(artifact, locked());
    const status = await readFile(`/proc/${server.pid}/status`, "utf8");
    expect(status).toContain(
      `Uid:\t${unprivilegedUser}\t${unprivilegedUser}\t${unprivilegedUser}\t${unprivilegedUser}`,
    );
    expect(status).toContain(`CapEff:\t0000000000000000`);
  });

  it("A locked artifact cannot start without read permission for its folder", async () => {
    const otherFolder = ["--experimental-permission", `--allow-fs-read=${folder}/elsewhere/*`];
    const refused = await refusedArtifact(artifact, { ...locked(), flags: otherFolder });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("ERR_ACCESS_DENIED");
  });

  it("A locked artifact verifies tokens", async () => {
    const key = "a key of thirty-two letters, or more";
    const jwt = { type: "HS256", key, claims_namespace: "claims" };
    server = await startArtifact(artifact, locked({ ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify(jwt) }));
    const claims = { "x-engine-default-role": "admin", "x-engine-allowed-roles": ["admin"] };
    const token = await new SignJWT({ claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(key));
    expect(await ask({ authorization: `Bearer ${token}` })).toEqual(answered);
    expect(await ask({ authorization: `Bearer ${token}x` })).toHaveProperty("errors");
  });

  it("A locked artifact calls an authentication webhook", async () => {
    const hook: Server = createServer((_, reply) => reply.end(JSON.stringify({ "x-engine-role": "admin" })));
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
      server = await startArtifact(artifact, locked({ ENGINE_GRAPHQL_AUTH_HOOK: url }));
      expect(await ask({})).toEqual(answered);
    } finally {
      hook.closeAllConnections();
      hook.close();
    }
  });

  it("A locked artifact has no administration and no console", async () => {
    server = await startArtifact(artifact, locked({ ENGINE_GRAPHQL_ENABLE_CONSOLE: "true" }));
    const { url } = server;
    const status = async (method: string, path: string): Promise<number> => {
      const body = method === "POST" ? { body: "{}" } : {};
      return (await fetch(`${url}${path}`, { method, headers: secret, redirect: "manual", ...body })).status;
    };
    const written = [
      "/v1/metadata",
      "/v1/query",
      "/v2/query",
      "/v1/graphql/explain",
      "/v1alpha1/pg_dump",
      "/v1/relay/explain",
    ];
    for (const path of written) expect([path, await status("POST", path)]).toEqual([path, 404]);
    const read = [
      "/",
      "/console",
      "/console/data",
      "/v1alpha1/config",
      "/dev/subscriptions",
      "/dev/plan_cache",
      "/v1/metrics",
    ];
    for (const path of read) expect([path, await status("GET", path)]).toEqual([path, 404]);
  });
});
