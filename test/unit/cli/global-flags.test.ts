import { expect, it } from "vitest";
import { flagsBehindCommand } from "../../../runtime/cli/global-flags.ts";

it.each([
  ["--project shop migrate apply --up 1", "migrate apply --project shop --up 1"],
  [
    "--no-color --endpoint=http://a migrate --admin-secret s status",
    "migrate status --no-color --endpoint=http://a --admin-secret s",
  ],
  ["migrate create notes --up-sql --project", "migrate create notes --up-sql --project"],
  ["--version", "--version"],
  ["--project", "--project"],
  ["start --server-port 0", "start --server-port 0"],
])("Global flags are moved behind the command: %s → %s", (given, expected) => {
  expect(flagsBehindCommand(given.split(" "))).toEqual(expected.split(" "));
});
