/** `engine metadata` on files alone. No server is running, so that any request would fail. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { storeMetadata } from "../../../../compiler/catalog/canonical.ts";
import { buildCommand } from "../../../../runtime/cli/commands/build.ts";
import { compileCommand } from "../../../../runtime/cli/commands/compile.ts";
import { diffCommand as compareCommand } from "../../../../runtime/cli/commands/diff.ts";
import {
  applyCommand,
  convertCommand,
  diffCommand,
  inconsistencyStatusCommand,
  listInconsistenciesCommand,
} from "../../../../runtime/cli/commands/metadata.ts";
import { readCatalog } from "../../../../runtime/cli/compile/read-catalog.ts";
import { packageFolder } from "../../../../runtime/config/package-folder.ts";
import { filesBelow } from "../../metadata-directory/temporary-directory.ts";
import { printed, project } from "../project-folder.ts";

const library = new URL("fixtures/library/", packageFolder()).pathname;

beforeEach(() => {
  for (const name of ["ENDPOINT", "ADMIN_SECRET", "METADATA_DIRECTORY"])
    vi.stubEnv(`ENGINE_GRAPHQL_${name}`, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A query collection with a query for an unknown field. */
const faulty = `query_collections:
  - name: desk
    definition: { queries: [{ name: titles, query: "query { author { titel } }" }] }
`;

const source = (columns: string, password = "hush") => `version: 3
sources:
  - name: default
    kind: postgres
    configuration: { connection_info: { database_url: "postgres://me:${password}@host/db" } }
    tables:
      - table: { schema: public, name: author }
        select_permissions:
          - { role: reader, permission: { columns: ${columns}, filter: {} } }
`;

const withoutSecret = (columns: string) =>
  source(columns).replace('"postgres://me:hush@host/db"', "{ from_env: DATABASE }");

async function document(path: string): Promise<unknown> {
  const files = await readCatalog(path);
  return "catalog" in files ? storeMetadata(files.catalog) : files.diagnostic;
}

describe("The metadata convert command", () => {
  it("metadata convert turns a directory into a file and back without loss", async () => {
    const folder = await project();
    const original = join(library, "metadata");
    for (const file of ["one.json", "one.yaml", "one.yml"]) {
      const path = join(folder, file);
      const stderr = `wrote the metadata of ${original} to ${file}\n`;
      expect(await printed(folder, () => convertCommand(original, path))).toEqual({ code: 0, stdout: "", stderr });
      expect(await document(path)).toEqual(await document(original));
      expect(await printed(folder, () => convertCommand(path, join(folder, "back")))).toMatchObject({ code: 0 });
      expect(await document(join(folder, "back"))).toEqual(await document(original));
    }
    expect(JSON.parse(await readFile(join(folder, "one.json"), "utf8"))).toEqual(await document(original));
    expect(await filesBelow(folder)).toContain("back/databases/default/tables/public_author.yaml");
    expect((await filesBelow(folder)).filter((file) => !file.startsWith("back/"))).toEqual([
      "one.json",
      "one.yaml",
      "one.yml",
    ]);
  });

  it("metadata convert keeps cron triggers excluded from exports and all digits of long numbers", async () => {
    const trigger = `cron_triggers:
  - { name: nightly, webhook: "http://x", schedule: "0 0 * * *", include_in_metadata: false, payload: { big: 12345678901234567890 } }
`;
    const folder = await project({ "metadata.yaml": `version: 3\nsources: []\n${trigger}` });
    await printed(folder, () => convertCommand(join(folder, "metadata.yaml"), join(folder, "out.json")));
    const text = await readFile(join(folder, "out.json"), "utf8");
    expect(text).toContain('"include_in_metadata": false');
    expect(text).toContain('"big": 12345678901234567890');
  });

  it("metadata convert reports the location of an error and then writes no files", async () => {
    const folder = await project({ "metadata.yaml": source("3") });
    const out = await printed(folder, () => convertCommand(join(folder, "metadata.yaml"), join(folder, "out")));
    expect(out.code).toBe(1);
    expect(out.stderr).toMatch(
      /^metadata\.yaml:9:\d+: parse-failed: .* \(\$\.sources\[0\]\.tables\[0\]\.select_permissions\[0\]\.permission\.columns\)\n$/,
    );
    expect(await filesBelow(folder)).toEqual(["metadata.yaml"]);
  });

  it("metadata convert names a path that it cannot write", async () => {
    const folder = await project({ "metadata.yaml": source("[id]"), file: "" });
    const to = join(folder, "file", "out.json");
    await expect(convertCommand(join(folder, "metadata.yaml"), to)).rejects.toThrow(`cannot write ${to}: ENOTDIR`);
  });
});

describe("The metadata convert command on standard output", () => {
  it("metadata convert prints one file to standard output", async () => {
    const folder = await project({ "metadata.yaml": source("[id]") });
    const from = join(folder, "metadata.yaml");
    for (const to of ["/dev/stdout", "-"]) {
      const yaml = await printed(folder, () => convertCommand(from, to));
      expect([yaml.code, yaml.stdout.startsWith("version: 3\nsources:\n"), yaml.stderr]).toEqual([0, true, ""]);
      const json = await printed(folder, () => convertCommand(from, to, { output: "json" }));
      expect(JSON.parse(json.stdout)).toEqual(await document(from));
    }
    expect(await filesBelow(folder)).toEqual(["metadata.yaml"]);
  });

  it("metadata convert writes into a named pipe", async () => {
    const folder = await project({ "metadata.yaml": source("[id]") });
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const read = readFile(pipe, "utf8");
    await printed(folder, () => convertCommand(join(folder, "metadata.yaml"), pipe, { output: "json" }));
    expect(JSON.parse(await read)).toEqual(await document(join(folder, "metadata.yaml")));
  });
});

/** An action and telemetry whose addresses are only in the server's environment. */
const serverVariables = `actions:
  - name: greet
    definition:
      kind: synchronous
      handler: "{{GREETER_URL}}/greet"
      output_type: Greeting
      headers: [{ name: key, value_from_env: GREETER_KEY }]
custom_types: { objects: [{ name: Greeting, fields: [{ name: text, type: String }] }] }
opentelemetry: { status: "{{TELEMETRY}}" }
remote_schemas:
  - { name: shop, definition: { url: "http://localhost:{{SHOP_PORT}}/graphql" } }
`;

describe("Commands without the server's environment", () => {
  const shape = join(library, "shape.json");

  it("compile and build work without the server's environment, and build lists the variables that the artifact needs", async () => {
    const folder = await project({ "metadata.yaml": `${withoutSecret("[id]")}${serverVariables}` });
    const [metadata, out] = [join(folder, "metadata.yaml"), join(folder, "out")];
    expect(await printed(folder, () => compileCommand({ metadata, shape, out }))).toMatchObject({ code: 0 });
    const artifact = join(folder, "artifact");
    const built = await printed(folder, () => buildCommand({ metadata, shape, out: artifact }));
    expect(built.stdout).toContain(
      "environment variables required by the artifact and not set here: GREETER_KEY, GREETER_URL, SHOP_PORT, TELEMETRY\n",
    );
    const variables = { GREETER_KEY: "k", GREETER_URL: "http://greeter", SHOP_PORT: "80", TELEMETRY: "disabled" };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect((await printed(folder, () => buildCommand({ metadata, shape, out: artifact }))).stdout).not.toContain(
      "environment variables",
    );
  });

  it("compile and build check environment values that are present", async () => {
    const folder = await project({ "metadata.yaml": `${source("[id]")}${serverVariables}` });
    vi.stubEnv("SHOP_PORT", "none");
    vi.stubEnv("TELEMETRY", "sometimes");
    const input = { metadata: join(folder, "metadata.yaml"), shape, out: join(folder, "out") };
    const { code, stderr } = await printed(folder, () => compileCommand(input));
    expect(code).toBe(1);
    expect(stderr).toContain("not a valid URI generated from the template: http://localhost:{{SHOP_PORT}}/graphql");
    expect(stderr).toContain('OpenTelemetry status must be either "enabled" or "disabled", got sometimes');
  });
});

describe("Inconsistent metadata in compile and build", () => {
  it("compile and build omit and list inconsistent objects if the option allows it", async () => {
    const folder = await project({ "metadata.yaml": `${withoutSecret("[id, nam]")}${faulty}` });
    const input = { metadata: join(folder, "metadata.yaml"), shape: join(library, "shape.json") };
    const refused = await printed(folder, () => compileCommand({ ...input, out: join(folder, "none") }));
    expect([refused.code, await filesBelow(folder)]).toEqual([1, ["metadata.yaml"]]);
    const lines = refused.stderr.split("\n").filter((line) => line.startsWith("metadata.yaml:"));
    expect(lines).toHaveLength(2);
    const listed = lines.map((line) => `left out: ${line}\n`).join("");
    const out = join(folder, "out");
    const allowed = { ...input, out, allowInconsistent: true };
    expect(await printed(folder, () => compileCommand(allowed))).toMatchObject({ code: 0, stderr: listed });
    expect((await filesBelow(folder)).filter((file) => file.includes("roles/reader"))).toEqual([]);
    const built = await printed(folder, () => buildCommand({ ...allowed, out: join(folder, "artifact") }));
    expect(built).toMatchObject({ code: 0, stderr: listed });
  });
});

describe("The metadata diff command with two paths", () => {
  it("metadata diff shows the changes of the second path without passwords", async () => {
    const folder = await project({ "a.yaml": source("[id]"), "b.yaml": source("[id, name]", "changed") });
    const paths = [join(folder, "a.yaml"), join(folder, "b.yaml")];
    const { code, stdout } = await printed(folder, () => diffCommand(paths, { type: "unified-yaml" }));
    expect(code).toBe(0);
    expect(stdout).toContain("--- a.yaml/databases/default.yaml\n+++ b.yaml/databases/default.yaml\n");
    expect(stdout).toContain("-    database_url: postgres://me:<redacted 1>@host/db\n");
    expect(stdout).toContain("+    database_url: postgres://me:<redacted 2>@host/db\n");
    expect(stdout).toContain("+        - name\n");
    const list = await printed(folder, () => diffCommand(paths, { type: "yaml", exitCode: true }));
    expect(list.code).toBe(1);
    expect(list.stdout).toContain("- path: $.sources.default.configuration.connection_info.database_url\n");
    expect(stdout + list.stdout).not.toMatch(/hush|changed/);
  });

  it("metadata diff prints no output if a directory and a file have equal metadata", async () => {
    const folder = await project();
    const metadata = join(library, "metadata");
    await convertCommand(metadata, join(folder, "same.json"));
    for (const type of ["unified-yaml", "unified-json"] as const) {
      const diff = () => diffCommand([metadata, join(folder, "same.json")], { type, exitCode: true });
      expect(await printed(folder, diff)).toEqual({ code: 0, stdout: "", stderr: "" });
    }
  });

  it("metadata diff uses colours on a terminal unless they are disabled", async () => {
    const folder = await project({ "a.yaml": source("[id]"), "b.yaml": source("[id, name]") });
    const paths = [join(folder, "a.yaml"), join(folder, "b.yaml")];
    const isTTY = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
    Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
    try {
      const shown = async (color: boolean) =>
        (await printed(folder, () => diffCommand(paths, { type: "unified-yaml", color }))).stdout;
      vi.stubEnv("NO_COLOR", undefined);
      expect(await shown(true)).toContain("\u001b[32m+        - name\u001b[39m\n");
      expect(await shown(false)).not.toContain("\u001b");
      vi.stubEnv("NO_COLOR", "1");
      expect(await shown(true)).not.toContain("\u001b");
    } finally {
      if (isTTY === undefined) Reflect.deleteProperty(process.stdout, "isTTY");
      else Object.defineProperty(process.stdout, "isTTY", isTTY);
    }
  });

  it("metadata diff names a missing path", async () => {
    const folder = await project({ "a.yaml": source("[id]") });
    const missing = join(folder, "missing");
    await expect(diffCommand([join(folder, "a.yaml"), missing], { type: "json" })).rejects.toThrow(
      `no such file or directory: ${missing}, expected metadata`,
    );
  });
});

describe("The metadata inconsistency command on files", () => {
  const shape = join(library, "shape.json");

  it("Inconsistencies of files are listed with a saved shape and with their locations", async () => {
    const folder = await project({ "metadata.yaml": source("[id, nam]") });
    const options = { project: folder, metadata: join(folder, "metadata.yaml"), shape };
    const list = await printed(folder, () => listInconsistenciesCommand(options));
    expect(list).toEqual({
      code: 0,
      stderr: "",
      stdout:
        'metadata.yaml:9:13: inconsistent select_permission reader in table author in source default: Inconsistent object: in table "author": in permission for role "reader": "nam" does not exist ($.sources[0].tables[0].select_permissions[0]) – did you mean "name"?\n',
    });
    const json = await printed(folder, () => listInconsistenciesCommand({ ...options, output: "json" }));
    expect(JSON.parse(json.stdout)).toMatchObject([{ type: "select_permission" }]);
    const status = await printed(folder, () => inconsistencyStatusCommand(options));
    expect(status).toEqual({ code: 1, stderr: "", stdout: "metadata is inconsistent: 1 object\n" });
  });

  it("Inconsistencies of the project are listed with the shape beside its metadata", async () => {
    const folder = await project({ "metadata/version.yaml": "version: 3\n", "config.yaml": "version: 3\n" });
    await convertCommand(join(library, "metadata"), join(folder, "metadata"));
    await writeFile(join(folder, "shape.json"), await readFile(shape));
    const metadata = join(folder, "metadata");
    for (const options of [{ metadata }, { shape: join(folder, "shape.json") }]) {
      const status = () => inconsistencyStatusCommand({ project: folder, ...options });
      expect(await printed(folder, status)).toEqual({ code: 0, stderr: "", stdout: "metadata is consistent\n" });
    }
  });

  it("Inconsistencies of files include saved operations that do not fit the schema", async () => {
    const folder = await project({ "metadata.yaml": `${source("[id]")}${faulty}` });
    const metadata = join(folder, "metadata.yaml");
    const listed = await printed(folder, () => listInconsistenciesCommand({ project: folder, metadata, shape }));
    expect(listed.stdout).toMatch(/^metadata\.yaml:11:\d+: inconsistent .*field 'titel' not found in .*\n$/);
    const out = join(folder, "out");
    const problem = `${listed.stdout}1 problem, nothing was written\n`;
    const written = await printed(folder, () => compileCommand({ metadata, shape, out }));
    expect(written).toEqual({ code: 1, stdout: "", stderr: problem });
    const built = await printed(folder, () => buildCommand({ metadata, shape, out }));
    expect(built).toEqual({ code: 1, stdout: "", stderr: problem });
    const compared = await printed(folder, () => compareCommand(metadata, metadata, { shape, format: "json" }));
    expect(compared).toEqual({ code: 2, stdout: "", stderr: `${listed.stdout}${listed.stdout}` });
    const status = await printed(folder, () => inconsistencyStatusCommand({ project: folder, metadata, shape }));
    expect(status).toEqual({ code: 1, stderr: "", stdout: "metadata is inconsistent: 1 object\n" });
  });

  it("Inconsistencies of files require a shape for each source", async () => {
    const folder = await project({ "metadata.yaml": source("[id]"), "none.json": "{}" });
    const metadata = join(folder, "metadata.yaml");
    const advice = "pass --shape, or save it with `engine shape` as shape.json";
    expect(await printed(folder, () => listInconsistenciesCommand({ project: folder, metadata }))).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: the shape of the databases is unknown: ${advice}\n`,
    });
    const none = join(folder, "none.json");
    const { stdout } = await printed(folder, () =>
      listInconsistenciesCommand({ project: folder, metadata, shape: none }),
    );
    expect(stdout).toContain("inconsistent source default");
  });
});

describe("The metadata apply command with --dry-run", () => {
  it("A dry run prints the metadata that would be sent", async () => {
    const folder = await project({ "metadata/version.yaml": "version: 3\n", "metadata/network.yaml": "{}" });
    await convertCommand(join(library, "metadata"), join(folder, "metadata"));
    const run = await printed(folder, () => applyCommand({ project: folder, dryRun: true }));
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toEqual(await document(join(library, "metadata")));
    const yaml = await printed(folder, () => applyCommand({ project: folder, dryRun: true, output: "yaml" }));
    expect(yaml.stdout).toMatch(/^version: 3\nsources:\n/);
  });

  it("A dry run reports the location of an error", async () => {
    const folder = await project({
      "metadata/version.yaml": "version: 3\n",
      "metadata/api_limits.yaml": "disabled: 5\n",
    });
    const run = await printed(folder, () => applyCommand({ project: folder, dryRun: true }));
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^metadata\/.+\.yaml:1:\d+: parse-failed: .*\n$/);
  });

  it("A dry run fails without metadata", async () => {
    const folder = await project();
    await expect(applyCommand({ project: folder, dryRun: true })).rejects.toThrow(
      `no such file or directory: ${join(folder, "metadata")}, expected metadata`,
    );
  });
});
