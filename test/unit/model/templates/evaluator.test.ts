import { describe, expect, it } from "vitest";
import { JsonNumber } from "../../../../runtime/values/json-number.ts";
import { failure, placeOf, render } from "./render.ts";

const variables = {
  $body: {
    name: "Ada",
    age: 36,
    "my key": { "it's": true },
    list: [{ id: 1 }, { id: 2 }],
    nothing: null,
    big: new JsonNumber("12345678901234567890"),
    end: { in: 1 },
  },
  $: 5,
  $yes: true,
  "x-1": "hyphen",
};

describe("Template paths", () => {
  it.each([
    ["{{ $body.name }}", "Ada"],
    ["$body.list[1].id", 2],
    ["$body['my key']['it\\'s']", true],
    ["$body.end.in", 1],
    ["$", 5],
    ["x-1", "hyphen"],
    ["{{ $body }}.age", 36],
    ['{"a": 1}.a', 1],
    ["[7, 8][1]", 8],
    ["head($body.list).id", 1],
    ["$body?.name", "Ada"],
    ["$body?.no", null],
    ["$body?.no.further[3]['x']", null],
    ["$body.nothing?.x", null],
    ["$body.name?.x", null],
    ["$body.list?[9].id", null],
    ["$body.list?['id']", null],
    ["$body?['my key']?['no']", null],
    ["$body?.toString", null],
  ])("A template path evaluates: %s", (source, expected) => {
    expect(render(source, variables)).toEqual(expected);
  });

  it.each([
    ["{{ $body.world }}", "Attribute Error", "'Object' has no attribute 'world'.", "0:4-0:15"],
    ["{{ $body.list[0].no.id }}", "Attribute Error", "'Object' has no attribute 'no'.", "0:4-0:20"],
    ["$body['no']", "Attribute Error", "'Object' has no attribute 'no'.", "0:1-0:12"],
    ["$body.toString", "Attribute Error", "'Object' has no attribute 'toString'.", "0:1-0:15"],
    ["$body?.list[0].no", "Attribute Error", "'Object' has no attribute 'no'.", "0:1-0:18"],
    ["$body.list[2]", "Index Error", "Index 2 is out of range.", "0:1-0:14"],
    ["$body.list[-1]", "Index Error", "Index -1 is out of range.", "0:1-0:15"],
    ["$body.name.x", "Type Error", "Couldn't match expected type 'Object' with actual type 'String'.", "0:1-0:11"],
    ["$body.nothing.x", "Type Error", "Couldn't match expected type 'Object' with actual type 'Null'.", "0:1-0:14"],
    ["$body[0]", "Type Error", "Couldn't match expected type 'Array' with actual type 'Object'.", "0:1-0:6"],
    ["$body.list.id", "Type Error", "Couldn't match expected type 'Object' with actual type 'Array'.", "0:1-0:11"],
    ["[\n$foo]", "Name Error", "Variable '$foo' not in scope.", "1:1-1:5"],
    ["$foo?.bar", "Name Error", "Variable '$foo' not in scope.", "0:1-0:5"],
    ["foo(1)", "Name Error", "Function 'foo' not in scope.", "0:1-0:7"],
  ])("A template path %s fails", (source, error_code, message, place) => {
    const error = failure(source, variables);
    expect(error).toMatchObject({ error_code, message });
    expect(placeOf(error)).toBe(place);
  });
});

describe("Template operators", () => {
  it.each([
    ["$body.nothing ?? 1", 1],
    ["false ?? 1", false],
    ["null ?? null ?? 2", 2],
    ["1 ?? $unbound", 1],
    ["true && false || true", true],
    ["true || true && false", true],
    ["not true || true", true],
    ["not $body?.no == null", "not a boolean"],
    ["not (1 == 2)", true],
    ["not not true", true],
    ["1 == 1.0", true],
    ["[1, {}] == [1, {}]", true],
    ['{"a": 1, "b": 2} == {"b": 2, "a": 1}', true],
    ['{"a": 1} == {"a": 2}', false],
    ['1 != "1"', true],
    ["$body.big == 12345678901234567890", true],
    ["$body.big > 12345678901234567889", true],
    ["$body.big < 1e999 && 1e-999 > 0 && -1e999 < 0", true],
    ["2 < 10", true],
    ['"2" < "10"', false],
    ['"\\uffff" < "😀"', true],
    ["false < true", true],
    ["[1, 2] < [1, 2, 0] && [1, 2, 0] < [1, 3]", true],
    ["2 <= 2 && 2 >= 2", true],
    ["1 < 2 == true", true],
    ["1 in [1, 2]", true],
    ["{} in [[], {}]", true],
    ['"name" in $body', true],
    ['"toString" in $body', false],
    ['"no" not in $body && 3 not in [1]', true],
  ])("A template operator evaluates: %s", (source, expected) => {
    if (expected === "not a boolean") expect(failure(source, variables).message).toBe("'null' is not a boolean.");
    else expect(render(source, variables)).toEqual(expected);
  });

  it.each([
    ["1 && true", "'1' is not a boolean.", "0:1-0:2"],
    ["false && 1", "'1' is not a boolean.", "0:10-0:11"],
    ["true || null", "'null' is not a boolean.", "0:9-0:13"],
    ['not "x"', "'\"x\"' is not a boolean.", "0:5-0:8"],
    ['{{ if {"a": [1]} }} 1 {{ else }} 2 {{ end }}', `'{"a":[1]}' is not a boolean.`, "0:7-0:17"],
    ['1 < "2"', "Couldn't match expected type 'Number' with actual type 'String'.", "0:5-0:8"],
    ["null >= 1", "Couldn't match expected type 'Null' with actual type 'Number'.", "0:9-0:10"],
    ["1 in [1] == true", "Couldn't match expected type 'Array' with actual type 'Boolean'.", "0:6-0:17"],
    ['1 in "123"', "Couldn't match expected type 'Array' with actual type 'String'.", "0:6-0:11"],
    ["1 in {}", "Couldn't match expected type 'String' with actual type 'Number'.", "0:1-0:2"],
  ])("A template operator %s is a type error", (source, message, place) => {
    const error = failure(source, variables);
    expect(error).toMatchObject({ error_code: "Type Error", message });
    expect(placeOf(error)).toBe(place);
  });

  it("&& and || evaluate both sides", () => {
    expect(failure("true || $unbound").error_code).toBe("Name Error");
    expect(failure("false && $unbound").error_code).toBe("Name Error");
  });

  it("A type error shows only the beginning of a large value", () => {
    const { message } = failure("not $list", { $list: Array.from({ length: 10_000 }, () => "abc") });
    expect(message.length).toBeLessThan(130);
    expect(message).toMatch(/^'\["abc","abc",.*…' is not a boolean\.$/);
  });
});

describe("Template blocks", () => {
  it.each([
    ["{{ if $yes }} 1 {{ else }} $unbound {{ end }}", 1],
    ["{{ if false }} $unbound {{ elif 1 == 1 }} 2 {{ elif $unbound }} 3 {{ else }} 4 {{ end }}", 2],
    ["{{ if false }} 1 {{ elif false }} 2 {{ else }} {} {{ end }}", {}],
    ['"<{{ {{ if $yes }} "a" {{ else }} "b" {{ end }} }}>"', "<a>"],
    [
      "{{ range i, x := $body.list }} [{{ i }}, {{ x.id }}] {{ end }}",
      [
        [0, 1],
        [1, 2],
      ],
    ],
    ["{{ range _, x := [[1], []] }} {{ range _, y := x }} y {{ end }} {{ end }}", [[1], []]],
    ["{{ range $, $yes := [1] }} [$, $yes] {{ end }}", [[0, 1]]],
    ["{{ range x, x := [7] }} x {{ end }}", [7]],
    ["[{{ range _, x := [1] }} x {{ end }}, $]", [[1], 5]],
  ])("A template block evaluates: %s", (source, expected) => {
    expect(render(source, variables)).toEqual(expected);
  });

  it("A range binds its variables only inside its block", () => {
    const source = "[{{ range _, x := [1] }} x {{ end }}, x]";
    expect(failure(source)).toMatchObject({ error_code: "Name Error", message: "Variable 'x' not in scope." });
  });

  it("A range accepts only arrays", () => {
    const error = failure("{{ range _, x := $body }} 1 {{ end }}", variables);
    expect(error).toMatchObject({ error_code: "Range Error", message: "Can only range over an array" });
    expect(placeOf(error)).toBe("0:18-0:23");
  });
});

describe("Template interpolation", () => {
  it.each([
    ['"{{ $body.name }} is {{ $body.age }}"', "Ada is 36"],
    ['"{{ true }}{{ null }}{{ 1.50 }}{{ $body.big }}"', "truenull1.512345678901234567890"],
    ['"{{ "x" }}"', "x"],
    ['"{{$body?.no}}"', "null"],
  ])("A template string interpolates: %s", (source, expected) => {
    expect(render(source, variables)).toBe(expected);
  });

  it.each([
    ['"{{ $body }}"', "Cannot interpolate type: 'Object'."],
    ['"a {{ [] }}"', "Cannot interpolate type: 'Array'."],
  ])("The template string %s is a type error", (source, message) => {
    expect(failure(source, variables)).toMatchObject({ error_code: "Type Error", message });
  });
});
