/** Variables in files and from commands: names, faults, and precedence. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { runSecretCommands, withSecrets } from "../../../runtime/config/secret-commands.ts";
import { hasSecretFiles, readSecretFiles } from "../../../runtime/config/secret-files.ts";

let folder = "";
const made: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "engine-secrets-"));
  made.push(folder);
});
afterAll(() => {
  for (const each of made) rmSync(each, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("Variables in files", () => {
  it("A variable of the engine gets the text of the file that it names, without the last line feed", async () => {
    const environment = { ENGINE_GRAPHQL_ADMIN_SECRET_FILE: file("secret", " a\nb \n"), OTHER: "x" };
    const expected = { ...environment, ENGINE_GRAPHQL_ADMIN_SECRET: " a\nb " };
    expect(await withSecrets(environment)).toEqual(expected);
  });

  it("Files named by variables of other programs are not read", async () => {
    const environment = { SSL_CERT_FILE: file("certificate", "x"), engine_x_FILE: "/absent" };
    expect(hasSecretFiles(environment)).toBe(false);
    expect(await withSecrets(environment)).toEqual(environment);
  });

  it("Each file of the folder is a variable, also through the links of mounted volumes", () => {
    mkdirSync(join(folder, "..2026"));
    writeFileSync(join(folder, "..2026", "HOOK_TOKEN"), "t");
    symlinkSync("..2026", join(folder, "..data"));
    symlinkSync("..data/HOOK_TOKEN", join(folder, "HOOK_TOKEN"));
    file("not-a-variable", "x");
    expect(readSecretFiles({ ENGINE_GRAPHQL_SECRETS_DIRECTORY: folder })).toEqual(new Map([["HOOK_TOKEN", "t"]]));
  });

  it("A variable with two values is refused without either value", () => {
    const environment = { ENGINE_A: "value-1", ENGINE_A_FILE: file("a", "value-2") };
    expect(() => readSecretFiles(environment)).toThrow("ENGINE_A has more than one value");
    expect(() => readSecretFiles(environment)).not.toThrow(/value-/);
    file("ENGINE_B", "1");
    const both = { ENGINE_B_FILE: file("b", "2"), ENGINE_GRAPHQL_SECRETS_DIRECTORY: folder };
    expect(() => readSecretFiles(both)).toThrow("ENGINE_B has more than one value");
  });

  it("All files that cannot be read are reported together", () => {
    const large = file("large", "");
    truncateSync(large, 2_000_000);
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const environment = {
      ENGINE_A_FILE: join(folder, "absent"),
      ENGINE_B_FILE: folder,
      ENGINE_C_FILE: large,
      ENGINE_D_FILE: join(folder, "pipe"),
      ENGINE_E_FILE: "/dev/zero",
      ENGINE_GRAPHQL_SECRETS_DIRECTORY: join(folder, "absent"),
    };
    let message = "";
    try {
      readSecretFiles(environment);
    } catch (error) {
      message = String(error);
    }
    expect(message.split("\n")).toHaveLength(6);
    expect(message).toMatch(/ENGINE_A_FILE: ENOENT/);
    expect(message).toMatch(/ENGINE_C_FILE: .*longer than/);
    expect(message).toMatch(/ENGINE_D_FILE: .*not a regular file/);
    expect(message).toMatch(/ENGINE_E_FILE: .*not a regular file/);
  });
});

describe("Variables from commands", () => {
  it("A variable gets the output of its command, without the last line feed and without a shell", async () => {
    const list = JSON.stringify([process.execPath, "-p", "'a b; $HOME'"]);
    const environment = { ENGINE_A_COMMAND: list, ENGINE_B_COMMAND: "echo  $HOME 1", OTHER_COMMAND: "false" };
    expect(await withSecrets(environment)).toEqual({ ...environment, ENGINE_A: "a b; $HOME", ENGINE_B: "$HOME 1" });
  });

  it("All commands that fail are reported together, without arguments and output", async () => {
    const fail = "console.log('secret-1'); console.error('secret-2'); process.exit(3)";
    const long = "process.stdout.write('x'.repeat(2000000))";
    const environment = {
      ENGINE_A_COMMAND: JSON.stringify([process.execPath, "-e", fail]),
      ENGINE_B_COMMAND: "/absent/program secret-3",
      ENGINE_C_COMMAND: '["echo", 1]',
      ENGINE_D_COMMAND: '["secret-4',
      ENGINE_E_COMMAND: JSON.stringify([process.execPath, "-e", long]),
      ENGINE_F_COMMAND: "",
    };
    const error: unknown = await runSecretCommands(environment).catch((thrown: unknown) => thrown);
    const message = String(error);
    expect(message).toMatch(/ENGINE_A_COMMAND: the command ended with exit code 3/);
    expect(message).toMatch(/ENGINE_B_COMMAND: the program does not exist/);
    expect(message).toMatch(/ENGINE_C_COMMAND: expected a JSON list of texts/);
    expect(message).toMatch(/ENGINE_D_COMMAND: it is not JSON/);
    expect(message).toMatch(/ENGINE_E_COMMAND: the output is longer/);
    expect(message).toMatch(/ENGINE_F_COMMAND: it names no program/);
    expect(message).not.toMatch(/secret-/);
  });

  it("A variable with a command and another value is refused", async () => {
    const command = { ENGINE_A_COMMAND: "echo 1" };
    await expect(withSecrets({ ...command, ENGINE_A: "2" })).rejects.toThrow("ENGINE_A has more than one value");
    const both = { ...command, ENGINE_A_FILE: file("a", "2") };
    await expect(withSecrets(both)).rejects.toThrow("ENGINE_A has more than one value");
  });
});
