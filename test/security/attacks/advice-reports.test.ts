/** Attacks on the reports of `engine advise`: names that control a terminal, become links, or leave a folder. */
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { indexQuestions } from "../../../compiler/advice/index-uses.ts";
import { createIndex } from "../../../compiler/advice/indexes.ts";
import type { Finding } from "../../../compiler/advice/model.ts";
import { indexPlans } from "../../../compiler/dialects/postgres/index-plans.ts";
import { readExceptions } from "../../../runtime/cli/advise/exceptions.ts";
import { adviceJson, adviceReport, adviceText } from "../../../runtime/cli/advise/report.ts";
import { adviceSarif } from "../../../runtime/cli/advise/sarif.ts";
import { analysisOf, shape, table, tableIn } from "../../unit/analyze/sample.ts";

const hostile = '\u001b[2J\u202e](javascript:alert(1))[x](//evil) {0} \r\nfix    nothing "); drop table note; --';
const finding: Finding = {
  rule: "readable-secret",
  severity: "error",
  place: `default.public.${hostile}`,
  path: `$.sources[0]["${hostile}"]`,
  reason: `role ${hostile} reads the column ${hostile}`,
  fix: `remove ${hostile}`,
};
const location = { file: "metadata/a b#[x]?.yaml", line: 3, column: 5 };
const report = adviceReport(
  { findings: [finding], skipped: [{ rule: "unindexed-join", reason: hostile }] },
  [],
  () => location,
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches characters that a report must not contain
const controlling = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

describe("Hostile names in reports", () => {
  it("The text escapes control characters and has no lines of the names", () => {
    const text = adviceText(report, picocolors.createColors(false));
    expect(text).not.toMatch(controlling);
    expect(text.split("\n").filter((line) => line.startsWith("fix"))).toEqual([]);
    expect(text.split("\n")).toHaveLength(8);
  });

  it("SARIF has no links or placeholders of the names, and its paths are encoded", () => {
    const [run] = JSON.parse(adviceSarif(report, process.cwd())).runs;
    const [result] = run.results;
    for (const text of [result.message.text, run.invocations[0].toolConfigurationNotifications[0].message.text]) {
      expect(text).not.toMatch(controlling);
      expect(text.replace(/\\[\\[\]]/g, "")).not.toMatch(/[[\]]/);
      expect(text.replaceAll("{{", "").replaceAll("}}", "")).not.toMatch(/[{}]/);
    }
    const { artifactLocation } = result.locations[0].physicalLocation;
    expect(artifactLocation.uri).toBe("metadata/a%20b%23%5Bx%5D%3F.yaml");
    expect(JSON.parse(adviceJson(report)).findings[0].place).toBe(finding.place);
  });

  it("The statement that creates an index quotes names", () => {
    const name = 'note"; drop table note; --';
    const analysis = analysisOf(
      { tables: [{ table: { schema: "public", name } }] },
      { shape: shape([table(name, { columns: { id: "int4!" }, primaryKey: ["id"] })]) },
    );
    const text = createIndex("postgres", { table: tableIn(analysis, `public.${name}`), columns: ['a" b'] });
    expect(text).toBe('create an index: CREATE INDEX ON "public"."note""; drop table note; --" ("a"" b")');
  });
});

describe("Statements for plans", () => {
  it("The statements quote names and constants, and contain no values of sessions", () => {
    const name = 'note"; drop table note; --';
    const column = 'o"; drop table note; --';
    const constant = "'; drop table note; --";
    const filter = { _and: [{ [column]: { _eq: "X-Engine-User-Id" } }, { id: { _neq: constant } }] };
    const select_permissions = [{ role: "user", permission: { columns: ["id"], filter } }];
    const analysis = analysisOf(
      { tables: [{ table: { schema: "public", name }, select_permissions }] },
      { shape: shape([table(name, { columns: { id: "text!", [column]: "text" }, primaryKey: ["id"] })]) },
    );
    const source = analysis.sources.get("default");
    const [question, ...others] = source ? [...indexQuestions(source, indexPlans)] : [];
    const from = 'select 1 from "public"."note""; drop table note; --" engine_advised where ';
    const comparison = 'engine_advised."o""; drop table note; --" = (select null::pg_catalog.text)::text';
    expect(others).toEqual([]);
    expect(question?.statements).toEqual([
      `${from}${comparison}`,
      `${from}(${comparison}) and (engine_advised."id" <> '''; drop table note; --'::text)`,
    ]);
  });
});

describe("Exceptions", () => {
  it("An exceptions file cannot include files outside its folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "exceptions-"));
    const metadata = join(folder, "metadata");
    await mkdir(metadata);
    await writeFile(join(folder, "secret.yaml"), "- password\n");
    await writeFile(join(metadata, "advice.yaml"), 'exceptions: "!include ../secret.yaml"\n');
    await expect(readExceptions(metadata)).rejects.toThrow(/the folder of the exceptions/);
    await symlink(join(folder, "secret.yaml"), join(metadata, "link.yaml"));
    await writeFile(join(metadata, "advice.yaml"), 'exceptions: "!include link.yaml"\n');
    await expect(readExceptions(metadata)).rejects.toThrow(/the folder of the exceptions/);
  });
});
