import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SslMode, type Transport, transportsFor } from "../../../../../runtime/databases/sources/postgres/tls.ts";

/** "plain", "encrypted" (any certificate), "authority" (certificate checked), "full" (host name checked as well). */
function kind(transport: Transport): string {
  if (transport === false) return "plain";
  if (transport.rejectUnauthorized !== true) return "encrypted";
  return transport.checkServerIdentity === undefined ? "full" : "authority";
}

function kinds(mode: SslMode | undefined, host: string | undefined, rootCertificate?: string): readonly string[] {
  const tls = { ...(mode && { mode }), ...(rootCertificate && { rootCertificate }) };
  return transportsFor(tls, host).map(kind);
}

const certificate = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";

describe("transportsFor", () => {
  it.each<[SslMode, readonly string[]]>([
    ["disable", ["plain"]],
    ["allow", ["plain", "encrypted"]],
    ["prefer", ["encrypted", "plain"]],
    ["require", ["encrypted"]],
    ["verify-ca", ["authority"]],
    ["verify-full", ["full"]],
  ])("%s", (mode, expected) => {
    expect(kinds(mode, "db.example.org")).toEqual(expected);
  });

  it("checks the certificate under require when an authority is given", () => {
    expect(kinds("require", "db.example.org", certificate)).toEqual(["authority"]);
  });

  it("prefers encryption over a network and plain connections inside the machine", () => {
    expect(kinds(undefined, "db.example.org")).toEqual(["encrypted", "plain"]);
    for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "::1", undefined]) {
      expect(kinds(undefined, host)).toEqual(["plain", "encrypted"]);
    }
  });

  it("does not take a host for loopback that only looks like it", () => {
    expect(kinds(undefined, "127.0.0.1.example.org")).toEqual(["encrypted", "plain"]);
  });

  it("never encrypts a Unix socket", () => {
    expect(kinds("verify-full", "/run/postgresql")).toEqual(["plain"]);
  });

  it("takes certificates as text or from files, anew each time", () => {
    const folder = mkdtempSync(join(tmpdir(), "tls-"));
    try {
      const file = join(folder, "ca.pem");
      const read = (): unknown => transportsFor({ mode: "verify-full", rootCertificate: file }, "h")[0];
      writeFileSync(file, "first");
      expect(read()).toMatchObject({ ca: "first" });
      writeFileSync(file, "second");
      expect(read()).toMatchObject({ ca: "second" });
      expect(transportsFor({ mode: "verify-full", rootCertificate: certificate }, "h")[0]).toMatchObject({
        ca: certificate,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("passes on the client's certificate, key and passphrase", () => {
    const key = "-----BEGIN PRIVATE KEY-----";
    expect(transportsFor({ mode: "require", certificate, key, passphrase: "p" }, "h")).toEqual([
      { cert: certificate, key, passphrase: "p", rejectUnauthorized: false },
    ]);
  });
});
