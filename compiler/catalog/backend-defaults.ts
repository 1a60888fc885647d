/** Settings of database kinds that count where the metadata has none of its own. */
import { isObject } from "../../runtime/values/is-object.ts";
import type { Catalog } from "./catalog.ts";
import type { Json, JsonObject } from "./model.ts";

/** The catalog as whoever reads it sees it; what is stored stays without them. */
export function withBackendDefaults(catalog: Catalog, defaults: JsonObject | undefined): Catalog {
  if (defaults === undefined) return catalog;
  return { ...catalog, backend_configs: joined(defaults, catalog.backend_configs) };
}

/** Objects are joined member by member, however deep; anything else of `own` replaces the default. */
function joined(defaults: JsonObject, own: JsonObject): JsonObject {
  const members = Object.entries(own).map(([name, value]): [string, Json] => {
    const usual = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    return [name, isPlain(usual) && isPlain(value) ? joined(usual, value) : value];
  });
  return { ...defaults, ...Object.fromEntries(members) };
}

function isPlain(value: Json | undefined): value is JsonObject {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}
