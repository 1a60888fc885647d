// Generated: change the metadata, not this file.
// From   remote schema weather of today; role visitor
// Slice  sha256:975a3756

import { presetLiteral, remoteSchema } from "engine/support";
import { server } from "../../../remotes/weather-of-today+/server.js";

/** The part of remote schema weather of today that role visitor sees. */
export const remote = remoteSchema(server, {
  query: "weatherWeatherQuery",
  subscription: "weatherChanges",
  isPart: true,
  typeNames: {
    weatherChanges: "Changes",
    W_Place: "Place",
    Scale: "Unit",
    weatherWeatherQuery: "WeatherQuery",
  },
  fieldNames: { W_Place: { key: "id", its_temperature: "temperature" } },
  argumentPresets: { weatherWeatherQuery: { place: { id: presetLiteral("\"home\"") } } },
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
}

type weatherWeatherQuery {
  place: W_Place
}
`,
});
