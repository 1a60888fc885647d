/** The server applies new secrets together, or keeps all earlier ones. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { withSecrets } from "../../../../runtime/config/secret-commands.ts";
import { rotateEnvironment, SecretRotation } from "../../../../runtime/server/parts/secret-rotation.ts";

it("No value is applied if one step refuses the values, and all are applied once it accepts them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rotation-"));
  const file = join(folder, "HOOK_TOKEN");
  await writeFile(file, "old");
  const lines: string[] = [];
  const note = (_: unknown, { message }: { readonly message: string }) => lines.push(message);
  const rotation = SecretRotation.open({
    environment: { ENGINE_GRAPHQL_SECRETS_DIRECTORY: folder },
    current: { ENGINE_GRAPHQL_SECRETS_DIRECTORY: folder, HOOK_TOKEN: "old" },
    parse: (environment) => parseOptions({}, environment),
    log: { info: note, error: note } as never,
  });
  const environment: Record<string, string | undefined> = { HOOK_TOKEN: "old" };
  let isRefused = true;
  rotation?.follow(rotateEnvironment(environment));
  rotation?.follow(() => {
    if (isRefused) throw new Error("refused");
    return () => undefined;
  });
  await writeFile(file, "new");
  await rotation?.refresh();
  expect([environment.HOOK_TOKEN, lines]).toEqual(["old", ["Kept the previous secrets: refused"]]);
  isRefused = false;
  await rotation?.refresh();
  expect([environment.HOOK_TOKEN, lines.at(-1)]).toEqual(["new", "Applied new values of HOOK_TOKEN"]);
  rotation?.close();
  await rm(folder, { recursive: true });
});

it("A command runs again on a refresh, and a failure keeps the previous value", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rotation-"));
  const vault = join(folder, "vault");
  await writeFile(vault, "old\n");
  const given = { ENGINE_HOOK_TOKEN_COMMAND: JSON.stringify(["cat", vault]) };
  const lines: string[] = [];
  const note = (_: unknown, { message }: { readonly message: string }) => lines.push(message);
  const current = await withSecrets(given);
  const rotation = SecretRotation.open({
    environment: given,
    current,
    parse: (environment) => parseOptions({}, environment),
    log: { info: note, error: note } as never,
  });
  const environment: Record<string, string | undefined> = { ...current };
  rotation?.follow(rotateEnvironment(environment));
  await rotation?.refresh();
  expect([environment.ENGINE_HOOK_TOKEN, lines]).toEqual(["old", []]);
  await writeFile(vault, "new\n");
  await rotation?.refresh();
  expect([environment.ENGINE_HOOK_TOKEN, lines.at(-1)]).toEqual(["new", "Applied new values of ENGINE_HOOK_TOKEN"]);
  await rm(folder, { recursive: true });
  await rotation?.refresh();
  expect(environment.ENGINE_HOOK_TOKEN).toBe("new");
  expect(lines.at(-1)).toMatch(
    /Kept the previous secrets: .*ENGINE_HOOK_TOKEN_COMMAND: the command ended with exit code 1/,
  );
  rotation?.close();
});
