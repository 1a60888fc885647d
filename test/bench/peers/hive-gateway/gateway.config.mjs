/** The gateway of `bench:remote`, without features that the engine does not have. */
import { defineConfig } from "@graphql-hive/gateway";

export const gatewayConfig = defineConfig({
  proxy: { endpoint: process.env.SUBGRAPH },
  graphqlEndpoint: "/v1/graphql",
  graphiql: false,
  landingPage: false,
  logging: false,
});
