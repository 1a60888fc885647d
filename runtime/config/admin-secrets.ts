import type { Options } from "./option-table.ts";
import type { Secret } from "./secret.ts";

export type AdminSecrets = Pick<Options, "adminSecret" | "accessKey" | "adminSecrets">;

/** Returns true if any secret is set and not empty. */
export function hasAdminSecret({ adminSecret, accessKey, adminSecrets }: AdminSecrets): boolean {
  const isSecret = (secret: Secret | null): boolean => secret !== null && secret.reveal() !== "";
  return isSecret(adminSecret) || isSecret(accessKey) || adminSecrets.length > 0;
}
