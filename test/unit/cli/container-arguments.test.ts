import { expect, it } from "vitest";
import { withoutPeerProgram } from "../../../runtime/cli/container-arguments.ts";

it.each([
  ["start --deploy", "start --deploy"],
  ["start --deploy graphql-engine serve --server-port 80", "serve --deploy --server-port 80"],
  ["start --deploy graphql-engine --database-url u serve --dev-mode", "--database-url u serve --deploy --dev-mode"],
  ["graphql-engine serve", "serve"],
  ["graphql-engine export", "export"],
  ["start --deploy graphql-engine version", "version"],
  ["start --dbname graphql-engine serve", "start --dbname graphql-engine serve"],
])("The container arguments %s mean %s", (given, meant) =>
  expect(withoutPeerProgram(given.split(" "))).toEqual(meant.split(" ")),
);
