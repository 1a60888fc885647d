/** Locations in a project's files of objects that only a server finds inconsistent. */
import { expect, it } from "vitest";
import { placed } from "../../../runtime/cli/deployment/located-inconsistencies.ts";
import type { Problem } from "../../../runtime/cli/problem.ts";
import { parsed } from "../catalog/documents.ts";

const trigger = {
  definition: { insert: { columns: "*" } },
  webhook: "{{HOOKS}}/a",
  retry_conf: { num_retries: 0, interval_sec: 10 },
};
const remote = {
  to_remote_schema: { remote_schema: "weather", lhs_fields: [], remote_field: { now: { arguments: {} } } },
};
const connection_info = { database_url: "postgres://db" };
const catalog = parsed({
  version: 3,
  sources: [
    { name: "a", kind: "postgres", tables: [], configuration: { connection_info } },
    {
      name: "b",
      kind: "postgres",
      configuration: { connection_info },
      tables: [
        { table: "note", event_triggers: [{ name: "one", ...trigger }] },
        {
          table: { schema: "other", name: "note" },
          event_triggers: [
            { name: "two", ...trigger },
            { name: "three", ...trigger },
          ],
          remote_relationships: [{ name: "weather", definition: remote }],
        },
      ],
    },
  ],
  remote_schemas: [{ name: "weather", definition: { url: "{{WEATHER}}" } }],
});
const gone = (name: string): Problem => ({
  severity: "error",
  code: "inconsistent-object",
  message: "gone",
  object: name,
  line: `${name}: gone`,
});
const files = { catalog, place: (path: string) => `metadata.yaml (${path})` };

it.each([
  ["event_trigger one in table note in source b", "$.sources[1].tables[0].event_triggers[0]"],
  ["event_trigger three in table other.note in source b", "$.sources[1].tables[1].event_triggers[1]"],
  ["remote_relationship weather in table other.note in source b", "$.sources[1].tables[1].remote_relationships[0]"],
  ["event_trigger gone in table note in source b", "$.sources[1]"],
  ["remote_schema weather", "$.remote_schemas[0]"],
])("An inconsistency has the location of its object: %s → %s", (name, path) => {
  const file = `metadata.yaml (${path})`;
  expect(placed(files, name, gone(name))).toEqual({
    ...gone(name),
    path: expect.stringContaining(path),
    location: { file },
    line: `${file}: inconsistent ${name}: gone`,
  });
});

it("An inconsistency of an object that is not in the files has no location", () => {
  const found = gone("event_trigger one in table note in source c");
  expect(placed(files, "event_trigger one in table note in source c", found)).toEqual(found);
});
