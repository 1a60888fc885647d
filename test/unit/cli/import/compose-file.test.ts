// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of Compose files and .env files
/** `engine import docker-compose.yaml`: the environment of the service of the original engine. */
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { interpolate } from "../../../../runtime/cli/import/interpolation.ts";
import { runCommand } from "../../../support/command-line.ts";
import { temporaryDirectory } from "../../metadata-directory/temporary-directory.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const service = (lines: string): string => `services:\n  api:\n    image: hasura/graphql-engine:v2.40.0\n${lines}`;

async function imported(compose: string, files: Readonly<Record<string, string>> = {}, ...words: readonly string[]) {
  const folder = await temporaryDirectory({ "docker-compose.yaml": compose, ...files });
  const { code, stdout, stderr } = await runCommand("import", join(folder, "docker-compose.yaml"), ...words);
  return { code, variables: { ...parseEnv(stdout) }, stdout, stderr: stderr.replaceAll(`${folder}/`, ""), folder };
}

describe("Compose files", () => {
  it("Maps, anchors, merge keys, numbers and defaults are read, and names are translated", async () => {
    vi.stubEnv("TAG", "v2");
    vi.stubEnv("FROM_SHELL", "shell");
    const compose = `
x-common: &common
  HASURA_GRAPHQL_LOG_LEVEL: warn
  HASURA_GRAPHQL_DEV_MODE: "false"
services:
  postgres:
    image: postgres:15
    environment: { POSTGRES_PASSWORD: "hush" }
  api:
    image: hasura/graphql-engine:\${TAG}
    environment:
      <<: *common
      HASURA_GRAPHQL_DEV_MODE: true
      HASURA_GRAPHQL_SERVER_PORT: 8081
      HASURA_GRAPHQL_DATABASE_URL: postgres://\${USER_NAME:-postgres}:\${PASSWORD}@postgres/app
      HASURA_GRAPHQL_ADMIN_SECRET: cost$$5
      FROM_SHELL:
      NOT_SET:
      HOOK: "\${HOOK_HOST:+http://}\${HOOK_HOST-localhost}"
`;
    const { code, variables, stderr } = await imported(compose, { ".env": "PASSWORD='from file'\nTAG=ignored\n" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(variables).toEqual({
      ENGINE_GRAPHQL_LOG_LEVEL: "warn",
      ENGINE_GRAPHQL_DEV_MODE: "true",
      ENGINE_GRAPHQL_SERVER_PORT: "8081",
      ENGINE_GRAPHQL_DATABASE_URL: "postgres://postgres:from file@postgres/app",
      ENGINE_GRAPHQL_ADMIN_SECRET: "cost$5",
      FROM_SHELL: "shell",
      HOOK: "localhost",
    });
  });

  it("Lists and env_file are read, and the environment takes precedence", async () => {
    const compose = service(`    env_file:
      - one.env
      - { path: sub/two.env, required: false }
      - { path: missing.env, required: false }
    environment:
      - HASURA_GRAPHQL_ADMIN_SECRET=three=\${X_NOT_SET}
      - HASURA_GRAPHQL_ENABLE_CONSOLE
`);
    vi.stubEnv("HASURA_GRAPHQL_ENABLE_CONSOLE", "true");
    const { code, variables, stderr } = await imported(compose, {
      "one.env": "HASURA_GRAPHQL_ADMIN_SECRET=one\nA=1\nB=1\n",
      "sub/two.env": "B=2\n",
    });
    expect(code).toBe(0);
    expect(variables).toEqual({
      ENGINE_GRAPHQL_ADMIN_SECRET: "three=",
      A: "1",
      B: "2",
      ENGINE_GRAPHQL_ENABLE_CONSOLE: "true",
    });
    expect(stderr).toBe("warning: variable X_NOT_SET is not set: its value is empty\n");
  });

  it("The service is found by its image or its variables, or chosen", async () => {
    const two =
      "services:\n  a:\n    environment: [HASURA_GRAPHQL_DEV_MODE=true]\n  b:\n    environment: [HASURA_GRAPHQL_DEV_MODE=false]\n";
    expect((await imported(two)).stderr).toBe(
      "error: cannot read docker-compose.yaml: several services run the original engine; choose one with --service: a, b\n",
    );
    const folder = await temporaryDirectory({ "stack.yml": two });
    const path = join(folder, "stack.yml");
    expect((await runCommand("import", "--compose", path, "--service", "b")).stdout).toBe(
      "ENGINE_GRAPHQL_DEV_MODE=false\n",
    );
    expect((await runCommand("import", "--compose", path, "--service", "c")).stderr).toContain(
      'it has no service "c"; its services are a, b',
    );
  });

  it.each([
    ["services: {}\n", "error: cannot read docker-compose.yaml: it has no services\n"],
    ["[]\n", "error: cannot read docker-compose.yaml: it has no services\n"],
    ["services:\n  web: { image: nginx }\n", /no service runs the original engine; name one with --service\n$/],
    [service("    environment: { A: [1] }\n"), /^docker-compose.yaml:4:23: environment.A: expected a text\n$/],
    [service("    environment: { A: $ }\n"), /^docker-compose.yaml:4:23: environment.A: invalid variable; write \$\$/],
    [service('    environment: { A: "${B:?hush}" }\n'), /environment.A: the required variable B is not set\n$/],
    [service("    env_file: missing.env\n"), "error: cannot read missing.env: ENOENT\n"],
    [service("    env_file: { a: 1 }\n"), /^docker-compose.yaml:4:15: env_file: expected a path\n$/],
    ["services: *unknown\n", /^docker-compose.yaml:1:\d+: .*unknown/],
    ["services: &a { b: *a }\n", /an anchor contains an alias of itself/],
  ])("A file is refused with the place of the mistake: %j", async (compose, message) => {
    const { code, stdout, stderr } = await imported(compose);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
  });
});

describe("Interpolation", () => {
  const lookup = (name: string): string | undefined => ({ A: "a", EMPTY: "" })[name];

  it.each([
    ["$A-${A}", "a-a"],
    ["${NONE:-${EMPTY:-${A}}}", "a"],
    ["${EMPTY-x}${EMPTY:-y}${NONE-z}", "yz"],
    ["${A:+set}${NONE:+set}${EMPTY+set}${EMPTY:+no}", "setset"],
    ["${A:?needed}$${A}$$", "a${A}$"],
    ["${A:-}}", "a}"],
  ])("%s becomes %s", (text, value) => {
    expect(interpolate(text, lookup)).toEqual({ value, unset: [] });
  });

  it("Variables without a value and a default are listed", () => {
    expect(interpolate("$NONE.${OTHER}", lookup)).toEqual({ value: ".", unset: ["NONE", "OTHER"] });
  });

  it.each(["$", "${", "${A", "${}", "${A B}", "$1", "${A:?}${NONE:?hush}", "${N-".repeat(12) + "}".repeat(12)])(
    "%s is refused without its text",
    (text) => {
      const { value, problem } = interpolate(text, lookup);
      expect(value).toBe("");
      expect(problem).toMatch(/^[a-z]/);
      expect(problem).not.toContain("hush");
    },
  );
});
