/** Decides whether the console is served (`docs/how-to/console.md`). */
import { type AdminSecrets, hasAdminSecret } from "./admin-secrets.ts";
import type { Options } from "./option-table.ts";
import { isLoopback } from "./server-host.ts";

export function isConsoleEnabled(
  options: AdminSecrets & Pick<Options, "enableConsole" | "devMode" | "serverHost">,
): boolean {
  const { enableConsole, devMode, serverHost } = options;
  return enableConsole ?? (devMode || (!hasAdminSecret(options) && isLoopback(serverHost)));
}
