/** Variables in files: names, faults of files, and precedence. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { hasSecretFiles, readSecretFiles, withSecretFiles } from "../../../runtime/config/secret-files.ts";

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
  it("A variable of the engine gets the text of the file that it names, without the last line feed", () => {
    const environment = { ENGINE_GRAPHQL_ADMIN_SECRET_FILE: file("secret", " a\nb \n"), OTHER: "x" };
    expect(withSecretFiles(environment)).toEqual({ ...environment, ENGINE_GRAPHQL_ADMIN_SECRET: " a\nb " });
  });

  it("Files named by variables of other programs are not read", () => {
    const environment = { SSL_CERT_FILE: file("certificate", "x"), engine_x_FILE: "/absent" };
    expect(hasSecretFiles(environment)).toBe(false);
    expect(withSecretFiles(environment)).toBe(environment);
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
