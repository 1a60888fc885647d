/** Each place of a condition has mutants, which differ from the condition and from each other. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { conditionChanges } from "../../../runtime/cli/permission-tests/condition-mutants.ts";

const changed = (condition: JsonObject) => [...conditionChanges(condition)].map(({ value }) => JSON.stringify(value));

describe("The mutants of a condition", () => {
  it("Each alternative of _or is dropped, negated and widened", () => {
    expect(changed({ _or: [{ hidden: { _eq: false } }, { owner: { _eq: "X-Engine-User" } }] })).toEqual([
      "{}",
      '{"_not":{"_or":[{"hidden":{"_eq":false}},{"owner":{"_eq":"X-Engine-User"}}]}}',
      '{"_or":[{"owner":{"_eq":"X-Engine-User"}}]}',
      '{"_or":[{},{"owner":{"_eq":"X-Engine-User"}}]}',
      '{"_or":[{"_not":{"hidden":{"_eq":false}}},{"owner":{"_eq":"X-Engine-User"}}]}',
      '{"_or":[{"hidden":{"_eq":false}}]}',
      '{"_or":[{"hidden":{"_eq":false}},{}]}',
      '{"_or":[{"hidden":{"_eq":false}},{"_not":{"owner":{"_eq":"X-Engine-User"}}}]}',
    ]);
  });

  it("Conditions below _not, _exists and relationships are changed inside", () => {
    expect(changed({ copy: { _not: { loans: { open: { _eq: true } } } } })).toContain('{"copy":{"_not":{"loans":{}}}}');
    expect(changed({ copy: { _not: { loans: {} } } })).toEqual(
      [
        "{}",
        '{"_not":{"copy":{"_not":{"loans":{}}}}}',
        '{"copy":{}}',
        '{"copy":{"_not":{"_not":{"loans":{}}}}}',
        '{"copy":{"loans":{}}}',
        '{"copy":{"_not":{}}}',
        '{"copy":{"_not":{"_not":{"loans":{}}}}}',
      ].filter((each, index, all) => all.indexOf(each) === index),
    );
    const exists = {
      _exists: { _table: { schema: "public", name: "admin" }, _where: { id: { _eq: 1 }, on: { _eq: true } } },
    };
    expect(changed(exists)).toContain(
      '{"_exists":{"_table":{"schema":"public","name":"admin"},"_where":{"on":{"_eq":true}}}}',
    );
  });

  it("The names in _permitted are not changed, below a relationship too", () => {
    const permitted = { _permitted: { relationship: "shelf", operation: "select" } };
    expect(changed({ copy: permitted })).toEqual([
      "{}",
      `{"_not":{"copy":${JSON.stringify(permitted)}}}`,
      '{"copy":{}}',
      `{"copy":{"_not":${JSON.stringify(permitted)}}}`,
    ]);
  });

  it("Comparisons lose one operator, and include their bound", () => {
    expect(changed({ renewals: { _gt: 0, _lte: 2 } }).slice(2)).toEqual([
      '{"renewals":{"_lte":2}}',
      '{"renewals":{"_gte":0,"_lte":2}}',
      '{"renewals":{"_gt":0}}',
    ]);
  });

  it("A condition that holds for every row has no mutants", () => {
    expect(changed({})).toEqual([]);
  });
});
