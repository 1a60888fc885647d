import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  readSecretFile,
  type SecretFile,
  secretFile,
} from "../../../../runtime/databases/sources/postgres/settings.ts";

const refused = (message: RegExp) =>
  expect.objectContaining({ code: "permission-error", message: expect.stringMatching(message) });

describe("Paths of dynamic_from_file", () => {
  it.each(["/run/secrets", "/run/secrets/"])("A path must be below the prefix %s", (dynamicSecretsPrefix) => {
    const allowed = { variables: {}, dynamicSecretsPrefix };
    for (const path of ["/run/secrets/db", "/run/secrets/a/b", "/run/secrets/..db", "/run/secrets/x/../db"]) {
      expect(secretFile(path, allowed).allowed, path).toBe("/run/secrets");
    }
    const otherPaths = [
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
    for (const path of otherPaths) {
      expect(() => secretFile(path, allowed), path).toThrowError(refused(/^dynamic_from_file path .* allowed prefix/));
    }
  });

  it("The allowed prefix may be a single file", () => {
    const allowed = { variables: {}, dynamicSecretsPrefix: "/run/secrets/db" };
    expect(secretFile("/run/secrets/db", allowed).path).toBe("/run/secrets/db");
    expect(() => secretFile("/run/secrets/db2", allowed)).toThrowError(refused(/./));
  });

  it("A relative path starts at the working directory", () => {
    const allowed = { variables: {}, dynamicSecretsPrefix: process.cwd() };
    expect(secretFile("secrets/db", allowed).path).toBe(join(process.cwd(), "secrets/db"));
    expect(() => secretFile("../db", allowed)).toThrowError(refused(/./));
  });

  it.each([undefined, ""])("Every path is refused while the prefix is %j", (dynamicSecretsPrefix) => {
    const environment = { variables: {}, ...(dynamicSecretsPrefix !== undefined && { dynamicSecretsPrefix }) };
    expect(() => secretFile("/run/secrets/db", environment)).toThrowError(
      refused(/^dynamic_from_file needs the setting ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX$/),
    );
  });
});

describe("Files of dynamic_from_file", () => {
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

  it("A secret file is read through links that stay below the prefix", () => {
    symlinkSync("versions/1", at("secrets/current"));
    symlinkSync("current/db", at("secrets/db"));
    expect(readSecretFile(file("secrets/db"))).toBe("inside");
  });

  it("A secret file is read if the prefix itself is a link", () => {
    renameSync(at("secrets"), at("mounted"));
    symlinkSync("mounted", at("secrets"));
    expect(readSecretFile(file("secrets/versions/1/db"))).toBe("inside");
  });

  it.each([
    ["file", "secrets/db", "../outside/db", "secrets/db"],
    ["folder", "secrets/current", "../outside", "secrets/current/db"],
  ])(
    "A secret file is refused if a link that replaces the %s has a target outside the prefix, even if the link changes later",
    (_, link, target, path) => {
      const named = file(path);
      symlinkSync(link === path ? "versions/1/db" : "versions/1", at(link));
      expect(readSecretFile(named)).toBe("inside");
      rmSync(at(link));
      symlinkSync(target, at(link));
      expect(() => readSecretFile(named)).toThrowError(refused(/leads out of the allowed prefix$/));
    },
  );

  it("A secret file is refused if its path climbs out of the prefix behind a link", () => {
    symlinkSync("../outside", at("secrets/current"));
    expect(() => readSecretFile(file("secrets/current/db"))).toThrowError(refused(/leads out/));
  });
});
