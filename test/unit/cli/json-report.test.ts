/** `--json` of the commands: the form of the report, and remedies of its problems. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandExamples } from "../../../.ci/reference/commands.ts";
import { leaves } from "../../../.ci/reference/pages/command-line.ts";
import { problemsOf } from "../../../runtime/cli/error-problems.ts";
import { jsonReport, problemMembers, reportMembers } from "../../../runtime/cli/json-report.ts";
import { problemCodes } from "../../../runtime/cli/problem-codes.ts";
import { printProblems, recorded } from "../../../runtime/cli/project/output.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { didYouMean, suggestedName } from "../../../runtime/values/nearest-name.ts";
import { runCommand } from "../../support/command-line.ts";
import { root } from "../../support/shared-checks.ts";
import { temporaryDirectory } from "../metadata-directory/temporary-directory.ts";

// cspell:ignore aply chek fliter loann multitenant
async function report(...args: readonly string[]) {
  const { code, stdout, stderr } = await runCommand(...args);
  expect(stderr).toBe("");
  const value = JSON.parse(stdout);
  expect(Object.keys(value)).toEqual(Object.keys(reportMembers));
  expect([value.format, value.exit_code, value.ok]).toEqual([1, code, code === 0]);
  for (const problem of value.problems) {
    expect(Object.keys(problem).filter((name) => !Object.hasOwn(problemMembers, name))).toEqual([]);
    expect(problem).toMatchObject({
      severity: expect.any(String),
      code: expect.any(String),
      message: expect.any(String),
    });
  }
  return value;
}

const database = {
  "metadata/version.yaml": "version: 3\n",
  "metadata/databases/databases.yaml": `- name: default
  kind: postgres
  configuration:
    connection_info:
      database_url:
        from_env: ENGINE_GRAPHQL_DATABASE_URL
  tables: "!include default/tables/tables.yaml"
`,
  "config.yaml": "version: 3\n",
};
const shape = readFileSync(join(root, "fixtures/library/shape.json"), "utf8");

async function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

describe("Commands with --json", { timeout: 120_000 }, () => {
  it("Every command that ends and prints results has the flag", () => {
    const without = leaves().filter(([, command]) => !command.options.some(({ long }) => long === "--json"));
    expect(without.map(([words]) => words)).toEqual(["start", "console", "dev", "psql", "mcp", "help", "completion"]);
  });

  it("The reference describes the result of every command with the flag", () => {
    for (const [words, command] of leaves()) {
      const hasFlag = command.options.some(({ long }) => long === "--json");
      expect([words, commandExamples[words]?.result !== undefined]).toEqual([words, hasFlag]);
    }
  });

  it.each([
    [["chek", "--json"], { code: "usage", suggestion: "check" }],
    [["metadata", "aply", "--json"], { code: "usage", suggestion: "apply" }],
    [["check", "--shap", "a.json", "--json"], { code: "usage", suggestion: "--shape" }],
    [["check", "--json", "--shape"], { code: "usage", command: "engine check --help" }],
    [["test", "--json", "--watch"], { code: "usage", message: expect.stringContaining("cannot be used with --watch") }],
    [["init", "--json", "--template", "multitenant"], { code: "invalid-setting", suggestion: "multi-tenant" }],
    [["check", "--json", "--project", "/missing"], { code: "invalid-setting", remedy: expect.any(String) }],
  ])("An invalid command line is a problem with the nearest name: %j", async (args, problem) => {
    const { ok, result, problems } = await report(...args);
    expect([ok, result]).toEqual([false, null]);
    expect(problems).toEqual([expect.objectContaining({ severity: "error", ...problem })]);
  });

  it("The flag may precede the command", async () => {
    expect(await report("--json", "init", "/dev/null/x")).toMatchObject({ command: "init", ok: false });
  });

  it("Arguments behind -- are not flags of the command", async () => {
    const { stderr, stdout } = await runCommand("check", "--", "--json");
    expect([stdout, stderr]).toEqual(["", expect.stringMatching(/^error: /)]);
  });

  it("A new project has the paths of its files as the result", async () => {
    const folder = join(await temporaryDirectory(), "shop");
    const { command, ok, result, messages } = await report("init", folder, "--json");
    expect([command, ok, messages]).toEqual(["init", true, []]);
    expect(result).toMatchObject({ template: "todo", files: expect.arrayContaining(["AGENTS.md", ".env"]) });
  });

  it("Errors of a check have place, path, object, remedy and the nearest name", async () => {
    const folder = await projectWith({
      ...database,
      "metadata/databases/default/tables/tables.yaml": `- table: {schema: public, name: loan}
  select_permissions:
    - role: user
      permission: {columns: [id, due_onn], filter: {}}
- table: {schema: public, name: loann}
`,
      "config.yaml": "version: 3\nendpont: http://localhost:8080\n",
      "shape.json": shape,
    });
    const { command, exit_code, result, problems } = await report(
      "check",
      "--json",
      "--no-scratch",
      "--project",
      folder,
    );
    expect([command, exit_code, result]).toEqual(["check", 1, { valid: false, errors: 2, databases: [] }]);
    const file = join(folder, "metadata/databases/default/tables/tables.yaml");
    expect(problems).toEqual([
      expect.objectContaining({
        severity: "warning",
        code: "ignored-text",
        line: 2,
        column: 10,
        suggestion: "endpoint",
      }),
      expect.objectContaining({
        severity: "error",
        code: "inconsistent-object",
        path: "$.sources[0].tables[1]",
        file,
        line: 5,
        object: "table loann in source default",
        remedy: 'did you mean "loan"?',
        suggestion: "loan",
      }),
      expect.objectContaining({ code: "inconsistent-object", line: 3, suggestion: "due_on" }),
    ]);
  });

  it("Invalid syntax has file, line and column, and a message without them", async () => {
    const folder = await projectWith({ ...database, "metadata/databases/default/tables/tables.yaml": "- table: [\n" });
    const { problems } = await report("check", "--json", "--project", folder);
    expect(problems).toEqual([
      expect.objectContaining({
        code: "parse-failed",
        file: join(folder, "metadata/databases/default/tables/tables.yaml"),
        line: expect.any(Number),
        column: expect.any(Number),
        message: expect.not.stringContaining(folder),
        remedy: expect.any(String),
      }),
    ]);
  });

  it("An unknown shape names the command that saves it", async () => {
    const folder = await projectWith({
      ...database,
      "metadata/databases/default/tables/tables.yaml": "- table: {schema: public, name: loan}\n",
    });
    const { problems } = await report("check", "--json", "--project", folder);
    expect(problems).toEqual([expect.objectContaining({ code: "unknown-shape", command: "engine shape" })]);
  });

  it("Without a server, the metadata commands report the connection", async () => {
    const folder = await projectWith({ "config.yaml": "version: 3\nendpoint: http://127.0.0.1:1\n" });
    for (const words of [
      ["export"],
      ["reload"],
      ["clear"],
      ["diff"],
      ["ic", "list"],
      ["ic", "status"],
      ["ic", "drop"],
    ]) {
      const { command, ok, problems } = await report("metadata", ...words, "--json", "--project", folder);
      expect([command.split(" ")[0], ok]).toEqual(["metadata", false]);
      expect(problems.at(-1).code).toBe(words[0] === "diff" ? "not-found" : "connection error");
    }
  });

  it("Every code of problems is used, and its remedy is a text", () => {
    const files = readdirSync(join(root, "runtime/cli"), { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith("problem-codes.ts"),
    );
    const text = files.map((name) => readFileSync(join(root, "runtime/cli", name), "utf8")).join("\n");
    expect(Object.keys(problemCodes).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
  });

  it("Commands print by the shared functions only, so that no text precedes the object", () => {
    const files = readdirSync(join(root, "runtime/cli"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /process\.std(?:out|err)\.write|console\.(?:log|error)/.test(
        name.endsWith(".ts") ? readFileSync(join(root, "runtime/cli", name), "utf8") : "",
      ),
    );
    // Programs without --json, texts of the help, and the functions themselves.
    expect(files.toSorted()).toEqual([
      "commands/mcp.ts",
      "commands/start.ts",
      "engine.ts",
      "help.ts",
      "main.ts",
      "node-version.ts",
      "project/output.ts",
      "run-program.ts",
    ]);
  });
});

describe("The report", { timeout: 120_000 }, () => {
  it("Any result is valid JSON of one object, without invisible characters", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (result, message) => {
        const output = { result: { result, absent: undefined }, messages: [message], problems: [] };
        const text = jsonReport("check", 0, output);
        expect(JSON.parse(text)).toEqual(
          JSON.parse(JSON.stringify({ ...JSON.parse(text), result: { result }, messages: [message] })),
        );
        // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to escape
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it("Outputs of concurrent commands are recorded separately", async () => {
    const outputs = await Promise.all(
      ["a", "b"].map((name) =>
        recorded(async () => {
          await new Promise((resolve) => setImmediate(resolve));
          printProblems([{ severity: "notice", code: "note", message: name, line: name }]);
        }),
      ),
    );
    expect(outputs.map(({ problems }) => problems.map(({ message }) => message))).toEqual([["a"], ["b"]]);
  });

  it("An address before a message is not a file", () => {
    const [problem] = problemsOf(new EngineError("connection error", "$", "db.example:5432: connection refused"));
    expect(problem).toMatchObject({ message: "db.example:5432: connection refused" });
    expect(problem).not.toHaveProperty("location");
  });

  it("The nearest name of a hint is the suggestion", () => {
    const name = fc.stringMatching(/^[\w .-]{3,20}$/);
    fc.assert(
      fc.property(name, fc.string(), (near, before) => {
        const hint = didYouMean(`${near}x`, [near]);
        fc.pre(hint !== undefined && !/did you mean/i.test(before));
        expect(suggestedName(`${before}: ${hint}`)).toBe(near);
      }),
    );
  });

  it.each([
    ['Cannot query field "nam" on type "loan". Did you mean "name" or "names"?', "name"],
    ['did you mean "filter" instead of "fliter"?', "filter"],
    ["unknown option --shap; did you mean --shape?", "--shape"],
    ["no suggestion", undefined],
  ])("The suggestion of %j is %j", (text, name) => {
    expect(suggestedName(text)).toBe(name);
  });
});
