/** The current schema of a remote server, compared with the one an artifact was built for. */
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { remoteDrift, remoteFacts } from "../../../../runtime/execute/remote/remote-facts.ts";

const factsOf = (sdl: string) =>
  remoteFacts(JSON.parse(JSON.stringify(introspectionFromSchema(buildSchema(sdl)))).__schema);

const served = (query: string, rest = "") => `type Query { ${query} } ${rest}`;
const driftOf = (from: string, to: string) => remoteDrift(factsOf(from), factsOf(to));

describe("Harmless drift of remote schemas", () => {
  it.each([
    ["a: Int", "a: Int!", "Query.a is Int!, was Int"],
    ["a: [Int]", "a: [Int!]!", "Query.a is [Int!]!, was [Int]"],
    ["a(b: Int!): Int", "a(b: Int): Int", "Query.a(b) is Int, was Int! (required)"],
    ["a(b: Int!): Int", "a(b: Int! = 3): Int", "Query.a(b) is Int! = 3, was Int! (required)"],
    ["a(b: [Int!]): Int", "a(b: [Int]): Int", "Query.a(b) is [Int], was [Int!]"],
    ["a(b: Int! = 3): Int", "a(b: Int = 3): Int", "Query.a(b) is Int = 3, was Int! = 3"],
    ["a: Int", "a(b: Int): Int", "Query.a(b) was added (Int)"],
  ])("Drift of a remote schema is harmless if %s becomes %s", (from, to, change) => {
    expect(driftOf(served(from), served(to))).toEqual({ harmless: [change], harmful: [] });
  });

  it("Drift of a remote schema is harmless if a field of an input object becomes optional, and harmful in reverse", () => {
    const from = served("a(i: I): Int", "input I { b: Int! }");
    expect(driftOf(from, from.replace("Int!", "Int")).harmful).toEqual([]);
    expect(driftOf(from.replace("Int!", "Int"), from).harmful).toEqual(["I.b is Int! (required), was Int"]);
  });
});

describe("Harmful drift of remote schemas", () => {
  it.each([
    ["a: Int!", "a: Int", "Query.a is Int, was Int!"],
    ["a: Int", "a: Float", "Query.a is Float, was Int"],
    ["a: Int", "a: [Int]", "Query.a is [Int], was Int"],
    ["a(b: Int): Int", "a(b: Int!): Int", "Query.a(b) is Int! (required), was Int"],
    ["a(b: Int): Int", "a(b: Int = 3): Int", "Query.a(b) is Int = 3, was Int"],
    ["a(b: Int = 2): Int", "a(b: Int = 3): Int", "Query.a(b) is Int = 3, was Int = 2"],
    ["a: Int", "a(b: Int!): Int", "Query.a(b) was added (Int! (required))"],
    ["a: Int b: Int", "a: Int", "Query.b is missing (was: Int)"],
  ])("Drift of a remote schema is harmful if %s becomes %s", (from, to, change) => {
    expect(driftOf(served(from), served(to)).harmful).toContain(change);
  });
});
