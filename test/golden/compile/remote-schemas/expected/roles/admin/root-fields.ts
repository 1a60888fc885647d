// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:fd407da9

import { defineRole, remoteField, remoteNamespace } from "engine/support";
import { remote as pets } from "../../remotes/pets/schema.js";
import { remote as weather_of_today } from "../../remotes/weather-of-today+/schema.js";

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query: {
    hidden: remoteField(() => pets),
    named: remoteField(() => pets),
    pets: remoteField(() => pets),
    weather: remoteNamespace(() => weather_of_today),
  },
  subscription: {
    born: remoteField(() => pets),
    died: remoteField(() => pets),
    weather: remoteNamespace(() => weather_of_today),
  },
  mutation: { rename: remoteField(() => pets) },
});
