/** The admin secret, kept for as long as the tab is open: never in an address, a cookie or another tab. */
import { signal } from "@preact/signals";
import { configuration } from "../configuration.ts";

const key = "engine-console-admin-secret";

const stored = signal<string | null>(sessionStorage.getItem(key));

/** The server refused the secret that was sent last. */
export const wasRefused = signal(false);

export const needsSignIn = (): boolean => configuration.isAdminSecretSet && stored.value === null;

export function signIn(secret: string): void {
  sessionStorage.setItem(key, secret);
  wasRefused.value = false;
  stored.value = secret;
}

export function signOut(): void {
  sessionStorage.removeItem(key);
  stored.value = null;
}

/** Forgets the secret and asks for it again. */
export function refuse(): void {
  wasRefused.value = stored.value !== null;
  signOut();
}

/** Headers of an administrator. */
export const adminHeaders = (): Record<string, string> =>
  stored.value === null ? {} : { "x-engine-admin-secret": stored.value };
