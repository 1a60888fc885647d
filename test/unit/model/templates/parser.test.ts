import { describe, expect, it } from "vitest";
import { parseStringTemplate, parseTemplate } from "../../../../runtime/model/templates/parser.ts";
import { failure, placeOf, render } from "./render.ts";

describe("Template syntax", () => {
  it.each([
    ["null", null],
    [" -12.5e1 ", -125],
    ['"a\\n\\"\\u00e4\\ud83d\\ude00"', 'a\n"ä😀'],
    ['"one { brace, two } } and \\u007b{"', "one { brace, two } } and {{"],
    ["[]", []],
    ['{"a": [1, {"b": {}}]}', { a: [1, { b: {} }] }],
    ["# a comment\n[1, # another\n2]", [1, 2]],
    ['"# no comment"', "# no comment"],
    ["((1))", 1],
    ["{{ {{ 1 }} }}", 1],
    ['{{{"a":{"b":{}}}}}', { a: { b: {} } }],
    ['"{{{"a":1}.a}}"', "1"],
    ['"a{{ "b{{ "c" }}" }}d"', "abcd"],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['{"__proto__": 1}', Object.fromEntries([["__proto__", 1]])],
  ])("A template literal evaluates: %s", (source, expected) => {
    expect(render(source)).toEqual(expected);
  });

  it("Templates keep the digits of long numbers", () => {
    expect(String(render("12345678901234567890"))).toBe("12345678901234567890");
    expect(String(render("1e999"))).toBe("1e999");
    expect(render("1e2")).toBe(100);
    expect(render("0.000")).toBe(0);
  });

  it.each([
    ["$body.hello }}", "Unexpected token '}'.", "0:14-0:15"],
    ["[true, ]\n", "Unexpected token ']'.", "0:9-1:1"],
    ["{ 1: null }", "Unexpected token '1'.", "0:4-0:5"],
    ['{"a" 1}', "Unexpected token '1'.", "0:7-0:8"],
    ['{"{{ x }}": 1}', "Unexpected token '{{'.", "0:5-0:6"],
    ["1 2", "Unexpected token '2'.", "0:4-0:4"],
    ["", "Unexpected end of the template.", "0:1-0:1"],
    ["{{ 1", "Unexpected end of the template.", "0:5-0:5"],
    ["{{ 1 }", "Unexpected token '}'.", "0:7-0:7"],
    ['"{{ if true }}a{{ else }}b{{ end }}"', "Unexpected token 'if'.", "0:7-0:8"],
    ["[\n  1,\n  }\n]", "Unexpected token '}'.", "2:4-3:1"],
    ["{{ if true }} 1 {{ end }}", "Unexpected token 'end'.", "0:23-0:24"],
    ["{{ range x := $ }} 1 {{ end }}", "Unexpected token ':='.", "0:14-0:15"],
    ["{{ range _, if := $ }} 1 {{ end }}", "Unexpected token 'if'.", "0:15-0:16"],
    ["{{ range _, _ := $ }} 1 {{ end }}", "Unexpected token '_'.", "0:14-0:15"],
    ["{{ else }}", "Unexpected token 'else'.", "0:8-0:9"],
    ["$a[$b]", "Unexpected token '$b'.", "0:6-0:7"],
    ["$a[1.5]", "Unexpected token '1.5'.", "0:7-0:8"],
    ["$a['x'", "Unexpected end of the template.", "0:7-0:7"],
    ["size(1, 2)", "Unexpected token ','.", "0:8-0:9"],
    ["_", "Unexpected token '_'.", "0:2-0:2"],
    ['"äö😀" 1', "Unexpected token '1'.", "0:8-0:8"],
  ])("The template %j is a parse error", (source, message, place) => {
    const error = failure(source);
    expect(error).toMatchObject({ error_code: "Parse Error", message });
    expect(placeOf(error)).toBe(place);
  });

  it.each([
    ["@", "Unexpected character '@'.", "0:1-0:2"],
    ["[1, 😀]", "Unexpected character '😀'.", "0:5-0:6"],
    ['{"a', "Unterminated string.", "0:4-0:4"],
    ['"\\x"', "Invalid escape sequence in a string.", "0:2-0:3"],
    ["$a['b]", "Unterminated name in single quotes.", "0:4-0:5"],
  ])("The template %j is a lexer error", (source, message, place) => {
    const error = failure(source);
    expect(error).toMatchObject({ error_code: "Lexer Error", message });
    expect(placeOf(error)).toBe(place);
  });

  it("The parser reports the first error of any kind", () => {
    expect(failure('1 2 "').message).toBe("Unexpected token '2'.");
  });

  it.each([
    ["(", ")"],
    ["[", "]"],
    ['{"a":', "}"],
    ["{{ ", " }}"],
    ["not ", ""],
    ["size(", ")"],
    ['"{{', '}}"'],
    ["{{ if true }}", "{{ else }} 1 {{ end }}"],
    ["{{ if ", " }} 1 {{ else }} 1 {{ end }}"],
    ["{{ range _, x := [1] }}", "{{ end }}"],
  ])("The parser limits the nesting depth of %s … %s", (open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}true${close.repeat(depth)}`;
    expect(parseTemplate(nested(198)).ok).toBe(true);
    expect(failure(nested(201)).message).toBe("The template is nested deeper than 200 levels.");
    expect(failure(nested(20_000)).message).toBe("The template is nested deeper than 200 levels.");
  });

  it("The parser has no limit on the length of a template", () => {
    expect(render(`1${" == 1".repeat(20_000)}`)).toBe(false);
    expect(render(`$a${"?.b".repeat(20_000)}`, { $a: {} })).toBe(null);
    expect(render(`"${"{ ".repeat(200_000)}"`)).toBe("{ ".repeat(200_000));
    expect(failure(`$a['${"\\'".repeat(50_000)}`).error_code).toBe("Lexer Error");
  });

  it("parseStringTemplate parses the inside of a string, including its quotes", () => {
    expect(parseStringTemplate("http://{{ $host }}/#{x}").ok).toBe(true);
    const outcome = parseStringTemplate('a"b');
    expect(outcome.ok ? [] : outcome.errors.map(({ message }) => message)).toEqual(["Unexpected token 'b'."]);
  });
});
