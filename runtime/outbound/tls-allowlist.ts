/** Hosts whose certificates are not verified: `network.tls_allowlist`. */

export interface TlsAllow {
  readonly host: string;
  /** Port; absent or `null` for any port. */
  readonly suffix?: string | null;
}

/**
 * Returns true if certificates of the origin are not verified.
 * @param origin such as `https://host:port`
 */
export function isCertificateUnchecked(origin: string | URL, allowlist: readonly TlsAllow[]): boolean {
  if (allowlist.length === 0) return false;
  const { hostname, port } = new URL(origin);
  // `URL.port` is empty for the scheme's default port.
  const suffix = port || "443";
  return allowlist.some((allowed) => allowed.host === hostname && (allowed.suffix ?? suffix) === suffix);
}
