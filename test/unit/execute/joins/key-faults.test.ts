/** Assignment of remote errors to join keys, including errors in an unexpected form. */
import { describe, expect, it } from "vitest";
import { keyFaults } from "../../../../runtime/execute/joins/key-faults.ts";
import type { JoinCall } from "../../../../runtime/execute/remote/join-query.ts";

const call: JoinCall = {
  place: {
    keys: 1,
    path: "$.field",
    request: {
      // Must not be read.
      get join(): never {
        throw new Error("must not be read");
      },
      get remote(): never {
        throw new Error("must not be read");
      },
      call: { path: [{ name: "user", args: [] }], selection: null, type: "String" },
      variables: new Map(),
    },
  },
  keys: ["1"],
};
const calls = [call, call, call];
const values = new Map(["f0", "f1", "f2"].map((alias) => [alias, "null"]));
const pathsOf = (errors: unknown) => {
  const found = keyFaults(errors, calls, values);
  return found && [...found].map(([key, faults]) => [key, faults.map(({ path }) => path)]);
};

describe("Errors of a remote schema", () => {
  it("A remote error belongs to the call of its alias", () => {
    const errors = [["f1"], ["f0", "name"], ["f1", "friends", 0], ["f1"]].map((path) => ({ message: "no", path }));
    expect(pathsOf(errors)).toEqual([
      [1, [[], ["friends", 0]]],
      [0, [["name"]]],
    ]);
  });

  it.each([
    null,
    {},
    "text",
    [null],
    ["f0"],
    [{ message: "no path" }],
    [{ path: "f0" }],
    [{ path: [] }],
    [{ path: ["f3"] }],
    [{ path: ["f0", "a text of the server"] }],
    [{ path: ["f0", -1] }],
    [{ path: ["f0", {}] }],
    [{ path: ["f0"] }, { message: "no path" }],
    Array.from({ length: 1001 }, (_, i) => ({ path: ["f0", i] })),
  ])("Remote errors in an unexpected form belong to no key: %j", (errors) => {
    expect(pathsOf(errors)).toBeUndefined();
  });
});
