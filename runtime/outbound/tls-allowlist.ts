/** Hosts whose certificates need not be signed by a known authority: `network.tls_allowlist` (`automation.md` J.1). */

export interface TlsAllow {
  readonly host: string;
  /** The port; absent or `null`: any. */
  readonly suffix?: string | null;
}

/** @param origin `https://host:port` */
export function isCertificateUnchecked(origin: string | URL, allowlist: readonly TlsAllow[]): boolean {
  if (allowlist.length === 0) return false;
  const { hostname, port } = new URL(origin);
  // The default port of the scheme is not part of an origin.
  const suffix = port || "443";
  return allowlist.some((allowed) => allowed.host === hostname && (allowed.suffix ?? suffix) === suffix);
}
