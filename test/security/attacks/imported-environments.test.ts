// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of Compose files
/** Imported Compose files may be untrusted: they copy no other files of the user, add no variables and stop nothing. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const service = (lines: string): string => `services:\n  api:\n    image: hasura/graphql-engine:v2.40.0\n${lines}`;

async function imported(compose: string) {
  const folder = await temporaryDirectory({ "docker-compose.yaml": compose });
  const { code, stdout, stderr } = await runCommand("import", join(folder, "docker-compose.yaml"));
  return { code, variables: { ...parseEnv(stdout) }, stderr };
}

it.each(["/etc/hostname", "../outside.env", "sub/../../outside.env", "link.env", "${HOME}/x"])(
  "env_file %s is refused, because it is not in the folder of the file",
  async (path) => {
    const folder = await temporaryDirectory({
      "outside.env": "STOLEN=hush\n",
      "project/docker-compose.yaml": service(
        `    environment: [HASURA_GRAPHQL_DEV_MODE=true]\n    env_file: ${path}\n`,
      ),
    });
    await symlink(join(folder, "outside.env"), join(folder, "project/link.env"));
    const { code, stdout, stderr } = await runCommand("import", join(folder, "project/docker-compose.yaml"));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("is not in the folder of the Compose file; copy it there");
    expect(stderr).not.toContain("hush");
  },
);

it("A .env that links to a file outside the folder is not read", async () => {
  const folder = await temporaryDirectory({
    "outside.env": "STOLEN=hush\n",
    "project/docker-compose.yaml": service('    environment: { HASURA_GRAPHQL_AUTH_HOOK: "http://a/${STOLEN-x}" }\n'),
  });
  await symlink(join(folder, "outside.env"), join(folder, "project/.env"));
  const { stdout } = await runCommand("import", join(folder, "project/docker-compose.yaml"));
  expect(parseEnv(stdout)).toEqual({ ENGINE_GRAPHQL_AUTH_HOOK: "http://a/x" });
});

it("Aliases that would expand exponentially are read or refused in bounded time", async () => {
  const level = (name: string, of: string, count: number) =>
    `x-${name}: &${name} {<<: [${Array(count).fill(`*${of}`).join(", ")}]}\n`;
  const names = "abcdefghijklmnopqrstuvwxy";
  const bomb = (count: number) =>
    `x-a: &a { HASURA_GRAPHQL_DEV_MODE: true }\n${[...names.slice(1)].map((name, index) => level(name, names[index] ?? "", count)).join("")}`;
  const merging = `${service("    environment: { <<: *y }\n")}`;
  const { code, variables } = await imported(bomb(9) + merging);
  expect([code, variables]).toEqual([0, { ENGINE_GRAPHQL_DEV_MODE: "true" }]);
  expect((await imported(bomb(20) + merging)).stderr).toMatch(/it has more than 256 aliases\n$/);
});

it.each([
  ["of more than 1 MiB", `# ${"x".repeat(1024 * 1024)}\n`, "it is larger than 1 MiB"],
  ["nested too deeply", `a: ${"[".repeat(100_000)}\n`, ""],
])("A file %s is refused with one line", async (_, compose, message) => {
  const { code, stderr } = await imported(compose);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

it("Control characters and line breaks of names and values add no variable and reach no terminal", async () => {
  const compose = service(`    environment:
      "HASURA_GRAPHQL_ADMIN_SECRET": "a\\nENGINE_GRAPHQL_DEV_MODE=true\\e[2J"
      "BAD\\nENGINE_GRAPHQL_INSECURE_NO_SECRET": "true"
      __proto__: x
`);
  const { code, variables, stderr } = await imported(compose);
  expect(code).toBe(1);
  expect(variables).toEqual({ ENGINE_GRAPHQL_ADMIN_SECRET: "a\nENGINE_GRAPHQL_DEV_MODE=true\u001b[2J" });
  expect(stderr).toContain('warning: variable "BAD\\nENGINE_GRAPHQL_INSECURE_NO_SECRET" is left out');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters that must not be printed
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});
