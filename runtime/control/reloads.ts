/**
 * Sources and remote schemas that a change has introspected again. Other instances must also introspect them, even if
 * their metadata is unchanged. The metadata database stores the version of the last such change for each, so that an
 * instance that has missed versions reloads all of them.
 */
import { isObject } from "../values/is-object.ts";

export interface Reloads {
  readonly sources: readonly string[];
  readonly remoteSchemas: readonly string[];
}

export const noReloads: Reloads = { sources: [], remoteSchemas: [] };

/** Returns reloads in their stored form. */
export function notificationOf(version: number, { sources, remoteSchemas }: Reloads): Notification {
  const byName = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, version] as const));
  return { sources: byName(sources), remote_schemas: byName(remoteSchemas) };
}

/** Versions of the last reload, by name. */
interface Notification {
  readonly sources: Readonly<Record<string, number>>;
  readonly remote_schemas: Readonly<Record<string, number>>;
}

/**
 * Returns the reloads after a version.
 * @param notification the stored notification, which another version of the engine may have written
 */
export function reloadsSince(version: number, notification: unknown): Reloads {
  const since = (versions: unknown) =>
    isObject(versions) ? Object.keys(versions).filter((name) => Number(versions[name]) > version) : [];
  if (!isObject(notification)) return noReloads;
  return { sources: since(notification.sources), remoteSchemas: since(notification.remote_schemas) };
}
