/** Whether a console is to be served (ruling 38 of the specification). */
import { isLoopback } from "./loopback.ts";
import type { Options } from "./option-table.ts";
import type { Secret } from "./secret.ts";

export type AdminSecrets = Pick<Options, "adminSecret" | "accessKey" | "adminSecrets">;

/** An empty secret is none. */
export function hasAdminSecret({ adminSecret, accessKey, adminSecrets }: AdminSecrets): boolean {
  const isSecret = (secret: Secret | null): boolean => secret !== null && secret.reveal() !== "";
  return isSecret(adminSecret) || isSecret(accessKey) || adminSecrets.length > 0;
}

export function isConsoleEnabled(
  options: AdminSecrets & Pick<Options, "enableConsole" | "devMode" | "serverHost">,
): boolean {
  const { enableConsole, devMode, serverHost } = options;
  return enableConsole ?? (devMode || (!hasAdminSecret(options) && isLoopback(serverHost)));
}
