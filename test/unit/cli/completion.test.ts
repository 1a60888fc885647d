/** Shell completion: bash runs its script, and the others are run where their shells are installed. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionScript, shells } from "../../../runtime/cli/completion.ts";
import { program } from "../../../runtime/cli/main.ts";
import { describeOptions } from "../../../runtime/config/options.ts";
import { root } from "../../support/shared-checks.ts";

const run = promisify(execFile);
let folder: string;
const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-completion-"));
  for (const shell of shells) await writeFile(join(folder, shell), completionScript(shell, program));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Returns the completions of the last word. */
async function inBash(...words: string[]): Promise<readonly string[]> {
  const script = [
    `source "$0"`,
    `COMP_WORDS=(engine "$@")`,
    "COMP_CWORD=$(( $# ))",
    "_engine_completion",
    `for each in "\${COMPREPLY[@]}"; do echo "$each"; done`,
  ].join("\n");
  const { stdout } = await run("bash", ["-u", "-c", script, join(folder, "bash"), ...words]);
  return stdout.split("\n").filter((line) => line !== "");
}

describe("Completion in bash", () => {
  it("Commands, aliases and nested commands are completed", async () => {
    expect(await inBash("")).toEqual(program.commands.flatMap((each) => [each.name(), ...each.aliases()]));
    expect(await inBash("me")).toEqual(["metadata"]);
    expect(await inBash("metadata", "inconsistency", "")).toEqual(["list", "status", "drop"]);
    expect(await inBash("md", "ic", "st")).toEqual(["status"]);
    expect(await inBash("help", "ro")).toEqual(["roles"]);
    expect(await inBash("completion", "")).toEqual([...shells]);
  });

  it("Options of the command are completed, and every flag of the table is known", async () => {
    expect(await inBash("start", "--live-queries-n")).toEqual(["--live-queries-notify"]);
    expect(await inBash("serve", "--jwt")).toEqual(["--jwt-secret"]);
    expect(await inBash("metadata", "apply", "--dis")).toEqual(["--disallow-inconsistent-metadata"]);
    const flags = describeOptions().flatMap(({ flag }) => flag ?? []);
    expect(await inBash("start", "--")).toEqual(expect.arrayContaining(flags));
    expect(await inBash("start", "--")).not.toContain("--skip-update-check");
  });

  it("Values are completed if they are fixed, and otherwise left to file names", async () => {
    expect(await inBash("diff", "--format", "")).toEqual(["markdown", "json"]);
    expect(await inBash("diff", "--format", "=", "j")).toEqual(["json"]);
    expect(await inBash("diff", "--format", "=")).toEqual(["markdown", "json"]);
    expect(await inBash("start", "--config", "")).toEqual([]);
  });

  it("Values of options are not mistaken for commands", async () => {
    expect(await inBash("--project", "start", "met")).toEqual(["metadata"]);
    expect(await inBash("--project", "=", "start", "met")).toEqual(["metadata"]);
    expect(await inBash("deploy", "--project", "start", "--wi")).toEqual(["--with-seeds"]);
  });
});

describe("Completion scripts", () => {
  it.each(shells)("The script for %s names every command and option, and quotes their texts", (shell) => {
    const script = completionScript(shell, program);
    for (const { flag } of describeOptions()) {
      if (flag !== null) expect(script).toContain(shell === "fish" ? `-l ${flag.slice(2)} ` : flag);
    }
    for (const command of program.commands) expect(script).toContain(command.name());
    // Words of the program, which the scripts contain without quotes.
    for (const word of script.matchAll(/(?:names|flags)="([^"]*)"/g)) expect(word[1]).toMatch(/^[\w. -]*$/);
  });

  it("The documentation shows the command for each shell", async () => {
    const page = await readFile(join(root, "docs/reference/command-line.md"), "utf8");
    const shown = [...page.matchAll(/^engine completion (\w+) > ~\/\S+engine/gm)].map(([, shell]) => shell);
    expect(shown).toEqual([...shells]);
  });

  it.skipIf(!isInstalled("zsh"))("The script for zsh is valid", async () => {
    await run("zsh", ["-n", join(folder, "zsh")]);
  });

  it.skipIf(!isInstalled("fish"))("fish completes commands and options", async () => {
    const complete = async (line: string) => {
      const { stdout } = await run("fish", ["-c", `source ${join(folder, "fish")}; complete -C "${line}"`]);
      return stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0]]));
    };
    expect(await complete("engine md ic st")).toEqual(["status"]);
    expect(await complete("engine start --live-queries-n")).toEqual(["--live-queries-notify"]);
    expect(await complete("engine diff --format ")).toEqual(["json", "markdown"]);
  });
});
