/** Text from outside stays data: it becomes no option of a program, and no statement beside the one it belongs to. */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
}, 60_000);

afterAll(() => server.close());

describe("options of pg_dump", () => {
  const path = process.env.PATH;
  let folder: string;

  /** A program in place of `pg_dump` that answers its arguments, one a line. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-dump-"));
    await writeFile(join(folder, "pg_dump"), `#!/bin/sh\nprintf '%s\\n' "$@"\n`);
    await chmod(join(folder, "pg_dump"), 0o755);
    process.env.PATH = `${folder}:${path}`;
  });

  afterAll(async () => {
    process.env.PATH = path;
    await rm(folder, { recursive: true, force: true });
  });

  const dump = async (opts: readonly string[]) => {
    const body = JSON.stringify({ opts });
    const response = await fetch(`${server.url}/v1alpha1/pg_dump`, { method: "POST", body });
    return { status: response.status, text: await response.text() };
  };

  it.each([
    [["--dbname=host=203.0.113.9"]],
    [["-dhost=203.0.113.9"]],
    [["-d", "host=203.0.113.9"]],
    [["--dbn", "host=203.0.113.9"]],
    [["host=203.0.113.9"]],
    [["-s", "postgres://203.0.113.9/x"]],
    [["--", "postgres://203.0.113.9/x"]],
    [["--host=203.0.113.9"]],
    [["-h203.0.113.9"]],
    [["-sh203.0.113.9"]],
    [["-p", "1"]],
    [["-Usomebody"]],
    [["--file=/tmp/written"]],
    [["--fil=/tmp/written"]],
    [["-f/tmp/written"]],
    [["-xOf", "/tmp/written"]],
    [["-Fd"]],
    [["--format=directory"]],
    [["--filter=/etc/passwd"]],
    [["-j2"]],
  ])("cannot reach another host or a file: %j", async (opts) => {
    const { status, text } = await dump(opts);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ code: "bad-request", path: expect.stringMatching(/^\$\.opts\[\d\]$/) }),
    ]);
    expect(text).not.toContain("203.0.113.9");
  });

  it("are passed on in a form that can be read in one way only", async () => {
    const { status, text } = await dump(["-xO", "-n", "--file=/tmp/written"]);
    expect(status).toBe(200);
    expect(text.trimEnd().split("\n").slice(-3)).toEqual([
      "--no-privileges",
      "--no-owner",
      "--schema=--file=/tmp/written",
    ]);
  });
});

describe("dynamic_from_file", () => {
  let folder: string;
  let guarded: TestServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-secrets-"));
    for (const name of ["secrets", "secrets-evil"]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, "db"), "postgres://me:s3cret@127.0.0.1:1/db");
    }
    await symlink("../secrets-evil/db", join(folder, "secrets/link"));
    const environment = { ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX: join(folder, "secrets") };
    guarded = await startTestServer({ sealed: false, environment });
  }, 60_000);

  afterAll(async () => {
    await guarded.close();
    await rm(folder, { recursive: true, force: true });
  });

  const added = async (path: string): Promise<string> => {
    const configuration = { connection_info: { database_url: { dynamic_from_file: join(folder, path) } } };
    const body = JSON.stringify({ type: "pg_add_source", args: { name: "other", configuration } });
    return (await fetch(`${guarded.url}/v1/metadata`, { method: "POST", body })).text();
  };

  it("cannot name a file beside the allowed prefix", async () => {
    for (const path of ["secrets-evil/db", "secrets/../secrets-evil/db", "secrets/link"]) {
      const answer = await added(path);
      expect(answer, path).toContain("allowed prefix");
      expect(answer, path).not.toContain("connection error");
    }
    expect(await added("secrets/db")).not.toContain("allowed prefix");
  });
});
