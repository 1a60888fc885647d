/** The admin secret that `--make-admin-secret` creates: its file permissions, and refusal of other values. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { generatedAdminSecret, generatedSecretText } from "../../../runtime/cli/generated-admin-secret.ts";
import { parseOptions } from "../../../runtime/config/options.ts";

let folder: string;
let path: string;
const options = (more: Record<string, string> = {}) =>
  parseOptions(
    {},
    { ENGINE_GRAPHQL_MAKE_ADMIN_SECRET: "true", ENGINE_GRAPHQL_DATA_DIR: join(folder, "deep", "postgres"), ...more },
  );

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "made-secret-"));
  path = join(folder, "deep", "postgres.admin-secret");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("Generated admin secrets", () => {
  it("A generated admin secret is random, readable only by the server's user, and reused at the next start", async () => {
    const first = await generatedAdminSecret(options());
    const text = first?.secret.reveal() ?? "";
    expect(text).toMatch(/^[0-9a-f]{64}$/);
    expect([first?.path, first?.isNew, (await stat(path)).mode & 0o777]).toEqual([path, true, 0o600]);
    expect(await readFile(path, "utf8")).toBe(`${text}\n`);
    const next = await generatedAdminSecret(options());
    expect([next?.secret.reveal(), next?.isNew]).toEqual([text, false]);
    await rm(path);
    expect((await generatedAdminSecret(options()))?.secret.reveal()).not.toBe(text);
  });

  it("Servers that start concurrently share one generated admin secret", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => generatedAdminSecret(options())));
    const kept = (await readFile(path, "utf8")).trim();
    expect(made.map((each) => each?.secret.reveal())).toEqual(made.map(() => kept));
    expect(made.filter((each) => each?.isNew)).toHaveLength(1);
    expect(await readdir(join(folder, "deep"))).toEqual(["postgres.admin-secret"]);
  });

  it("A generated admin secret is shown once on a terminal and in no other output", async () => {
    const first = await generatedAdminSecret(options());
    const next = await generatedAdminSecret(options());
    if (!first || !next) throw new Error("none was made");
    const text = first.secret.reveal();
    expect(generatedSecretText(first, true)).toContain(text);
    for (const line of [
      generatedSecretText(first, false),
      generatedSecretText(next, true),
      generatedSecretText(next, false),
    ]) {
      expect(line).toBe(`stored in ${path}`);
    }
    expect(JSON.stringify(first) + String(first.secret)).not.toContain(text);
  });

  it("A server with an external database generates a new admin secret at each start and stores none", async () => {
    const otherDatabase = options({ ENGINE_GRAPHQL_DATABASE_URL: "postgres://localhost/x" });
    const [first, next] = [await generatedAdminSecret(otherDatabase), await generatedAdminSecret(otherDatabase)];
    if (!first || !next) throw new Error("none was made");
    expect(first.path).toBeUndefined();
    expect(next.secret.reveal()).not.toBe(first.secret.reveal());
    expect(generatedSecretText(first, false)).toContain(first.secret.reveal());
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  it("No admin secret is generated if one is set or the option is off", async () => {
    expect(await generatedAdminSecret(options({ ENGINE_GRAPHQL_ADMIN_SECRET: "set" }))).toBeUndefined();
    expect(await generatedAdminSecret(options({ ENGINE_GRAPHQL_MAKE_ADMIN_SECRET: "false" }))).toBeUndefined();
  });

  it.each<readonly [string, (kept: string) => Promise<unknown>, string]>([
    ["that other users may read", (kept) => chmod(kept, 0o644), "other users may read it"],
    ["that was emptied", (kept) => writeFile(kept, ""), "it contains no secret"],
    ["with a short secret", (kept) => writeFile(kept, "abc"), "it contains no secret"],
    ["of a megabyte", (kept) => writeFile(kept, "a".repeat(2 ** 20)), "it contains no secret"],
    [
      "that is a link",
      async (kept) => {
        await writeFile(join(folder, "other"), "a".repeat(64), { mode: 0o600 });
        await rm(kept);
        await symlink(join(folder, "other"), kept);
      },
      "ELOOP",
    ],
  ])("A generated admin secret is refused from a file %s", async (_, tamper, reason) => {
    await generatedAdminSecret(options());
    await tamper(path);
    await expect(generatedAdminSecret(options())).rejects.toThrow(reason);
  });
});
