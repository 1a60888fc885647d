/** Determines the address that the server listens on, and whether other machines can reach it. */
import { type AdminSecrets, hasAdminSecret } from "./admin-secrets.ts";
import { automaticHost, type Options } from "./option-table.ts";

/** Returns true if only programs on this machine can reach a server that listens on the address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** Returns the origin at which programs on this machine reach the server. */
export function localOrigin(host: string, port: number): string {
  const isEvery = /^(?:\*|0\.0\.0\.0|::)$/.test(host);
  const name = isEvery || isLoopback(host) ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

type HostSettings = AdminSecrets & Pick<Options, "serverHost" | "insecureNoSecret">;

/**
 * Returns the address to listen on. Without an admin secret, every client is an administrator, so `auto` then means
 * this machine only.
 */
export function listenHost(options: HostSettings): string {
  if (options.serverHost !== automaticHost) return options.serverHost;
  return hasAdminSecret(options) || options.insecureNoSecret ? "*" : "localhost";
}

/** Returns the reason why the server must not listen on its address, or `null` if it may. */
export function unsafeHost(options: HostSettings): string | null {
  const { serverHost: host, insecureNoSecret } = options;
  if (hasAdminSecret(options) || insecureNoSecret || isLoopback(host)) return null;
  const where = host === "*" ? "all addresses" : host;
  return (
    `the server would listen on ${where} without an admin secret, and every client that reaches it would be an ` +
    "administrator. Set --admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET; `openssl rand -hex 32` prints a secret) or --make-admin-secret, " +
    "or listen on this machine only with --server-host localhost (ENGINE_GRAPHQL_SERVER_HOST). On a network that you " +
    "trust, --insecure-no-secret (ENGINE_GRAPHQL_INSECURE_NO_SECRET=true) allows it"
  );
}
