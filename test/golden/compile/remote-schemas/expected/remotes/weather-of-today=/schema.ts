// Generated: change the metadata, not this file.
// From   remote schema weather of today
// Slice  sha256:5156a00c

import { remoteSchema } from "engine/support";
import { server } from "./server.js";

/** All that remote schema weather of today offers. */
export const remote = remoteSchema(server, {
  query: "weatherWeatherQuery",
  subscription: "weatherChanges",
  typeNames: {
    weatherChanges: "Changes",
    W_Place: "Place",
    Scale: "Unit",
    weatherWeatherQuery: "WeatherQuery",
  },
  fieldNames: { W_Place: { key: "id", its_temperature: "temperature" } },
  types: `
enum Scale {
  CELSIUS
  KELVIN
}

type W_Place {
  key: ID!
  its_temperature(unit: Scale = CELSIUS): Float
}

type weatherChanges {
  place: W_Place
  storm: Boolean
}

type weatherWeatherQuery {
  place(id: ID!): W_Place
}
`,
});
