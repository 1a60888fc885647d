import { describe, expect, it } from "vitest";
import { resolvePostgresSettings } from "../../../../../runtime/databases/sources/postgres/settings.ts";

const environment = {
  variables: { DB: "postgres://u:secret@h/d", CA: "-----BEGIN CERTIFICATE-----" },
  dynamicSecretsPrefix: "/run/secrets/",
};

describe("Settings of PostgreSQL sources", () => {
  it("resolvePostgresSettings returns the documented defaults", () => {
    const { connection, ...rest } = resolvePostgresSettings("s", { database_url: { from_env: "DB" } }, environment);
    expect(rest).toEqual({
      name: "s",
      maxConnections: 50,
      poolTimeoutSeconds: 30,
      idleTimeoutSeconds: 180,
      retries: 1,
      connectionLifetimeSeconds: 600,
      prepare: "until-pooler",
      isolation: "read-committed",
      jit: false,
      disabledFeatures: new Set(),
      readOnly: false,
      tls: {},
    });
    expect(connection.kind === "text" && connection.text.reveal()).toBe("postgres://u:secret@h/d");
  });

  it("resolvePostgresSettings returns the configured values", () => {
    const settings = resolvePostgresSettings(
      "s",
      {
        database_url: {
          connection_parameters: { host: "h", port: 6000, database: "d", username: "u", password: "p/w" },
        },
        pool_settings: { max_connections: 3, idle_timeout: 4, retries: 0, pool_timeout: 5, connection_lifetime: 0 },
        use_prepared_statements: false,
        isolation_level: "serializable",
        jit: true,
        ssl_configuration: { sslmode: "verify-ca", sslrootcert: { from_env: "CA" } },
      },
      environment,
    );
    expect(settings).toMatchObject({
      maxConnections: 3,
      idleTimeoutSeconds: 4,
      retries: 0,
      poolTimeoutSeconds: 5,
      connectionLifetimeSeconds: 0,
      prepare: "never",
      isolation: "serializable",
      jit: true,
      tls: { mode: "verify-ca", rootCertificate: "-----BEGIN CERTIFICATE-----" },
    });
    const { connection } = settings;
    expect(connection.kind === "text" && connection.text.reveal()).toBe("postgresql://u:p%2Fw@h:6000/d");
  });

  it("resolvePostgresSettings prepares all statements if the source is configured so", () => {
    const info = { database_url: "postgres://h/d", use_prepared_statements: true };
    expect(resolvePostgresSettings("s", info, environment).prepare).toBe("always");
  });

  it("resolvePostgresSettings keeps the path of a dynamic secret, to be read for each connection", () => {
    const info = { database_url: { dynamic_from_file: "/run/secrets/db" } };
    expect(resolvePostgresSettings("s", info, environment).connection).toEqual({
      kind: "file",
      file: { path: "/run/secrets/db", allowed: "/run/secrets" },
    });
  });

  it.each([
    [{ database_url: { from_env: "X" } }, "not-found", "environment variable 'X' not set"],
    [{ database_url: "postgres://{{X}}" }, "unexpected", "Value for environment variables not found: X"],
    [
      { database_url: "postgres://h:x/d" },
      "invalid-configuration",
      "invalid connection string: the port is not a number from 1 to 65535",
    ],
    [{ database_url: "postgres://h/d?sslmode=tls" }, "invalid-configuration", 'invalid sslmode value: "tls"'],
    [
      { database_url: "postgres://h/d", isolation_level: "snapshot" },
      "invalid-configuration",
      'unknown isolation level "snapshot", expected one of read-committed, repeatable-read, serializable',
    ],
    [
      { database_url: "postgres://h/d", ssl_configuration: { sslmode: "tls" } },
      "invalid-configuration",
      'invalid sslmode value: "tls"',
    ],
    [
      { database_url: "postgres://h/d", ssl_configuration: { sslkey: { from_env: "X" } } },
      "not-found",
      "environment variable 'X' not set",
    ],
    [
      { database_url: { dynamic_from_file: "/etc/passwd" } },
      "permission-error",
      'dynamic_from_file path "/etc/passwd" does not begin with the allowed prefix "/run/secrets/"',
    ],
    [{}, "invalid-configuration", "one of string or object must be provided for url/webhook"],
  ])("resolvePostgresSettings refuses %j", (info, code, message) => {
    expect(() => resolvePostgresSettings("s", info, environment)).toThrowError(
      expect.objectContaining({ code, message, path: "$" }),
    );
  });

  it("The settings of a PostgreSQL source can be logged without exposing the password", () => {
    const settings = resolvePostgresSettings("s", { database_url: { from_env: "DB" } }, environment);
    expect(JSON.stringify(settings)).toContain("postgres://u:<REDACTED>@h/d");
    expect(JSON.stringify(settings)).not.toContain("secret");
  });
});
