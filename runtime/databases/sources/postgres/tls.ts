/**
 * Maps `sslmode` to the transports to try, in order, as libpq does. Certificates are PEM text or paths of PEM files.
 * Files are read for each connection, so that renewed certificates take effect.
 */
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

export const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
export type SslMode = (typeof sslModes)[number];

export interface TlsSettings {
  /** Absent: `prefer`, or `allow` for connections within the machine. */
  readonly mode?: SslMode;
  readonly rootCertificate?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** The transport of a connection: `false` without encryption, otherwise the TLS options. */
export type Transport = false | ConnectionOptions;

/** Returns one or two transports; the second is for a server that rejects the first. Reads certificate files. */
export function transportsFor(tls: TlsSettings, host: string | undefined): readonly Transport[] {
  if (host?.startsWith("/")) return [false];
  switch (tls.mode ?? (isLoopback(host) ? "allow" : "prefer")) {
    case "disable":
      return [false];
    case "allow":
      return [false, { ...certificates(tls), rejectUnauthorized: false }];
    case "prefer":
      return [{ ...certificates(tls), rejectUnauthorized: false }, false];
    case "require":
      // as in libpq: with a root certificate, `require` verifies the server's certificate like `verify-ca`
      if (tls.rootCertificate !== undefined) return [checkAuthorityOnly(tls)];
      return [{ ...certificates(tls), rejectUnauthorized: false }];
    case "verify-ca":
      return [checkAuthorityOnly(tls)];
    case "verify-full":
      return [{ ...certificates(tls), rejectUnauthorized: true }];
  }
}

function isLoopback(host: string | undefined): boolean {
  return host === undefined || host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function checkAuthorityOnly(tls: TlsSettings): ConnectionOptions {
  return { ...certificates(tls), rejectUnauthorized: true, checkServerIdentity: () => undefined };
}

function certificates(tls: TlsSettings): ConnectionOptions {
  return {
    ...(tls.rootCertificate !== undefined && { ca: pem(tls.rootCertificate) }),
    ...(tls.certificate !== undefined && { cert: pem(tls.certificate) }),
    ...(tls.key !== undefined && { key: pem(tls.key) }),
    ...(tls.passphrase !== undefined && { passphrase: tls.passphrase }),
  };
}

function pem(textOrPath: string): string {
  return textOrPath.includes("-----BEGIN ") ? textOrPath : readFileSync(textOrPath, "utf8");
}
