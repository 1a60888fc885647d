/** Help of the commands, and errors in the command line. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { topics } from "../../../runtime/cli/help-topics.ts";
import { program, runProgram } from "../../../runtime/cli/main.ts";
import { optionGroups, optionTable } from "../../../runtime/config/option-table.ts";
import { describeOptions } from "../../../runtime/config/options.ts";
import { root } from "../../support/shared-checks.ts";

const printed = { stdout: "", stderr: "" };
const before = process.exitCode;

beforeEach(() => {
  for (const stream of ["stdout", "stderr"] as const) {
    printed[stream] = "";
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = before;
});

async function run(...words: string[]) {
  printed.stdout = "";
  printed.stderr = "";
  process.exitCode = 0;
  await runProgram(words);
  return { code: process.exitCode, ...printed };
}

/** Returns the items below each heading of a help text. */
function sections(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let items: string[] = [];
  for (const line of text.split("\n")) {
    const [, heading] = /^(\S.*):$/.exec(line) ?? [];
    if (heading !== undefined) {
      items = [];
      found.set(heading, items);
    }
    const [, item] = /^ {2}(?:-\w, )?([\w-][\w|-]*)/.exec(line) ?? [];
    if (item !== undefined) items.push(item);
  }
  return found;
}

describe("The help of engine start", () => {
  it("--help lists about twenty common options, each on one line of a terminal, in groups", async () => {
    const { code, stdout } = await run("start", "--help");
    expect(code).toBe(0);
    const groups = sections(stdout);
    expect([...groups.keys()]).toEqual([
      "Start",
      "Databases",
      "Server",
      "Authentication",
      "APIs and console",
      "Logs and errors",
      "Help",
    ]);
    const items = [...groups.values()].flat();
    expect(items.length).toBeGreaterThan(16);
    expect(items.length).toBeLessThan(24);
    for (const items of groups.values()) expect(items).toEqual(items.toSorted());
    expect(stdout.split("\n").filter((line) => /^ {10}/.test(line))).toEqual([]);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain("ENGINE_GRAPHQL_SERVER_PORT");
  });

  it("--help-all lists every option of the table once, in its group, with its variable", async () => {
    const { code, stdout } = await run("start", "--help-all");
    expect(code).toBe(0);
    const groups = sections(stdout);
    const shared = [...groups.keys()].filter((group) => !["Start", "Help"].includes(group));
    expect(shared).toEqual([...optionGroups, "Environment variables without an option"]);
    for (const items of groups.values()) expect(items).toEqual([...new Set(items)]);
    for (const { flag, variable, group, doc } of describeOptions()) {
      const section = groups.get(flag === null ? "Environment variables without an option" : group);
      expect(section).toContain(flag ?? variable);
      expect(stdout).toContain(variable);
      expect(stdout.replace(/\s+/g, " ")).toContain(doc.replace(/\s+/g, " "));
    }
    for (const group of optionGroups) {
      const items = groups.get(group) ?? [];
      expect(items.length).toBeGreaterThan(0);
      expect(items).toEqual(items.toSorted());
    }
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("Options without an effect have their own group", () => {
    for (const [name, { group, doc }] of Object.entries(optionTable)) {
      expect([name, group === "Without effect"]).toEqual([name, doc.startsWith("accepted for compatibility")]);
    }
  });
});

describe("The help of the program", () => {
  it("Every command has a group", async () => {
    const { code, stdout } = await run("--help");
    expect(code).toBe(0);
    const groups = sections(stdout);
    expect([...groups.keys()]).toEqual([
      "Help",
      "Server",
      "Projects",
      "Compiler and artifacts",
      "Databases",
      "Metadata database",
      "More",
    ]);
    const names = program.commands.map((each) => [each.name(), ...each.aliases()].join("|"));
    expect([...groups.values()].flat().filter((item) => !item.startsWith("-"))).toEqual(names);
  });

  it("--help-all lists the commands below other commands", async () => {
    const { stdout } = await run("--help-all");
    for (const command of ["metadata inconsistency list", "migrate apply", "seed create"]) {
      expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    }
    expect(stdout.match(/^ {2}help /gm)).toHaveLength(1);
  });

  it("engine without a command prints the help and fails", async () => {
    expect(await run()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Usage: engine") });
  });
});

describe("The engine help command", () => {
  it("engine help prints the help of nested commands", async () => {
    const { stdout } = await run("help", "metadata", "apply");
    expect(stdout).toBe((await run("metadata", "apply", "--help")).stdout);
    expect(stdout).toContain("Usage: engine metadata apply");
    expect((await run("help")).stdout).toContain(`Topics of \`engine help\`: ${topics[0]?.name}`);
  });

  it.each(topics)("The topic $name names an existing page, options and commands", async ({ name, text, page }) => {
    const { code, stdout } = await run("help", name);
    expect([code, stdout]).toEqual([0, `${text}\n\nMore: ${page}\n`]);
    expect(existsSync(join(root, page))).toBe(true);
    expect(program.commands.some((each) => each.name() === name)).toBe(false);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const flags = new Set(program.commands.flatMap(({ options }) => options.map(({ long }) => long)));
    for (const [flag] of text.matchAll(/(?<=\s)--[\w-]+/g)) expect(flags).toContain(flag);
    for (const [, command] of text.matchAll(/(?:^ +|`)engine (\w+)/gm)) {
      expect(program.commands.flatMap((each) => [each.name(), ...each.aliases()])).toContain(command);
    }
    const variables = new Set(describeOptions().map(({ variable }) => variable));
    for (const [variable] of text.matchAll(/ENGINE_\w+/g)) expect(variables).toContain(variable);
  });

  it.each([
    [["rols"], 'unknown command or topic "rols"; did you mean roles?'],
    [["metadata", "aply"], 'unknown command or topic "aply"; did you mean apply?'],
    [["\u001b[2J"], 'unknown command or topic "\\u001b[2J"; known ones: start, '],
  ])("engine help refuses unknown names: %j", async (names, message) => {
    const { code, stdout, stderr } = await run("help", ...names);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe("Errors in the command line", () => {
  it.each([
    [["strat"], 'unknown command "strat"; did you mean start?'],
    [["zzz"], 'unknown command "zzz"; see `engine --help`'],
    [["metadata", "aply"], 'unknown command "aply"; did you mean apply?'],
    [["start", "--admin-secrt=hush"], "unknown option --admin-secrt; did you mean --admin-secret?"],
    [["start", "--live-queries-notfy"], "unknown option --live-queries-notfy; did you mean --live-queries-notify?"],
    [["metadata", "apply", "--zzz"], "unknown option --zzz; see `engine metadata apply --help`"],
    [["start", "hush"], "expected 0 arguments, but found 1; see `engine start --help`"],
    [["diff", "a"], "argument <b>: required; see `engine diff --help`"],
    [["compile"], "option --metadata <path>: required; see `engine compile --help`"],
    [["compile", "--out"], "option --out <directory>: requires a value; see `engine compile --help`"],
    [
      ["diff", "a", "b", "--format", "hush"],
      "option --format: expected one of markdown, json; see `engine diff --help`",
    ],
    [["completion", "hush"], "argument <shell>: expected one of bash, zsh, fish; see `engine completion --help`"],
    [["export", "--retries", "-1"], "option --retries: expected an integer of at least 0"],
  ])("%j has one line in the common form, without values", async (words, message) => {
    expect(await run(...words)).toEqual({ code: 1, stdout: "", stderr: `error: ${message}\n` });
  });
});
