/** The remote requests of a saved operation in the output of `engine diff`. */
import { describe, expect, it } from "vitest";
import type { PlanIr } from "../../../compiler/5-plan/plans-ir.ts";
import { operationText } from "../../../compiler/access/describe.ts";
import { operationAccess } from "../../../compiler/access/operation-access.ts";

const remote = { path: "remotes/post/schema.ts", name: "remote", as: "post" };
const leaf = (name: string) => ({ kind: "field", key: name, name, args: [], selection: null, lists: 0 }) as const;

function textOf(plan: Partial<PlanIr>): string | undefined {
  const always = { when: {}, plan: { statements: [], writes: [], parts: [], ...plan } };
  const plans = { kind: "query", optional: [], conditions: [], plans: [always] } as const;
  const access = operationAccess({ kind: "fixed", plans });
  return access && operationText(access);
}

describe("The access of saved operations", () => {
  it("A saved operation without a fixed plan has the value that access files of all versions contain", () => {
    const access = operationAccess({ kind: "open" });
    expect(access).toBe("planned when asked");
    expect(access && operationText(access)).toBe("planned at request time");
  });

  it("A saved operation with a remote field shows its request and the origin of its values", () => {
    const field = { ...leaf("parcel"), args: [["zone", "$zone"]] as const, selection: [leaf("id")] };
    const variables = [{ kind: "session", name: "zone", type: "String", variable: "x-engine-zone" }] as const;
    const request = { remote, operation: "query", name: "Q", fields: [{ field }], variables, afterWrites: 0 } as const;
    expect(textOf({ remotes: [request] })).toBe(
      "-- Remote schema post\n-- Parameter 1: session variable x-engine-zone\n" +
        "query Q($zone: String) { parcel(zone: $zone) { id } }",
    );
  });

  it("A saved operation with a remote join shows its calls for keys after the statements", () => {
    const key = { kind: "key", key: 0 } as const;
    const rest = { kind: "variable", name: "with", within: ["with"], type: "With", path: "$" } as const;
    const place = {
      join: { from: remote, name: "parcel" },
      remote,
      path: "$",
      call: [
        { name: "shop", args: [] },
        {
          name: "parcels",
          args: [
            ["ids", { kind: "keys", item: key }],
            [
              "in",
              { kind: "object", fields: [["tags", { kind: "list", items: [key, { kind: "text", text: '"a"' }] }]] },
            ],
            ["with", rest],
          ],
        },
      ],
      type: "Parcel",
      selection: [leaf("weight")],
      variables: [{ kind: "request", name: "n", type: "Int", remote, declared: "Int", path: "$" }],
    } as const;
    const statements = [{ source: "default", text: "select 1", slots: [], callsFunctions: false }];
    expect(textOf({ statements, joins: [{ kind: "remote", places: [place] }] })).toBe(
      "-- Source default\nselect 1\n\n-- Remote schema post\n-- Parameter 1: $n\n" +
        'query($n: Int) { shop { parcels(ids: [<key 1>, …], in: {tags: [<key 1>, "a"]}, ' +
        "with: <$with, with what the relationship gives>) { weight } } }",
    );
  });
});
