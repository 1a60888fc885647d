import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { type GlobalFlags, readSettings } from "../../../../runtime/cli/project/settings.ts";
import type { Environment } from "../../../../runtime/config/options.ts";
import { project } from "../project-folder.ts";

const everywhere = {
  "config.yaml": "version: 3\nendpoint: http://config\nadmin_secret: from-config\nmetadata_directory: config-dir\n",
  ".env":
    "ENGINE_GRAPHQL_ENDPOINT=http://dotenv\nENGINE_GRAPHQL_ADMIN_SECRET=from-dotenv\nENGINE_GRAPHQL_METADATA_DIRECTORY=dotenv-dir\n",
};

const variables = {
  ENGINE_GRAPHQL_ENDPOINT: "http://variable",
  ENGINE_GRAPHQL_ADMIN_SECRET: "from-variable",
  ENGINE_GRAPHQL_METADATA_DIRECTORY: "variable-dir",
};

/** Returns endpoint, secret and metadata path of the project. */
async function settled(
  files: Readonly<Record<string, string>>,
  flags: GlobalFlags = {},
  environment: Environment = {},
) {
  const folder = await project(files);
  const { endpoint, adminSecret, metadataPath } = await readSettings({ project: folder, ...flags }, environment);
  return [endpoint, adminSecret?.reveal(), metadataPath.replace(`${folder}/`, "")];
}

async function failure(
  files: Readonly<Record<string, string>>,
  flags: GlobalFlags = {},
  environment: Environment = {},
) {
  const folder = await project(files);
  const error: unknown = await readSettings({ project: folder, ...flags }, environment).then(
    () => "no error",
    (error: unknown) => error,
  );
  return error instanceof Error ? error.message.replaceAll(`${folder}/`, "") : error;
}

describe("Project settings", () => {
  it("Project settings come from the flag, the environment, .env, the config file or the default, in this order", async () => {
    const flags = { endpoint: "https://flag/", adminSecret: "from-flag" };
    expect(await settled(everywhere, flags, variables)).toEqual(["https://flag", "from-flag", "variable-dir"]);
    expect(await settled(everywhere, {}, variables)).toEqual(["http://variable", "from-variable", "variable-dir"]);
    expect(await settled(everywhere)).toEqual(["http://dotenv", "from-dotenv", "dotenv-dir"]);
    const { ".env": _, ...config } = everywhere;
    expect(await settled(config)).toEqual(["http://config", "from-config", "config-dir"]);
    expect(await settled({})).toEqual(["http://localhost:8080", undefined, "metadata"]);
  });

  it("Unknown keys of the config file are reported", async () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      const config = "version: 3\nendpont: http://x\napi_paths: {}\nactions: {}\n";
      expect(await settled({ "config.yaml": config })).toEqual(["http://localhost:8080", undefined, "metadata"]);
      expect(write.mock.calls.map(([line]) => String(line).replace(/ \S+config\.yaml/, " config.yaml"))).toEqual([
        'warning: config.yaml:2:10: unknown setting "endpont"; did you mean "endpoint"?\n',
      ]);
    } finally {
      write.mockRestore();
    }
  });

  it("Project settings may come from another file of variables", async () => {
    const files = { ...everywhere, "ci.env": "ENGINE_GRAPHQL_ENDPOINT=http://ci\n" };
    expect(await settled(files, { envfile: "ci.env" })).toEqual(["http://ci", "from-config", "config-dir"]);
    expect(await failure(files, { envfile: "missing.env" })).toBe("no such file: missing.env, set by --envfile");
  });

  it("Project settings use the first of several admin secrets", async () => {
    expect((await settled({ "config.yaml": "version: 3\nadmin_secrets: [one, two]\n" }))[1]).toBe("one");
    const environment = { ENGINE_GRAPHQL_ADMIN_SECRETS: '["three"]' };
    expect((await settled(everywhere, {}, environment))[1]).toBe("three");
    expect((await settled(everywhere, { adminSecret: "" }))[1]).toBe("from-dotenv");
  });

  it("Project settings keep a path in the endpoint and absolute paths", async () => {
    const files = {
      "config.yaml": "version: 3\nendpoint: https://host/prefix/?x=1\nmetadata_directory: /srv/metadata\n",
    };
    expect(await settled(files)).toEqual(["https://host/prefix", undefined, "/srv/metadata"]);
  });

  it("Project settings include the verification of the server's certificate", async () => {
    const folder = await project({
      "config.yaml": "version: 3\ninsecure_skip_tls_verify: true\ncertificate_authority: ca.pem\n",
    });
    const configured = await readSettings({ project: folder }, {});
    expect([configured.verifyTls, configured.certificateAuthority]).toEqual([false, `${folder}/ca.pem`]);
    const environment = { ENGINE_GRAPHQL_INSECURE_SKIP_TLS_VERIFY: "false" };
    const overridden = await readSettings({ project: folder, certificateAuthority: "mine.pem" }, environment);
    expect([overridden.verifyTls, overridden.certificateAuthority]).toEqual([true, "mine.pem"]);
  });

  it("Project settings do not show the admin secret", async () => {
    const folder = await project(everywhere);
    const settings = await readSettings({ project: folder, adminSecret: "hush" }, {});
    const { environment: _, ...shown } = settings;
    expect(inspect(shown) + JSON.stringify(shown)).not.toContain("hush");
  });

  it.each([
    [
      "version: 2\n",
      'config.yaml:1:10: version: expected "version: 3"; `engine import` makes a project of version 3 from one of version 1 or 2',
    ],
    [
      "endpoint: http://x\n",
      'config.yaml:1:1: version: expected "version: 3"; `engine import` makes a project of version 3 from one of version 1 or 2',
    ],
    ["version: 3\nadmin_secret: 5\n", "config.yaml:2:15: admin_secret: expected a string"],
    ["version: 3\nadmin_secrets: [a, 5]\n", "config.yaml:2:20: admin_secrets[1]: expected a string"],
    ["version: 3\nendpoint: [\n", expect.stringMatching(/^config\.yaml:\d+:\d+: /)],
    ["- 1\n", "config.yaml:1:1: expected an object"],
    [
      "version: 3\nendpoint: nowhere\n",
      "config.yaml: endpoint: expected the URL of a server, for example http://localhost:8080",
    ],
  ])("The config file %j is refused", async (text, message) => {
    expect(await failure({ "config.yaml": text })).toEqual(message);
  });

  it.each([
    ["", "empty string not allowed"],
    ["ftp://x", "expected the URL of a server, for example http://localhost:8080"],
    ["http://me:hush@x", "expected a URL without user and password"],
  ])("The endpoint variable %j is refused", async (ENGINE_GRAPHQL_ENDPOINT, message) => {
    expect(await failure({}, {}, { ENGINE_GRAPHQL_ENDPOINT })).toBe(
      `Fatal Error: Environment variable ENGINE_GRAPHQL_ENDPOINT: ${message}`,
    );
  });

  it("Project settings are refused for a missing project", async () => {
    const folder = await project();
    expect(await failure({}, { project: `${folder}/missing` })).toBe(
      `option --project: no such directory: ${folder}/missing`,
    );
  });
});
