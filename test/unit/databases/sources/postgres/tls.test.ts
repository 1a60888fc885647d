import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SslMode, type Transport, transportsFor } from "../../../../../runtime/databases/sources/postgres/tls.ts";

/**
 * Returns "plain", "encrypted" (any certificate), "authority" (certificate checked) or "full" (certificate and host
 * name checked).
 */
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

describe("TLS transports of PostgreSQL", () => {
  it.each<[SslMode, readonly string[]]>([
    ["disable", ["plain"]],
    ["allow", ["plain", "encrypted"]],
    ["prefer", ["encrypted", "plain"]],
    ["require", ["encrypted"]],
    ["verify-ca", ["authority"]],
    ["verify-full", ["full"]],
  ])("transportsFor returns the transports of %s", (mode, expected) => {
    expect(kinds(mode, "db.example.org")).toEqual(expected);
  });

  it("sslmode=require verifies the certificate if an authority is given", () => {
    expect(kinds("require", "db.example.org", certificate)).toEqual(["authority"]);
  });

  it("Encryption is preferred over a network and plain connections on the local machine", () => {
    expect(kinds(undefined, "db.example.org")).toEqual(["encrypted", "plain"]);
    for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "::1", undefined]) {
      expect(kinds(undefined, host)).toEqual(["plain", "encrypted"]);
    }
  });

  it("A host that only resembles a loopback address is not treated as local", () => {
    expect(kinds(undefined, "127.0.0.1.example.org")).toEqual(["encrypted", "plain"]);
  });

  it("A Unix socket is never encrypted", () => {
    expect(kinds("verify-full", "/run/postgresql")).toEqual(["plain"]);
  });

  it("Certificates may be text or files, which are read for each connection", () => {
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

  it("The client's certificate, key and passphrase are passed on", () => {
    const key = "-----BEGIN PRIVATE KEY-----";
    expect(transportsFor({ mode: "require", certificate, key, passphrase: "p" }, "h")).toEqual([
      { cert: certificate, key, passphrase: "p", rejectUnauthorized: false },
    ]);
  });
});
