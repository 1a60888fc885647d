import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ConnectionString,
  redactUrl,
  resolveEnvironmentValue,
} from "../../../../runtime/databases/sources/connection-settings.ts";

const environment = { variables: { DB: "postgres://u:p@h/d", PASS: "s3cret", EMPTY: "" } };

describe("Environment values", () => {
  it("resolveEnvironmentValue returns a plain value unchanged", () => {
    expect(resolveEnvironmentValue("postgres://u@h/d", environment)).toBe("postgres://u@h/d");
  });

  it("resolveEnvironmentValue reads the variable named by from_env", () => {
    expect(resolveEnvironmentValue({ from_env: "DB" }, environment)).toBe("postgres://u:p@h/d");
    expect(resolveEnvironmentValue({ from_env: "EMPTY" }, environment)).toBe("");
  });

  it("resolveEnvironmentValue names the variable that is not set", () => {
    expect(() => resolveEnvironmentValue({ from_env: "NOPE" }, environment)).toThrowError(
      expect.objectContaining({ code: "not-found", message: "environment variable 'NOPE' not set", status: 400 }),
    );
  });

  it("resolveEnvironmentValue fills in templates", () => {
    expect(resolveEnvironmentValue("postgres://u:{{PASS}}@h/{{ PASS }}", environment)).toBe(
      "postgres://u:s3cret@h/s3cret",
    );
  });

  it("resolveEnvironmentValue does not expand templates inside the value of a variable", () => {
    const nested = { variables: { A: "{{PASS}}", PASS: "s3cret" } };
    expect(resolveEnvironmentValue("x{{A}}", nested)).toBe("x{{PASS}}");
  });

  it("resolveEnvironmentValue lists all missing variables of a template", () => {
    expect(() => resolveEnvironmentValue("{{A}}{{PASS}}{{B}}", environment)).toThrowError(
      expect.objectContaining({
        code: "unexpected",
        message: "Value for environment variables not found: A, B",
      }),
    );
  });
});

describe("Redaction of database URLs", () => {
  it.each([
    ["postgres://me:secret@host:5432/db?sslmode=require", "postgres://me:<REDACTED>@host:5432/db?sslmode=require"],
    ["postgres://host/db?user=me&password=secret&x=1", "postgres://host/db?user=me&password=<REDACTED>&x=1"],
    ["host=h password='se cret\\'s' dbname=d", "host=h password=<REDACTED> dbname=d"],
    ["host=h password = secret dbname=d", "host=h password = <REDACTED> dbname=d"],
    ["postgres://me@host:5432/db", "postgres://me@host:5432/db"],
    ["postgres://[::1]:5432/db", "postgres://[::1]:5432/db"],
  ])("redactUrl hides the password of %s", (text, shown) => {
    expect(redactUrl(text)).toBe(shown);
  });

  it.each([
    ["a password with @, / and :", "postgres://me:se@cr/et:x@host/db", /se@|cr|et:x/],
    ["a missing @", "postgres://me:secret/db", /secret/],
    ["a user name with a slash", "postgres://m/e:secret@host/db", /secret/],
    ["an unfinished quote", "host=h password='secret", /secret/],
  ])("redactUrl hides %s", (_, text, forbidden) => {
    expect(redactUrl(text)).not.toMatch(forbidden);
  });

  it("redactUrl hides any password of a URL", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (password, encoded) => {
        const inUrl = encoded ? encodeURIComponent(password) : password;
        expect(redactUrl(`postgres://user:${inUrl}@host:5432/db`)).toBe("postgres://user:<REDACTED>@host:5432/db");
      }),
    );
  });
});

describe("Connection strings", () => {
  it("A connection string reveals its password only to the driver", () => {
    const connection = new ConnectionString("postgres://me:secret@host/db");
    const shown = [String(connection), JSON.stringify({ connection }), inspect({ connection }), inspect(connection)];
    for (const text of shown) expect(text).not.toContain("secret");
    expect(String(connection)).toBe("postgres://me:<REDACTED>@host/db");
    expect(connection.reveal()).toBe("postgres://me:secret@host/db");
  });
});
