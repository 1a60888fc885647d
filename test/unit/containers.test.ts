/** The container files, checked by a linter and by our own rules, without a container engine. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Dockerfile, DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { root } from "../support/shared-checks.ts";

const folder = join(root, "docs/containers");

function problems(text: string): readonly string[] {
  const file = DockerfileParser.parse(text);
  return [
    ...validate(text).map(({ message }) => (typeof message === "string" ? message : message.value)),
    ...ownProblems(file),
  ];
}

function ownProblems(file: Dockerfile): readonly string[] {
  const found: string[] = [];
  const instructions = file.getInstructions();
  const argumentsOf = (keyword: string): readonly string[] =>
    instructions.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? "");
  const images = [...argumentsOf("ARG").filter((text) => text.includes("_IMAGE=")), ...argumentsOf("FROM")];
  for (const image of images) {
    const isNamed = image.startsWith("${");
    if (!isNamed && (!/[:@][\w.-]+( AS \w+)?$/.test(image) || image.includes(":latest")))
      found.push(`${image} has no version`);
  }
  const user = argumentsOf("USER").at(-1) ?? "root";
  if (!/^[1-9]\d*:[1-9]\d*$/.test(user)) found.push(`runs as ${user}, not as a number that is not root`);
  if (argumentsOf("ADD").length > 0) found.push("ADD may fetch and unpack: use COPY");
  for (const keyword of ["ENTRYPOINT", "CMD", "RUN"]) {
    for (const text of argumentsOf(keyword)) if (!text.startsWith("[")) found.push(`${keyword} runs a shell`);
  }
  if (!argumentsOf("HEALTHCHECK").some((text) => /CMD \[/.test(text)))
    found.push("no check of its health without a shell");
  const secrets = [...argumentsOf("ENV"), ...argumentsOf("ARG")].filter((text) =>
    /secret|password|token|key|url/i.test(text),
  );
  for (const text of secrets) found.push(`${text} would stay in the image`);
  if (
    instructions
      .filter((each) => each.getKeyword() === "COPY")
      .some((each) => /--(chown|chmod)/.test(each.getTextContent()))
  ) {
    found.push("files belong to root, so that nobody else may write them");
  }
  return found;
}

describe("Container files", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".Containerfile"));

  it("The container files are for an artifact and for the live server", () => {
    expect(names).toEqual(["artifact.Containerfile", "server.Containerfile"]);
  });

  it.each(names)("The container file %s has no problems", (name) => {
    expect(problems(readFileSync(join(folder, name), "utf8"))).toEqual([]);
  });

  it.each(names)("The health check of the container file %s is valid JavaScript", (name) => {
    const [, command = ""] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(readFileSync(join(folder, name), "utf8")) ?? [];
    const [, , script] = JSON.parse(command) as string[];
    expect(() => new Function(script ?? expect.unreachable())).not.toThrow();
    expect(script).toContain("/healthz");
  });

  it.each([
    ["FROM node\nUSER 1:1", "node has no version"],
    ["FROM node:20.1\nUSER root", "runs as root, not as a number that is not root"],
    ["FROM node:20.1\nADD a b", "ADD may fetch and unpack: use COPY"],
    ["FROM node:20.1\nCMD node x", "CMD runs a shell"],
    ["FROM node:20.1\nENV ADMIN_SECRET=x", "ADMIN_SECRET=x would stay in the image"],
    ["FROM node:20.1\nCOPY --chown=1 a b", "files belong to root, so that nobody else may write them"],
    ["FROM node:20.1\nFRON x", "Unknown instruction: FRON"],
  ])("The container file check reports: %s", (text, problem) => {
    expect(problems(text)).toContain(problem);
  });
});
