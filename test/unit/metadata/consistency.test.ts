import { describe, expect, it } from "vitest";
import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { ObjectId } from "../../../compiler/2-analyze/object-id.ts";
import { type CheckStyle, checkConsistency } from "../../../compiler/metadata/consistency.ts";
import { inconsistencyOf } from "./sample.ts";

const source = (name: string): ObjectId => ({ kind: "source", source: name });
const a = inconsistencyOf(source("a"), "Inconsistent object: a");
const b = inconsistencyOf(source("b"), "Inconsistent object: b");
const together: Inconsistency = {
  ...a,
  reason: 'Conflicting objects: conflicting definitions for field "f"',
  together: { form: "conflict", objects: [a, b] },
};
const informational: Inconsistency = { ...inconsistencyOf(source("i")), informational: true };
const entry = ({ definition, name, reason, type }: Inconsistency) => ({ definition, name, reason, type });

interface Lists {
  readonly before?: readonly Inconsistency[];
  readonly after?: readonly Inconsistency[];
  readonly targets?: readonly ObjectId[];
}

function check(style: CheckStyle, { before = [], after = [], targets = [] }: Lists) {
  return checkConsistency({ style, before, after, targets, path: "$.args" });
}

const refused = (code: string, message: string, internal: unknown, status = 400) => ({
  code,
  message,
  internal,
  status,
  path: "$.args",
});

describe("The target check", () => {
  it("The target check first refuses an inconsistent target, new or not", () => {
    const expected = refused("invalid-configuration", "Inconsistent object: a", [entry(a)]);
    expect(check("target", { after: [b, a], targets: [a.id] })).toEqual(expected);
    expect(check("target", { before: [a], after: [a], targets: [a.id] })).toEqual(expected);
  });

  it("The target check joins the reasons of several entries", () => {
    const message = "Inconsistent object: a, Inconsistent object: b";
    const expected = refused("invalid-configuration", message, [entry(a), entry(b)]);
    expect(check("target", { after: [a, b], targets: [b.id, a.id] })).toEqual(expected);
  });

  it("The target check returns the hint of an entry", () => {
    const withHint = { ...a, hint: 'did you mean "x"?' };
    const hintOf = (style: CheckStyle, entries: readonly Inconsistency[]) =>
      check(style, { after: entries, targets: [a.id] })?.hint;
    expect(hintOf("target", [withHint])).toBe('did you mean "x"?');
    expect(hintOf("full", [withHint, b, { ...b, hint: 'did you mean "y"?' }])).toBe(
      'did you mean "x"? did you mean "y"?',
    );
    expect(hintOf("atomic", [withHint])).toBe('did you mean "x"?');
    expect(hintOf("full", [b])).toBeUndefined();
  });

  it("The target check finds a target among several objects of one entry", () => {
    const error = check("target", { after: [together], targets: [b.id] });
    expect(error?.code).toBe("invalid-configuration");
    expect(error?.internal).toMatchObject([{ objects: [{}, {}], reason: together.reason }]);
  });

  it("The target check refuses other new entries", () => {
    const expected = refused("unexpected", "cannot continue due to new inconsistent metadata", [entry(b)]);
    expect(check("target", { before: [a], after: [a, b], targets: [source("c")] })).toEqual(expected);
  });

  it("The target check accepts earlier inconsistencies, even with another reason", () => {
    expect(check("target", { before: [a], after: [{ ...a, reason: "another" }], targets: [b.id] })).toBeUndefined();
  });
});

describe("Other consistency checks", () => {
  it("The new-entries check refuses new entries with status 500", () => {
    const message = "cannot continue due to newly found inconsistent metadata";
    const expected = refused("unexpected", message, [entry(b)], 500);
    expect(check("new-entries", { before: [a], after: [a, b] })).toEqual(expected);
    expect(check("new-entries", { before: [a, b], after: [b] })).toBeUndefined();
  });

  it("The new-entries check treats an entry about several objects as new if one of them is new", () => {
    expect(check("new-entries", { before: [a], after: [together] })?.status).toBe(500);
    expect(check("new-entries", { before: [a, b], after: [together] })).toBeUndefined();
  });

  it("The full check refuses any entry", () => {
    const expected = refused("unexpected", "cannot continue due to inconsistent metadata", [entry(a)]);
    expect(check("full", { before: [a], after: [a] })).toEqual(expected);
  });

  it("The nothing-left check refuses remaining entries", () => {
    const expected = refused("unexpected", "cannot continue due to new inconsistent metadata", [entry(a)]);
    expect(check("nothing-left", { before: [a], after: [a] })).toEqual(expected);
  });

  it("The atomic check lists the new entries by object", () => {
    const expected = refused("bad-request", "Schema inconsistency", [[entry(a)], [entry(b)]]);
    expect(check("atomic", { after: [a, b] })).toEqual(expected);
    const both = check("atomic", { before: [a], after: [together] });
    expect(both?.internal).toHaveLength(1);
  });

  it("The none check accepts all entries", () => {
    expect(check("none", { after: [a, b] })).toBeUndefined();
  });
});

it("The full check refuses a document with informational entries", () => {
  expect(check("full", { after: [informational] })?.message).toBe("cannot continue due to inconsistent metadata");
});

it.each(["target", "new-entries", "nothing-left", "atomic", "none"] as const)(
  "The %s check never refuses informational entries",
  (style) => {
    expect(check(style, { after: [informational], targets: [informational.id] })).toBeUndefined();
  },
);
