/** Which address a server listens on, and which of them other machines reach. */
import { type AdminSecrets, hasAdminSecret } from "./admin-secrets.ts";
import { automaticHost, type Options } from "./option-table.ts";

/** Whether only programs of this machine reach a server that listens on the address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

type HostSettings = AdminSecrets & Pick<Options, "serverHost" | "insecureNoSecret">;

/**
 * Returns the address to listen on. Without an admin secret everyone who reaches the server is an administrator, so
 * `auto` then stands for this machine only (ruling 41 of the specification).
 */
export function listenHost(options: HostSettings): string {
  if (options.serverHost !== automaticHost) return options.serverHost;
  return hasAdminSecret(options) || options.insecureNoSecret ? "*" : "localhost";
}

/** Returns why a server may not listen on its address; `null`: it may. */
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
