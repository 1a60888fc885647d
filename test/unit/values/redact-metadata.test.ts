import { describe, expect, it } from "vitest";
import { redactor } from "../../../runtime/values/redact-metadata.ts";

describe("Redaction of metadata", () => {
  it("Redacted metadata has no passwords in URLs", () => {
    const redact = redactor();
    expect(redact("postgres://me:hush@host/db")).toBe("postgres://me:<redacted 1>@host/db");
    expect(redact("postgres://me:p@ss:w@host:5432/db")).toBe("postgres://me:<redacted 2>@host:5432/db");
    expect(redact("Driver=x;Server=y;Uid=me;Pwd=hush;")).toBe("Driver=x;Server=y;Uid=me;Pwd=<redacted 1>;");
    expect(redact("host=h password='a b' user=me")).toBe("host=h password=<redacted 3> user=me");
    for (const text of ["http://host:8080/path", "https://host/@name", "postgres://{{HOST}}/db", "a: b@c"]) {
      expect(redact(text)).toBe(text);
    }
  });

  it("Redacted metadata has no passwords of connection parameters and no literal header values", () => {
    const shown = redactor()({
      connection_info: { database_url: { connection_parameters: { username: "me", password: "hush" } } },
      headers: [
        { name: "Authorization", value: "Bearer hush" },
        { name: "X", value_from_env: "X_VALUE" },
      ],
      request_transform: { request_headers: { add_headers: { a: "hush", b: "{{$session_variables['x']}}" } } },
    });
    expect(JSON.stringify(shown)).not.toContain('hush"');
    expect(shown).toMatchObject({
      headers: [{ name: "Authorization", value: "<redacted 2>" }, { value_from_env: "X_VALUE" }],
      request_transform: { request_headers: { add_headers: { b: "{{$session_variables['x']}}" } } },
    });
  });

  it("Redacted metadata still shows whether two secrets differ", () => {
    const redact = redactor();
    const url = (password: string) => ({ database_url: `postgres://me:${password}@host/db` });
    expect(redact(url("one"))).toEqual(redact(url("one")));
    expect(redact(url("one"))).not.toEqual(redact(url("two")));
  });

  it("Redacted metadata keeps columns and presets named password", () => {
    const permission = { columns: ["password"], set: { password: "x-engine-password" } };
    expect(redactor()(permission)).toEqual(permission);
  });
});
