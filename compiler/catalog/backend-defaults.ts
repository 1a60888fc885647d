/** Default settings per source kind, applied where the metadata has none of its own. */
import { isObject } from "../../runtime/values/is-object.ts";
import type { Catalog } from "./catalog.ts";
import type { Json, JsonObject } from "./model.ts";

/** Returns the catalog with the defaults filled in. The stored metadata does not contain them. */
export function withBackendDefaults(catalog: Catalog, defaults: JsonObject | undefined): Catalog {
  if (defaults === undefined) return catalog;
  return { ...catalog, backend_configs: joined(defaults, catalog.backend_configs) };
}

/** Merges objects recursively; any other value of `own` replaces the default. */
function joined(defaults: JsonObject, own: JsonObject): JsonObject {
  const members = Object.entries(own).map(([name, value]): [string, Json] => {
    const fallback = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    return [name, isPlain(fallback) && isPlain(value) ? joined(fallback, value) : value];
  });
  return { ...defaults, ...Object.fromEntries(members) };
}

function isPlain(value: Json | undefined): value is JsonObject {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}
