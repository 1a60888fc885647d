import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../runtime/config/configuration-error.ts";
import { optionTable } from "../../../runtime/config/option-table.ts";
import {
  describeOptions,
  type Environment,
  type Flags,
  flagName,
  parseOptions,
} from "../../../runtime/config/options.ts";

function problems(flags: Flags, environment: Environment): readonly string[] {
  try {
    parseOptions(flags, environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split("\n");
    throw error;
  }
  return [];
}

describe("Precedence of options", () => {
  it("An option has its default if it is not set", () => {
    const options = parseOptions({}, {});
    expect(options.serverPort).toBe(8080);
    expect(options.adminSecret).toBeNull();
    expect([...options.enabledApis]).toEqual(["metadata", "graphql", "pgdump", "config"]);
    expect([...options.enabledLogTypes]).toEqual([
      "startup",
      "http-log",
      "webhook-log",
      "websocket-log",
      "mcp-log",
      "jwk-refresh-log",
    ]);
  });

  it("A flag takes precedence over the variable and the variable over the default", () => {
    const environment = { ENGINE_GRAPHQL_SERVER_PORT: "9000", ENGINE_GRAPHQL_LOG_LEVEL: "WARN" };
    expect(parseOptions({}, environment)).toMatchObject({ serverPort: 9000, logLevel: "warn" });
    expect(parseOptions({ serverPort: "9001" }, environment)).toMatchObject({ serverPort: 9001, logLevel: "warn" });
  });

  it("An invalid variable is ignored if a flag overrides it", () => {
    expect(parseOptions({ serverPort: "1" }, { ENGINE_GRAPHQL_SERVER_PORT: "many" }).serverPort).toBe(1);
  });

  it("Variables without an option are ignored", () => {
    expect(problems({}, { ENGINE_GRAPHQL_NO_SUCH_OPTION: "x", ENGINE_GRAPHQL_ENDPOINT: "http://a" })).toEqual([]);
  });
});

describe("Option values", () => {
  const notBoolean =
    ' Not a valid boolean text. True values are ["true","t","yes","y"] and  False values are ["false","f","no","n"].' +
    " All values are case insensitive";

  it.each(["true", "T", "yes", "Y"])("A boolean option reads %s as true", (text) => {
    expect(parseOptions({}, { ENGINE_GRAPHQL_DEV_MODE: text }).devMode).toBe(true);
  });

  it.each(["false", "F", "No", "n"])("A boolean option reads %s as false", (text) => {
    expect(parseOptions({}, { ENGINE_GRAPHQL_ADMIN_INTERNAL_ERRORS: text }).adminInternalErrors).toBe(false);
  });

  it("A switch without a value is true", () => {
    expect(parseOptions({ disableCors: true }, {}).disableCors).toBe(true);
  });

  it.each([
    ["ENGINE_GRAPHQL_DEV_MODE", "1", notBoolean],
    ["ENGINE_GRAPHQL_DEV_MODE", "", notBoolean],
    ["ENGINE_GRAPHQL_PG_CONNECTIONS", "ten", "not a valid integer"],
    ["ENGINE_GRAPHQL_PG_CONNECTIONS", "1.5", "not a valid integer"],
    ["ENGINE_GRAPHQL_PG_CONNECTIONS", "", "not a valid integer"],
    ["ENGINE_GRAPHQL_PG_CONNECTIONS", "-1", "Only expecting a non negative integer"],
    ["ENGINE_GRAPHQL_PG_CONNECTIONS", "0", "Only expecting a positive integer"],
    ["ENGINE_GRAPHQL_SERVER_PORT", "65536", "expecting an integer of at most 65535"],
    ["ENGINE_GRAPHQL_DATABASE_URL", "", "empty string not allowed"],
    [
      "ENGINE_GRAPHQL_DATABASE_URL",
      "foo",
      "expected the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name",
    ],
    ["ENGINE_GRAPHQL_UNAUTHORIZED_ROLE", "", "empty string not allowed"],
    [
      "ENGINE_GRAPHQL_TX_ISOLATION",
      "chaos",
      'unexpected value "chaos"; expecting one of read-committed, repeatable-read, serializable',
    ],
    [
      "ENGINE_GRAPHQL_ENABLED_APIS",
      "graphql,rest",
      'unexpected value "rest"; expecting a comma separated list of metadata, graphql, pgdump, config, developer, metrics, mcp',
    ],
    ["ENGINE_GRAPHQL_ADMIN_SECRETS", '["a", ""]', "expecting a JSON array of non-empty strings"],
    ["ENGINE_GRAPHQL_ADMIN_SECRETS", "a,b", "expecting a JSON array of non-empty strings"],
    [
      "ENGINE_GRAPHQL_CORS_DOMAIN",
      "example.com",
      "invalid domain: 'example.com'. All domains should have scheme + (optional wildcard) host + (optional port)",
    ],
  ])("An option refuses %s=%j", (variable, text, message) => {
    expect(problems({}, { [variable]: text })).toEqual([`Fatal Error: Environment variable ${variable}: ${message}`]);
  });

  it("The error about an unknown log type lists the valid ones", () => {
    const [message] = problems({}, { ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "http-log,nope" });
    expect(message).toContain('unexpected value "nope"');
    expect(message).toContain("startup, http-log, webhook-log, websocket-log, mcp-log, query-log, execution-log");
  });

  it("List options ignore case and blanks", () => {
    const options = parseOptions({}, { ENGINE_GRAPHQL_ENABLED_APIS: " GraphQL , METADATA" });
    expect([...options.enabledApis]).toEqual(["graphql", "metadata"]);
    expect(parseOptions({}, { ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "" }).enabledLogTypes.size).toBe(0);
  });

  it("All invalid options are reported together, each by the name that was used", () => {
    const found = problems({ serverPort: "x" }, { ENGINE_GRAPHQL_DEV_MODE: "x", ENGINE_GRAPHQL_PG_TIMEOUT: "x" });
    expect(found).toEqual([
      "option --server-port: not a valid integer",
      "Fatal Error: Environment variable ENGINE_GRAPHQL_PG_TIMEOUT: not a valid integer",
      `Fatal Error: Environment variable ENGINE_GRAPHQL_DEV_MODE: ${notBoolean}`,
    ]);
  });
});

describe("Secret options", () => {
  const url = "postgres://me:hunter2@db/app";
  const options = parseOptions(
    {},
    {
      ENGINE_GRAPHQL_DATABASE_URL: url,
      ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2",
      ENGINE_GRAPHQL_ADMIN_SECRETS: '["hunter2b"]',
    },
  );

  it("Secret options return their values on request", () => {
    expect(options.databaseUrl?.reveal()).toBe(url);
    expect(options.adminSecrets.map((secret) => secret.reveal())).toEqual(["hunter2b"]);
  });

  it.each([
    ["JSON", JSON.stringify],
    ["the console", (value: unknown) => inspect(value, { depth: 9, showHidden: true })],
    ["text", (value: typeof options) => `${value.adminSecret} ${value.databaseUrl} ${value.adminSecrets}`],
  ])("Secret options do not leak through %s", (_, print) => {
    expect(print(options)).not.toContain("hunter2");
    expect(print(options)).toContain("<redacted>");
  });

  it("An error about a secret option does not quote it", () => {
    expect(problems({}, { ENGINE_GRAPHQL_ADMIN_SECRETS: '["hunter2"' }).join()).not.toContain("hunter2");
  });
});

describe("Descriptions of options", () => {
  it("describeOptions lists each option once with names, default and explanation", () => {
    const described = describeOptions();
    expect(described.map(({ name }) => name)).toEqual(Object.keys(optionTable));
    expect(described.find(({ name }) => name === "serverPort")).toEqual({
      name: "serverPort",
      group: "Server",
      brief: "port to listen on; default 8080",
      flag: "--server-port",
      short: null,
      variable: "ENGINE_GRAPHQL_SERVER_PORT",
      valueName: "port",
      isSwitch: false,
      choices: null,
      range: { minimum: 0, maximum: 65_535 },
      default: "8080",
      doc: "port to listen on",
    });
    for (const { doc } of described) expect(doc).not.toBe("");
  });

  it("Each flag and variable belongs to one option", () => {
    const described = describeOptions();
    const names = described
      .flatMap(({ flag, short, variable }) => [flag, short, variable])
      .filter((name) => name !== null);
    expect(new Set(names).size).toBe(names.length);
  });

  it("Each listed default is accepted by its option and parsed as the default", () => {
    const defaults = parseOptions({}, {});
    for (const { name, variable, default: shown } of describeOptions()) {
      if (shown !== null) expect(parseOptions({}, { [variable]: shown })[name]).toEqual(defaults[name]);
    }
  });

  it("Flags are named as in the command-line library", () => {
    expect(flagName("--enable-console")).toBe("enableConsole");
    expect(flagName("--v1-boolean-null-collapse")).toBe("v1BooleanNullCollapse");
    expect(flagName("--preserve-401-errors")).toBe("preserve401Errors");
  });
});

describe("The --metadata-defaults option", () => {
  const name = "ENGINE_GRAPHQL_METADATA_DEFAULTS";
  const problem = (text: string) => problems({}, { [name]: text })[0]?.replace(/^.*?: /, "");

  it.each(['{"backend_configs": {"postgres": {}}}', "{}", '{"version": 3, "sources": [], "network": {}}'])(
    "--metadata-defaults accepts %s",
    (text) => expect(problem(text)).toBeUndefined(),
  );

  it.each([
    ["[]", "expecting a JSON object"],
    ["{", "expecting a JSON object"],
    ['{"backend_configs": []}', 'expecting an object as "backend_configs"'],
    ['{"sources": [{"name": "a"}]}', 'only "backend_configs" is allowed, found "sources"'],
    ['{"__proto__": {}}', "expecting a JSON object"],
  ])("--metadata-defaults refuses %s", (text, message) => expect(problem(text)).toContain(message));

  it("--metadata-defaults is redacted because it may hold credentials", () => {
    const options = parseOptions({}, { [name]: '{"backend_configs": {"a": {"uri": "http://hunter2"}}}' });
    expect(inspect(options, { depth: 9 })).not.toContain("hunter2");
  });
});
