/**
 * Which databases and remote servers a change has looked at anew: the other instances have to do the same, although the
 * metadata says nothing new of them. The metadata database keeps for each the version of the metadata that told of it
 * last, so that an instance learns all that it has missed.
 */
import { isObject } from "../values/is-object.ts";

export interface Reloads {
  readonly sources: readonly string[];
  readonly remoteSchemas: readonly string[];
}

export const noReloads: Reloads = { sources: [], remoteSchemas: [] };

/** As they are kept: the version by name. */
export function toldIn(version: number, { sources, remoteSchemas }: Reloads): Notification {
  const told = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, version] as const));
  return { sources: told(sources), remote_schemas: told(remoteSchemas) };
}

interface Notification {
  readonly sources: Readonly<Record<string, number>>;
  readonly remote_schemas: Readonly<Record<string, number>>;
}

/** What was told after a version. @param notification as it is kept, by this version of the engine or another */
export function reloadsSince(version: number, notification: unknown): Reloads {
  const since = (told: unknown) =>
    isObject(told) ? Object.keys(told).filter((name) => Number(told[name]) > version) : [];
  if (!isObject(notification)) return noReloads;
  return { sources: since(notification.sources), remoteSchemas: since(notification.remote_schemas) };
}
