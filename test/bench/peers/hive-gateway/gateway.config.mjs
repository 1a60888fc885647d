/** The gateway of `bench:remote`, without what the engine does not do either. */
import { defineConfig } from "@graphql-hive/gateway";

export const gatewayConfig = defineConfig({
  proxy: { endpoint: process.env.SUBGRAPH },
  graphqlEndpoint: "/v1/graphql",
  graphiql: false,
  landingPage: false,
  logging: false,
});
