// Generated: change the metadata, not this file.
// From   role visitor
// Slice  sha256:f424cded

import { defineRole, remoteField, remoteNamespace } from "engine/support";
import { remote as pets } from "./remotes/pets.js";
import { remote as weather_of_today } from "./remotes/weather-of-today+.js";

/** Root fields of role visitor. */
export const role = defineRole({
  role: "visitor",
  query: { pets: remoteField(() => pets), weather: remoteNamespace(() => weather_of_today) },
  subscription: { born: remoteField(() => pets), weather: remoteNamespace(() => weather_of_today) },
  mutation: { rename: remoteField(() => pets) },
});
