/** The admin secret, in session storage only: never in an address, a cookie or another tab. */
import { signal } from "@preact/signals";
import { configuration } from "../configuration.ts";

const key = "engine-console-admin-secret";

const stored = signal<string | null>(sessionStorage.getItem(key));

/** True if the server rejected the last secret. */
export const wasRejected = signal(false);

export const needsSignIn = (): boolean => configuration.isAdminSecretSet && stored.value === null;

export function signIn(secret: string): void {
  sessionStorage.setItem(key, secret);
  wasRejected.value = false;
  stored.value = secret;
}

export function signOut(): void {
  sessionStorage.removeItem(key);
  stored.value = null;
}

/** Drops a rejected secret, which shows the sign-in form. */
export function rejectSecret(): void {
  wasRejected.value = stored.value !== null;
  signOut();
}

/** Headers of the flag `--header` of `engine console`. */
let given: Readonly<Record<string, string>> = {};

/** Adds headers to each request. */
export function addHeaders(headers: Readonly<Record<string, string>>): void {
  given = headers;
}

/** Returns headers that authenticate with a token, or as an administrator if it is `null`. The server prefers the secret. */
export const credentialsOf = (token: string | null): Readonly<Record<string, string>> =>
  token === null ? adminHeaders() : { ...given, authorization: `Bearer ${token}` };

/** Returns headers that authenticate as an administrator. */
export const adminHeaders = (): Readonly<Record<string, string>> =>
  stored.value === null ? given : { "x-engine-admin-secret": stored.value, ...given };
