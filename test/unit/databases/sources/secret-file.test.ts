import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSecretFile, type SecretFile, secretFile } from "../../../../runtime/databases/sources/secret-file.ts";

const refused = (message: RegExp) =>
  expect.objectContaining({ code: "permission-error", message: expect.stringMatching(message) });

describe("a path for dynamic_from_file", () => {
  it.each(["/run/secrets", "/run/secrets/"])("lies below the prefix %s", (dynamicSecretsPrefix) => {
    const allowed = { variables: {}, dynamicSecretsPrefix };
    for (const path of ["/run/secrets/db", "/run/secrets/a/b", "/run/secrets/..db", "/run/secrets/x/../db"]) {
      expect(secretFile(path, allowed).allowed, path).toBe("/run/secrets");
    }
    const outside = [
      "/run/secrets-evil/db",
      "/run/secretsdb",
      "/run/secrets/../db",
      "/run/secrets/../secrets-evil/db",
      "/run/secrets/../../etc/passwd",
      "/etc/passwd",
      "/run",
      "run/secrets/db",
      "../run/secrets/db",
    ];
    for (const path of outside) {
      expect(() => secretFile(path, allowed), path).toThrowError(refused(/^dynamic_from_file path .* allowed prefix/));
    }
  });

  it("may be the only file that is allowed", () => {
    const allowed = { variables: {}, dynamicSecretsPrefix: "/run/secrets/db" };
    expect(secretFile("/run/secrets/db", allowed).path).toBe("/run/secrets/db");
    expect(() => secretFile("/run/secrets/db2", allowed)).toThrowError(refused(/./));
  });

  it("begins at the working directory when it is relative", () => {
    const allowed = { variables: {}, dynamicSecretsPrefix: process.cwd() };
    expect(secretFile("secrets/db", allowed).path).toBe(join(process.cwd(), "secrets/db"));
    expect(() => secretFile("../db", allowed)).toThrowError(refused(/./));
  });

  it.each([undefined, ""])("is refused while the prefix is %j", (dynamicSecretsPrefix) => {
    const environment = { variables: {}, ...(dynamicSecretsPrefix !== undefined && { dynamicSecretsPrefix }) };
    expect(() => secretFile("/run/secrets/db", environment)).toThrowError(
      refused(/^dynamic_from_file needs the setting ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX$/),
    );
  });
});

describe("the file of dynamic_from_file", () => {
  let folder: string;
  const at = (path: string): string => join(folder, path);
  const file = (path: string): SecretFile =>
    secretFile(at(path), { variables: {}, dynamicSecretsPrefix: at("secrets") });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "secret-file-")));
    for (const name of ["secrets/versions/1", "outside"]) mkdirSync(at(name), { recursive: true });
    writeFileSync(at("secrets/versions/1/db"), "inside");
    writeFileSync(at("outside/db"), "outside");
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it("is read through links that stay below the prefix", () => {
    symlinkSync("versions/1", at("secrets/current"));
    symlinkSync("current/db", at("secrets/db"));
    expect(readSecretFile(file("secrets/db"))).toBe("inside");
  });

  it("is read where the prefix itself is a link", () => {
    renameSync(at("secrets"), at("mounted"));
    symlinkSync("mounted", at("secrets"));
    expect(readSecretFile(file("secrets/versions/1/db"))).toBe("inside");
  });

  it.each([
    ["file", "secrets/db", "../outside/db", "secrets/db"],
    ["folder", "secrets/current", "../outside", "secrets/current/db"],
  ])("is refused when a link in place of the %s leads out of the prefix, also later on", (_, link, target, path) => {
    const named = file(path);
    symlinkSync(link === path ? "versions/1/db" : "versions/1", at(link));
    expect(readSecretFile(named)).toBe("inside");
    rmSync(at(link));
    symlinkSync(target, at(link));
    expect(() => readSecretFile(named)).toThrowError(refused(/leads out of the allowed prefix$/));
  });

  it("is refused when the path climbs out behind a link", () => {
    symlinkSync("../outside", at("secrets/current"));
    expect(() => readSecretFile(file("secrets/current/db"))).toThrowError(refused(/leads out/));
  });
});
