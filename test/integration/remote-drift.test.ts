/** A sealed server, and servers of remote schemas that do not offer what they did when it was built. */
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

/** What the start logs of a server that offers this. */
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

describe("the server of a remote schema", () => {
  it("is served without a word as it was, and with a warning for what was added", async () => {
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
  ])("is refused where %s", async (_, [from = "", to = ""], difference) => {
    const remote = await startRemoteGraphql(sdl.replace(from, to));
    const { code, stderr } = await refusedArtifact(artifact, { environment: url(remote.port) });
    await remote.close();
    expect(code).toBe(1);
    expect(stderr).toContain("the server of remote schema hats does not offer what the artifact was built for");
    expect(stderr).toContain(difference);
    expect(await logged(sdl.replace(from, to), "--drift=warn")).toContainEqual(expect.stringContaining(difference));
  });

  it("may be away, with a warning", async () => {
    const remote = await startRemoteGraphql(sdl);
    await remote.close();
    const server = await startArtifact(artifact, { environment: url(remote.port) });
    await server.stop();
    expect(server.log.filter((line) => line.includes('"drift"'))).toEqual([
      expect.stringMatching(/what its server offers was not compared: .*ECONNREFUSED/),
    ]);
  });

  it("is named where nothing is known of it when it is built", async () => {
    await rm(join(folder, "remote-schemas.json"));
    for (const command of ["build", "compile"]) {
      const { code, stderr } = await engine(
        [command, "--metadata", "metadata.json", "--out", `${command}-out`],
        folder,
      );
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /warning: no role has the fields of remote schemas hats: .*remote-schemas\.json is missing/,
      );
    }
    expect(await readdir(join(folder, "build-out"))).toContain("server.mjs");
  });
});
