import { describe, expect, it } from "vitest";
import { readDumpOptions } from "../../../../../runtime/databases/sources/postgres/dump-options.ts";

describe("Options of pg_dump", () => {
  it.each([
    [
      ["-O", "-x", "--schema-only", "--schema", "public"],
      ["--no-owner", "--no-privileges", "--schema-only", "--schema=public"],
    ],
    [["-xOs"], ["--no-privileges", "--no-owner", "--schema-only"]],
    [
      ["-tbook", "-st", "author"],
      ["--table=book", "--schema-only", "--table=author"],
    ],
    [
      ["--table=a=b", "-n="],
      ["--table=a=b", "--schema=="],
    ],
    [["-n", "--file=x"], ["--schema=--file=x"]],
    [
      ["--encoding=UTF8", "-Fp", "--section", "data"],
      ["--encoding=UTF8", "--format=p", "--section=data"],
    ],
    [[], []],
  ])("readDumpOptions parses %j", (options, read) => {
    expect(readDumpOptions(options)).toEqual(read);
  });

  it.each([
    [["-s", "--file=/tmp/x"], "$.opts[1]", 'option "--file" of pg_dump is not allowed'],
    [["--fil=/tmp/x"], "$.opts[0]", 'option "--fil" of pg_dump is not allowed'],
    [["--schema-onl"], "$.opts[0]", 'option "--schema-onl" of pg_dump is not allowed'],
    [["-sf/tmp/x"], "$.opts[0]", 'option "-f" of pg_dump is not allowed'],
    [["--"], "$.opts[0]", 'option "--" of pg_dump is not allowed'],
    [["-"], "$.opts[0]", "an argument that is not an option of pg_dump is not allowed"],
    [[""], "$.opts[0]", "an argument that is not an option of pg_dump is not allowed"],
    [["-Fc"], "$.opts[0]", 'option "-F" of pg_dump can only be p, plain'],
    [["--encoding", "latin1"], "$.opts[1]", 'option "--encoding" of pg_dump can only be utf8, utf-8, unicode'],
    [["--inserts=1"], "$.opts[0]", 'option "--inserts" of pg_dump takes no value'],
    [["-s", "-t"], "$.opts[1]", 'option "-t" of pg_dump needs a value'],
    [["-t", "a\0b"], "$.opts[1]", 'the value of option "-t" of pg_dump has a NUL character'],
  ])("readDumpOptions refuses %j", (options, path, message) => {
    expect(() => readDumpOptions(options)).toThrow(
      expect.objectContaining({ code: "bad-request", path, message: expect.stringContaining(message) }),
    );
  });

  it("The error about a refused option lists the allowed ones", () => {
    expect(() => readDumpOptions(["-j4"])).toThrow(/allowed are .*--schema-only \(-s\)/);
  });
});
