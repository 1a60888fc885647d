/** The admin secret that `--make-admin-secret` makes: who can read it, and what else is taken for it. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { madeAdminSecret, madeSecretLine } from "../../../runtime/cli/made-admin-secret.ts";
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

describe("an admin secret that a start makes", () => {
  it("is random, kept for the server's user only, and read by the next start", async () => {
    const first = await madeAdminSecret(options());
    const text = first?.secret.reveal() ?? "";
    expect(text).toMatch(/^[0-9a-f]{64}$/);
    expect([first?.path, first?.isNew, (await stat(path)).mode & 0o777]).toEqual([path, true, 0o600]);
    expect(await readFile(path, "utf8")).toBe(`${text}\n`);
    const next = await madeAdminSecret(options());
    expect([next?.secret.reveal(), next?.isNew]).toEqual([text, false]);
    await rm(path);
    expect((await madeAdminSecret(options()))?.secret.reveal()).not.toBe(text);
  });

  it("is one for servers that start at the same time", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => madeAdminSecret(options())));
    const kept = (await readFile(path, "utf8")).trim();
    expect(made.map((each) => each?.secret.reveal())).toEqual(made.map(() => kept));
    expect(made.filter((each) => each?.isNew)).toHaveLength(1);
    expect(await readdir(join(folder, "deep"))).toEqual(["postgres.admin-secret"]);
  });

  it("is shown on a terminal when it is made, and nowhere else", async () => {
    const first = await madeAdminSecret(options());
    const next = await madeAdminSecret(options());
    if (!first || !next) throw new Error("none was made");
    const text = first.secret.reveal();
    expect(madeSecretLine(first, true)).toContain(text);
    for (const line of [madeSecretLine(first, false), madeSecretLine(next, true), madeSecretLine(next, false)]) {
      expect(line).toBe(`admin secret: kept in ${path}`);
    }
    expect(JSON.stringify(first) + String(first.secret)).not.toContain(text);
  });

  it("is made at each start, and kept nowhere, where the databases are elsewhere", async () => {
    const elsewhere = options({ ENGINE_GRAPHQL_DATABASE_URL: "postgres://localhost/x" });
    const [first, next] = [await madeAdminSecret(elsewhere), await madeAdminSecret(elsewhere)];
    if (!first || !next) throw new Error("none was made");
    expect(first.path).toBeUndefined();
    expect(next.secret.reveal()).not.toBe(first.secret.reveal());
    expect(madeSecretLine(first, false)).toContain(first.secret.reveal());
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  it("is not made beside one that is set, nor without the option", async () => {
    expect(await madeAdminSecret(options({ ENGINE_GRAPHQL_ADMIN_SECRET: "set" }))).toBeUndefined();
    expect(await madeAdminSecret(options({ ENGINE_GRAPHQL_MAKE_ADMIN_SECRET: "false" }))).toBeUndefined();
  });

  it.each<readonly [string, (kept: string) => Promise<unknown>, string]>([
    ["that other users may read", (kept) => chmod(kept, 0o644), "other users may read it"],
    ["that was emptied", (kept) => writeFile(kept, ""), "it holds no secret"],
    ["with a short secret", (kept) => writeFile(kept, "abc"), "it holds no secret"],
    ["of a megabyte", (kept) => writeFile(kept, "a".repeat(2 ** 20)), "it holds no secret"],
    [
      "that is a link",
      async (kept) => {
        await writeFile(join(folder, "other"), "a".repeat(64), { mode: 0o600 });
        await rm(kept);
        await symlink(join(folder, "other"), kept);
      },
      "ELOOP",
    ],
  ])("is not taken from a file %s", async (_, tamper, reason) => {
    await madeAdminSecret(options());
    await tamper(path);
    await expect(madeAdminSecret(options())).rejects.toThrow(reason);
  });
});
