// Generated: change the metadata, not this file.
// From   remote schema weather of today
// Slice  sha256:64b7a153

import { remoteSchema } from "engine/support";
import { server } from "./server.js";

/** Remote schema weather of today, complete. */
export const remote = remoteSchema(server, {
  query: "weatherWeatherQuery",
  subscription: "weatherChanges",
  typeNames: {
    W_Buoy: "Buoy",
    weatherChanges: "Changes",
    W_Place: "Place",
    W_Station: "Station",
    Scale: "Unit",
    weatherWeatherQuery: "WeatherQuery",
  },
  fieldNames: { W_Place: { key: "id", its_temperature: "temperature" } },
  types: `
enum Scale {
  CELSIUS
  KELVIN
}

"""Reachable through its interface alone."""
type W_Buoy implements W_Station {
  id: ID!
  depth: Float
}

type W_Place {
  key: ID!
  its_temperature(unit: Scale = CELSIUS): Float
}

interface W_Station {
  id: ID!
}

type weatherChanges {
  place: W_Place
  storm: Boolean
}

type weatherWeatherQuery {
  place(id: ID!): W_Place
  """The default is longer than what is kept of a default."""
  station(codes: [Int!]): W_Station
}
`,
});
