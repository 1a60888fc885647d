import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatConnectionString,
  parseConnectionString,
} from "../../../../../runtime/databases/sources/postgres/connection-string.ts";

function parse(text: string): Record<string, unknown> {
  const { parameters, ...address } = parseConnectionString(text);
  return parameters.size > 0 ? { ...address, parameters: Object.fromEntries(parameters) } : address;
}

describe("PostgreSQL connection strings", () => {
  it.each<[string, Record<string, unknown>]>([
    ["postgres://me:pw@host:6543/db", { host: "host", port: 6543, user: "me", password: "pw", database: "db" }],
    ["postgresql://host", { host: "host" }],
    ["postgres:///db", { database: "db" }],
    ["postgres://me@/db?host=/run/pg", { host: "/run/pg", user: "me", database: "db" }],
    ["postgres://%2Frun%2Fpg/db", { host: "/run/pg", database: "db" }],
    ["postgres://[::1]:5433/db", { host: "::1", port: 5433, database: "db" }],
    ["postgres://m%40e:p%3Aw@h/d%20b", { host: "h", user: "m@e", password: "p:w", database: "d b" }],
    ["postgres://me:p@:#?w@h/db", { host: "h", user: "me", password: "p@:#?w", database: "db" }],
    [
      "postgres://h/d?sslmode=require&options=-c%20a%3Db",
      {
        host: "h",
        database: "d",
        parameters: { sslmode: "require", options: "-c a=b" },
      },
    ],
    ["postgres://h?user=u&password=p&port=1&dbname=d", { host: "h", user: "u", password: "p", port: 1, database: "d" }],
    ["  postgres://h/d\n", { host: "h", database: "d" }],
    ["host = h  password='a b\\'c\\\\' dbname=d\\ e", { host: "h", password: "a b'c\\", database: "d e" }],
  ])("parseConnectionString parses %s", (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ["h/d", "it begins neither with postgresql:// nor with a keyword such as host="],
    ["mysql://h/d", "it begins neither with postgresql:// nor with a keyword such as host="],
    ["postgres://[::1]secret/d", "the part after the host is malformed"],
    ["postgres://h:secret/d", "the port is not a number from 1 to 65535"],
    ["postgres://h:70000/d", "the port is not a number from 1 to 65535"],
    ["postgres://me:sec/ret@h/d", "special characters in the user name and the password must be percent-encoded"],
    ["postgres://me:secret%zz@h/d", "a percent sign must be followed by two hexadecimal digits"],
    ["postgres://a:1,secret:2/d", "the port is not a number from 1 to 65535"],
    ["host=a,secret", "it names several hosts; name one, and read_replicas for the others"],
    ["host=h password='secret", "the list of keywords and values is malformed"],
    ["host=h secret", "the list of keywords and values is malformed"],
  ])("parseConnectionString refuses %s without quoting it", (text, reason) => {
    expect(() => parseConnectionString(text)).toThrowError(
      expect.objectContaining({ code: "invalid-configuration", message: `invalid connection string: ${reason}` }),
    );
  });

  it("parseConnectionString reads back the text of formatConnectionString", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" });
    const host = fc.constantFrom("db.example.org", "10.0.0.1", "::1", "/run/postgresql");
    const port = fc.integer({ min: 1, max: 65_535 });
    fc.assert(
      fc.property(host, port, text, text, text, (host, port, username, password, database) => {
        const written = formatConnectionString({ host, port, username, password, database });
        expect(parse(written)).toEqual({ host, port, user: username, password, database });
      }),
    );
  });
});
