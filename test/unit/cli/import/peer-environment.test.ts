// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of Compose files and .env files
/** Environment variables of the original engine: names, values, and the warning at start-up. */
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { environmentText } from "../../../../runtime/cli/import/env-file.ts";
import { warnOfPeerVariables } from "../../../../runtime/cli/import/peer-environment.ts";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { createLog } from "../../../../runtime/observe/logs/log.ts";
import { runCommand } from "../../../support/command-line.ts";
import { temporaryDirectory } from "../../metadata-directory/temporary-directory.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("The warning about variables of the original engine", () => {
  function warning(environment: Readonly<Record<string, string>>): { lines: readonly string[]; logged: string } {
    const options = parseOptions({}, environment);
    const logged: string[] = [];
    const output = { write: (line: string) => logged.push(line), drained: async () => undefined };
    const lines = warnOfPeerVariables(createLog(options, output), options, environment);
    return { lines, logged: logged.join("\n") };
  }

  it("The warning names variables and their counterparts, and never their values", () => {
    const { lines, logged } = warning({
      HASURA_GRAPHQL_DATABASE_URL: "postgres://me:hush@db/app",
      HASURA_GRAPHQL_ADMIN_SECRET: "hush",
      HASURA_GRAPHQL_NO_SUCH: "hush",
    });
    expect(lines).toEqual([
      "HASURA_GRAPHQL_ADMIN_SECRET is not read, and the server has no admin secret: set ENGINE_GRAPHQL_ADMIN_SECRET; " +
        "variables of the original engine have no effect: " +
        "HASURA_GRAPHQL_ADMIN_SECRET (here ENGINE_GRAPHQL_ADMIN_SECRET), " +
        "HASURA_GRAPHQL_DATABASE_URL (here ENGINE_GRAPHQL_DATABASE_URL), HASURA_GRAPHQL_NO_SUCH (no counterpart); " +
        "`engine import --env --out .env` writes them under the names of this engine",
    ]);
    expect(logged).toContain("HASURA_GRAPHQL_ADMIN_SECRET");
    expect(logged).not.toContain("hush");
  });

  it("A variable is not named if its counterpart is set too", () => {
    const both = { HASURA_GRAPHQL_ADMIN_SECRET: "a", ENGINE_GRAPHQL_ADMIN_SECRET: "b" };
    expect(warning(both)).toEqual({ lines: [], logged: "" });
    const [line] = warning({ ...both, HASURA_GRAPHQL_DEV_MODE: "true" }).lines;
    expect(line).toMatch(/^variables of the original engine have no effect: HASURA_GRAPHQL_DEV_MODE \(here ENGINE_/);
    expect(line).not.toContain("SECRET");
  });

  it("The warning does not claim a missing secret if the server has one of another name", () => {
    const environment = { HASURA_GRAPHQL_ADMIN_SECRET: "a", ENGINE_GRAPHQL_ADMIN_SECRETS: '["b"]' };
    expect(warning(environment).lines[0]).toMatch(/^variables of/);
  });

  it("Variables without a counterpart, which may belong to the user, cause no warning", () => {
    expect(warning({ HASURA_GRAPHQL_MY_HOOK: "http://hook" }).lines).toEqual([]);
    expect(warning({}).lines).toEqual([]);
  });
});

describe("The engine import command with --env", () => {
  it("--env prints the variables of the process under new names, without others", async () => {
    vi.stubEnv("HASURA_GRAPHQL_ADMIN_SECRET", "it's $ecret # or not");
    vi.stubEnv("HASURA_GRAPHQL_DEFAULT_NAMING_CONVENTION", "hasura-default");
    vi.stubEnv("HASURA_GRAPHQL_DEV_MODE", "true");
    vi.stubEnv("ENGINE_GRAPHQL_DEV_MODE", "false");
    vi.stubEnv("HASURA_GRAPHQL_JWT_SECRET", '{"type":"HS256","key":"hush","claims_map":{"x-hasura-role":"r"}}');
    vi.stubEnv("HASURA_GRAPHQL_MY_HOOK", "http://hook");
    const { code, stdout, stderr } = await runCommand("import", "--env");
    expect(code).toBe(0);
    expect(parseEnv(stdout)).toEqual({
      ENGINE_GRAPHQL_ADMIN_SECRET: "it's $ecret # or not",
      ENGINE_GRAPHQL_DEFAULT_NAMING_CONVENTION: "engine-default",
      ENGINE_GRAPHQL_DEV_MODE: "false",
      ENGINE_GRAPHQL_JWT_SECRET: '{"type":"HS256","key":"hush","claims_map":{"x-hasura-role":"r"}}',
      HASURA_GRAPHQL_MY_HOOK: "http://hook",
    });
    expect(stderr.split("\n").filter((line) => line !== "")).toEqual([
      "notice: HASURA_GRAPHQL_DEV_MODE is left out, because ENGINE_GRAPHQL_DEV_MODE is set too",
      expect.stringContaining("notice: ENGINE_GRAPHQL_JWT_SECRET contains names of session variables"),
      "notice: HASURA_GRAPHQL_MY_HOOK has no counterpart and keeps its name",
    ]);
    expect(stderr).not.toMatch(/ecret #|hush/);
  });

  it("--env reads a .env file and writes another one, which only its owner may read and which is not replaced", async () => {
    const folder = await temporaryDirectory({
      "old.env": "HASURA_GRAPHQL_ADMIN_SECRET=hush\nPG_URL='postgres://db'\n",
    });
    const out = join(folder, "new.env");
    const words = ["import", "--env", join(folder, "old.env"), "-o", out];
    const { code, stdout, stderr } = await runCommand(...words);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: `wrote 2 variables to ${out}\n` });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const again = await runCommand(...words);
    expect(again).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: cannot write ${out}: it exists; remove it, or choose another file\n`,
    });
    const check = join(folder, ".env");
    await writeFile(check, "");
    expect((await runCommand("import", "--env", check)).stderr).toMatch(/^error: found no variables/);
  });

  it.each([
    [[], "pass one of a project, --env or --compose"],
    [["a", "--env"], "pass one of a project, --env or --compose"],
    [["docker-compose.yaml", "--compose", "other.yaml"], "pass one of a project, --env or --compose"],
    [["a"], "option --out: required: the directory for the new project"],
    [["a", "--out", "b", "--service", "c"], "option --service: requires --compose"],
    [["--env", "--leave-out", "api_limits"], "option --leave-out: requires a project"],
    [["--env", "/no/such/file"], "cannot read /no/such/file: ENOENT"],
    [["--env", "/dev/zero"], "cannot read /dev/zero: it is not a file"],
  ])("engine import refuses %j", async (words, message) => {
    expect(await runCommand("import", ...words)).toEqual({ code: 1, stdout: "", stderr: `error: ${message}\n` });
  });
});

describe("The text of a .env file", () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    "`",
    "\n",
    "\\",
    "\\n",
    "#",
    " ",
    "$",
    "${A}",
    "=",
    "a",
    "B",
    "ü",
    "\t",
    "\r",
    "export ",
  );
  const value = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("")),
    fc.string(),
  );
  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,5}$/);

  it("Every variable that is written is read back equal, and all others are listed", () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (variables) => {
        const { text, leftOut } = environmentText(new Map(Object.entries(variables)));
        const expected = Object.entries(variables).filter(([each]) => !leftOut.includes(each));
        expect({ ...parseEnv(text) }).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 2000 },
    );
  });

  it("Values with line breaks, one or two kinds of quotes, and no quotes are always written", () => {
    const withoutReturn = fc.array(fc.constantFrom("\n", "a", "#", "$", " ", "=", "\\", '"', "'"), { maxLength: 8 });
    fc.assert(
      fc.property(
        withoutReturn.map((parts) => parts.join("")),
        (text) => {
          expect(environmentText(new Map([["A", text]])).leftOut).toEqual([]);
        },
      ),
    );
  });

  it.each(["A\nB", "A=B", "", "A B", "export A", "#A", "A'"])("The name %j cannot add a line", (name) => {
    const { text, leftOut } = environmentText(new Map([[name, "x"]]));
    expect(leftOut.length === 1 ? text : parseEnv(text)).toEqual(leftOut.length === 1 ? "" : { [name]: "x" });
  });
});
