/** A sealed server, and servers of remote schemas whose schema changed after the build. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSchema, introspectionFromSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine, refusedArtifact, startArtifact } from "../support/artifact.ts";
import { startRemoteGraphql } from "../support/remote-graphql.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

const sdl = `
  enum Size { S M }
  input Filter { size: Size }
  type Hat { name: String! }
  type Query { hats(filter: Filter, first: Int): [Hat!] hat: Hat }`;

let folder: string;
let artifact: string;
const url = (port: number) => ({ HATS: `http://127.0.0.1:${port}/graphql`, KEY: "k" });

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "remote-drift-"));
  artifact = join(folder, "artifact");
  const definition = { url: "{{HATS}}", headers: [{ name: "x-key", value_from_env: "KEY" }] };
  const metadata = { version: 3, sources: [], remote_schemas: [{ name: "hats", definition }] };
  await writeFile(join(folder, "metadata.json"), JSON.stringify(metadata));
  const { __schema } = introspectionFromSchema(buildSchema(sdl));
  await writeFile(join(folder, "remote-schemas.json"), JSON.stringify({ hats: __schema }));
  Object.assign(process.env, url(1));
  const built = await engine(["build", "--metadata", "metadata.json", "--out", artifact], folder);
  expect(built).toMatchObject({ code: 0, stderr: "" });
}, 120_000);

afterAll(async () => {
  delete process.env.HATS;
  delete process.env.KEY;
  await rm(folder, { recursive: true, force: true });
});

/** Returns the log lines of a start with a remote server that has this schema. */
async function logged(offered: string, ...args: readonly string[]): Promise<readonly string[]> {
  const remote = await startRemoteGraphql(offered);
  try {
    const server = await startArtifact(artifact, { environment: url(remote.port), args });
    await server.stop();
    expect(remote.headers[0]).toMatchObject({ "x-key": "k" });
    return server.log.filter((line) => line.includes('"drift"'));
  } finally {
    await remote.close();
  }
}

describe("Drift of remote schemas", () => {
  it("An unchanged remote schema is served without a warning, and an addition causes one", async () => {
    expect(await logged(sdl)).toEqual([]);
    const more = sdl.replace("hat: Hat", "hat(big: Boolean): Hat cap: String").replace("S M", "S M L");
    const added = ["Query.cap was added (String)", "Query.hat(big) was added (Boolean)", "Size.L was added (value)"];
    expect(await logged(more)).toEqual(added.map((text) => expect.stringContaining(text)));
  });

  it.each([
    ["a field is gone", ["hat: Hat", ""], "Query.hat is missing (was: Hat)"],
    ["a field has another type", ["name: String!", "name: String"], "Hat.name is String, was String!"],
    ["an argument is gone", [", first: Int", ""], "Query.hats(first) is missing (was: Int)"],
    ["an argument is required", ["hat: Hat", "hat(id: ID!): Hat"], "Query.hat(id) was added (ID! (required))"],
    ["a value is gone", ["S M", "S"], "Size.M is missing (was: value)"],
    [
      "a field of an input object is required",
      ["size: Size", "size: Size of: Int!"],
      "Filter.of was added (Int! (required))",
    ],
  ])("An artifact is refused if %s", async (_, [from = "", to = ""], difference) => {
    const remote = await startRemoteGraphql(sdl.replace(from, to));
    const { code, stderr } = await refusedArtifact(artifact, { environment: url(remote.port) });
    await remote.close();
    expect(code).toBe(1);
    expect(stderr).toContain("the schema of remote schema hats differs from the artifact's");
    expect(stderr).toContain(difference);
    expect(await logged(sdl.replace(from, to), "--drift=warn")).toContainEqual(expect.stringContaining(difference));
  });

  it("An unreachable remote server causes a warning", async () => {
    const remote = await startRemoteGraphql(sdl);
    await remote.close();
    const server = await startArtifact(artifact, { environment: url(remote.port) });
    await server.stop();
    expect(server.log.filter((line) => line.includes('"drift"'))).toEqual([
      expect.stringMatching(/its schema was not compared: .*ECONNREFUSED/),
    ]);
  });

  it("A missing description of a remote schema is reported at build time", async () => {
    await rm(join(folder, "remote-schemas.json"));
    for (const command of ["build", "compile"]) {
      const { code, stderr } = await engine(
        [command, "--metadata", "metadata.json", "--out", `${command}-out`],
        folder,
      );
      expect(code).toBe(0);
      expect(stderr).toMatch(/warning: fields of remote schemas hats are left out: create .*remote-schemas\.json with/);
    }
    expect(await readdir(join(folder, "build-out"))).toContain("server.mjs");
  });
});
