/**
 * `engine advise` and the operation `advise`: findings of a fixture with one instance of each rule, no findings of the
 * sample library, exceptions, formats and exit codes.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rules } from "../../compiler/advice/advice.ts";
import { introspectUrl } from "../../runtime/cli/compile/introspect-url.ts";
import { writeShapeFile } from "../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { version } from "../../runtime/cli/version.ts";
import { engine } from "../support/artifact.ts";
import { createDatabase, query } from "../support/database.ts";
import { expectGolden } from "../support/golden.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

const repository = join(import.meta.dirname, "../..");
const golden = join(repository, "test/golden/advise");
const secret = { "x-engine-admin-secret": "s" };
/** The fixture has no finding of `not-colocated`, which needs a distributed database (`test/unit/advice/rules.test.ts`). */
const rulesInFixture = rules.filter(({ id }) => id !== "not-colocated");
let server: TestServer;
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "advise-"));
  server = await startTestServer({
    environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s", ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "visitor" },
    sealed: false,
  });
  await query(server.databaseUrl, await readFile(join(golden, "each/schema.sql"), "utf8"));
  await cp(join(golden, "each/metadata.yaml"), join(folder, "metadata.yaml"));
  await writeShapeFile(join(folder, "shape.json"), await introspectUrl(server.databaseUrl, "postgres"));
}, 120_000);

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const advise = (...args: readonly string[]) => engine(["advise", "metadata.yaml", ...args], folder);
const asVisitor = ["--unauthorized-role", "visitor"];
const except = (...exceptions: readonly object[]) =>
  writeFile(join(folder, "advice.yaml"), JSON.stringify({ exceptions }));

/** Members of a SARIF log that its schema requires. */
function checkSarif(text: string): void {
  const { $schema, version: format, runs } = JSON.parse(text);
  expect({ $schema, format }).toEqual({ $schema: expect.stringContaining("sarif-schema-2.1.0.json"), format: "2.1.0" });
  for (const { tool, results, columnKind } of runs) {
    expect(columnKind).toBe("utf16CodeUnits");
    const ids = tool.driver.rules.map(({ id }: { readonly id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { ruleId, ruleIndex, level, message, locations } of results) {
      expect(ids[ruleIndex]).toBe(ruleId);
      expect(["error", "warning", "note"]).toContain(level);
      expect(message.text).toEqual(expect.any(String));
      for (const {
        physicalLocation: { artifactLocation, region },
      } of locations) {
        expect(artifactLocation.uri).toMatch(/^(?:file:\/\/\/)?[\w%./-]+$/);
        expect([region.startLine > 0, region.startColumn > 0]).toEqual([true, true]);
      }
    }
  }
}

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly place: string;
}

describe("Advice", { timeout: 60_000 }, () => {
  it("The fixture has one finding of each rule for single servers in all formats, each at its line", async () => {
    const files = new Map<string, string>();
    for (const [format, file] of Object.entries({ text: "report.txt", json: "report.json", sarif: "report.sarif" })) {
      const { code, stdout, stderr } = await advise(...asVisitor, "--format", format);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      files.set(file, stdout.replaceAll(JSON.stringify(version), '"(version)"'));
    }
    const { findings } = JSON.parse(files.get("report.json") ?? "");
    expect(findings.map(({ rule }: Finding) => rule).sort()).toEqual(rulesInFixture.map(({ id }) => id).sort());
    checkSarif(files.get("report.sarif") ?? "");
    await expectGolden(join(golden, "each/expected"), files);
  });

  it("The operation returns the findings of the same metadata, and only to admins", async () => {
    const { metadata } = await readMetadataDirectory(join(folder, "metadata.yaml"));
    const replaced = await server.post("/v1/metadata", { type: "replace_metadata", args: metadata }, secret);
    expect(replaced.json).toMatchObject({ message: "success" });
    const { stdout } = await advise(...asVisitor, "--format", "json");
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly (Finding & { location: object })[] };
    const { json } = await server.post("/v1/metadata", { type: "advise", args: {} }, secret);
    expect(json).toMatchObject({ skipped: [], resource_version: expect.any(Number) });
    expect(json.findings).toEqual(findings.map(({ location, ...finding }) => finding));
    const refused = await server.post(
      "/v1/metadata",
      { type: "advise", args: {} },
      { ...secret, "x-engine-role": "user" },
    );
    expect(refused.status).toBe(400);
    const closed = (await server.post("/v1/metadata", { type: "advise", args: { authenticated_only: true } }, secret))
      .json;
    const rulesOf = ({ findings: list }: { readonly findings: readonly Finding[] }) => list.map(({ rule }) => rule);
    expect(rulesOf(closed)).not.toContain("unlimited-list");
    expect(closed.findings).toContainEqual(expect.objectContaining({ rule: "readable-secret", severity: "warning" }));
  });

  it("The command reviews a server with the exceptions of its project", async () => {
    await except({ rule: "missing-limits", place: "api_limits.visitor", reason: "the proxy limits requests" });
    const project = ["--project", folder, "--endpoint", server.url, "--admin-secret", "s"];
    await writeFile(join(folder, "config.yaml"), "version: 3\nmetadata_directory: .\n");
    const { code, stdout } = await engine(["advise", ...project, "--format", "json"], folder);
    const report = JSON.parse(stdout);
    expect({ code, findings: report.findings.length }).toEqual({ code: 0, findings: rulesInFixture.length - 1 });
    expect(report.accepted).toMatchObject([{ rule: "missing-limits", exception: "the proxy limits requests" }]);
    expect(await engine(["advise", ...project, "--shape", "shape.json"], folder)).toMatchObject({
      code: 1,
      stderr: "error: --shape requires a metadata directory or file\n",
    });
  });

  it("Exceptions accept findings, are suppressed in SARIF, and are findings themselves without a finding", async () => {
    await rm(join(folder, "advice.yaml"), { force: true });
    const { stdout } = await advise(...asVisitor, "--format", "json");
    await except(...JSON.parse(stdout).findings.map(({ rule, place }: Finding) => ({ rule, place, reason: "known" })), {
      rule: "unused-role",
      place: "api_limits.gone",
      reason: "was planned",
    });
    const text = await advise(...asVisitor, "--fail-on", "warning");
    expect(text.code).toBe(3);
    expect(text.stdout).toContain(`warning stale-exception: no finding of unused-role is at this place`);
    expect(text.stdout).toContain("0 errors, 1 warning, 0 notes, 8 findings with an exception");
    expect((await advise(...asVisitor, "--fail-on", "error")).code).toBe(0);
    const sarif = JSON.parse((await advise(...asVisitor, "--format", "sarif")).stdout);
    const suppressed = sarif.runs[0].results.filter(({ suppressions = [] }) => suppressions.length === 1);
    expect(suppressed).toHaveLength(rulesInFixture.length);
    // The exceptions of rules that were not applied are not stale.
    const unknown = JSON.parse((await advise("--format", "json")).stdout);
    const stale = unknown.findings.filter(({ rule }: Finding) => rule === "stale-exception");
    expect(stale.map(({ place }: Finding) => place)).toEqual(["api_limits.gone"]);
    expect(unknown.skipped.map(({ rule }: Finding) => rule)).toEqual(["unlimited-list", "missing-limits"]);
  });

  it("Invalid exceptions are refused with their line, and an unknown rule with the nearest one", async () => {
    await writeFile(join(folder, "advice.yaml"), "exceptions:\n  - { rule: unused-rule, place: a, reason: b }\n");
    const unknown = 'advice.yaml:2:13: exceptions[0].rule: there is no rule "unused-rule"; did you mean "unused-role"?';
    expect(await advise()).toMatchObject({ code: 1, stdout: "", stderr: `${unknown}\n` });
    await writeFile(join(folder, "advice.yaml"), "exceptions:\n  - { rule: unused-role, place: a }\n");
    expect((await advise()).stderr).toContain("exceptions[0].reason: expected the reason why the finding is accepted");
    await rm(join(folder, "advice.yaml"));
  });

  it("An export keeps the exceptions beside the metadata, and does not warn of the file", async () => {
    const project = join(folder, "project");
    const call = ["--project", project, "--endpoint", server.url, "--admin-secret", "s"];
    await mkdir(join(project, "metadata"), { recursive: true });
    expect(await engine(["metadata", "export", ...call], folder)).toMatchObject({ code: 0 });
    const text = "# reviewed\nexceptions: []\n";
    await writeFile(join(project, "metadata/advice.yaml"), text);
    const comment = { table: "post", source: "default", configuration: { comment: "Posts of all authors" } };
    await server.post("/v1/metadata", { type: "pg_set_table_customization", args: comment }, secret);
    const exported = await engine(["metadata", "export", ...call], folder);
    expect(exported).toMatchObject({ code: 0 });
    expect(exported.stderr).not.toContain("advice.yaml");
    expect(await readFile(join(project, "metadata/advice.yaml"), "utf8")).toBe(text);
  });

  it("The sample library has the findings of a reviewer, and no others", async () => {
    const [metadata, schema] = ["fixtures/library/metadata", "fixtures/library/postgres/schema.sql"];
    const database = await createDatabase("advise");
    try {
      await query(database.url, await readFile(join(repository, schema), "utf8"));
      const { stdout } = await engine(["advise", metadata, "--database", database.url, ...asVisitor], repository);
      await expectGolden(join(golden, "library/expected"), new Map([["report.txt", stdout]]));
    } finally {
      await database.drop();
    }
  });
});
