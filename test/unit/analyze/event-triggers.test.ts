import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf, reasonsOf, tableIn } from "./sample.ts";

const retry_conf = { num_retries: 0, interval_sec: 10 };
const everyInsert = { insert: { columns: "*" } };

function analyzed(trigger: object, environment: Record<string, string> = {}) {
  const event_triggers = [{ name: "t", retry_conf, webhook: "http://x", definition: everyInsert, ...trigger }];
  return analysisOf({ tables: [{ table: "author", event_triggers }] }, { options: { environment } });
}

const place = 'in table "author": in event trigger "t": ';

describe("Event triggers", () => {
  it("An event trigger is consistent if its columns and variables exist", () => {
    const analysis = analyzed(
      {
        webhook: "{{HOST}}/x",
        headers: [
          { name: "a", value_from_env: "KEY" },
          { name: "b", value: "{{ KEY }}" },
        ],
        definition: { update: { columns: ["name"], payload: ["id", "name"] }, delete: { columns: "*" } },
      },
      { HOST: "http://h", KEY: "k" },
    );
    expect(reasonsOf(analysis)).toEqual([]);
    expect([...tableIn(analysis, "public.author").eventTriggers.keys()]).toEqual(["t"]);
  });

  it.each<[object, string]>([
    [{ definition: { insert: { columns: ["none"] } } }, '"none" does not exist'],
    [{ definition: { update: { columns: "*", payload: ["none"] } } }, '"none" does not exist'],
    [{ webhook: null, webhook_from_env: "X" }, "environment variable 'X' not set"],
    [{ webhook: "http://{{A}}/{{B}}/{{A}}" }, "Value for environment variables not found: A, B"],
    [{ headers: [{ name: "h", value_from_env: "X" }] }, "environment variable 'X' not set"],
    [{ headers: [{ name: "h", value: "a {{X}}" }] }, "template cannot be resolved: X"],
    [{ signing_secret: [{ value_from_env: "X" }] }, "environment variable 'X' not set"],
    [{ ordering: { key: ["id", "none"] } }, '"none" does not exist'],
    [{ condition: { new: { none: { _eq: 1 } } } }, '"none" does not exist'],
    [
      { condition: { _not: { old: { name: { _eq: "X-Engine-User-Id" } } } } },
      'the condition of an event trigger cannot use session variables: "x-engine-user-id"',
    ],
  ])("The event trigger %j is inconsistent", (trigger, reason) => {
    expect(reasonsOf(analyzed(trigger))).toEqual([`${place}${reason}`]);
  });

  it("An inconsistent event trigger is reported with its table and configuration", () => {
    const analysis = analyzed({ webhook: "{{X}}" });
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: {
          table: { schema: "public", name: "author" },
          configuration: {
            name: "t",
            retry_conf,
            webhook: "{{X}}",
            definition: { ...everyInsert, enable_manual: false },
          },
        },
        name: "event_trigger t in table author in source default",
        reason: `Inconsistent object: ${place}Value for environment variables not found: X`,
        type: "event_trigger",
      },
    ]);
    expect(tableIn(analysis, "public.author").eventTriggers.size).toBe(0);
  });
});
