/** Multipart bodies that attack the process, other fields of the request, or the recipients of the files. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startUploadServer, type UploadServer } from "../../support/multipart.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let remote: UploadServer;
let engine: TestServer;
const admin = { "x-engine-admin-secret": "very-secret" };

beforeAll(async () => {
  const sdl = "scalar Upload scalar Any type Query { echo(value: Any, file: Upload): String }";
  remote = await startUploadServer(sdl, () => ({ data: { echo: "kept" } }));
  engine = await startTestServer({
    environment: {
      REMOTE: remote.url,
      ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anyone",
      ENGINE_GRAPHQL_UNAUTHORIZED_MAX_BODY_BYTES: "2000",
      ENGINE_GRAPHQL_MAX_UPLOAD_FILES: "3",
    },
  });
  const definition = { url_from_env: "REMOTE" };
  const { status, text } = await engine.post(
    "/v1/metadata",
    { type: "add_remote_schema", args: { name: "files", definition } },
    admin,
  );
  if (status !== 200) throw new Error(text);
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
});

const query = "query ($file: Upload, $value: Any) { echo(file: $file, value: $value) }";

/** Returns the text of a part; `disposition` may be any text. */
const part = (disposition: string, content: string, more = ""): string =>
  `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const field = (name: string, value: unknown): string =>
  part(`name="${name}"`, typeof value === "string" ? value : JSON.stringify(value));
const file = (name: string, fileName = "a.txt", content = "x", type = "text/plain"): string =>
  part(`name="${name}"; filename="${fileName}"`, content, `Content-Type: ${type}\r\n`);
const operations = field("operations", { query, variables: { file: null, value: null } });
const map = field("map", { f: ["variables.file"] });

async function post(
  body: string,
  headers: Record<string, string> = admin,
  type = "multipart/form-data; boundary=edge",
) {
  remote.uploads.length = 0;
  const init = { method: "POST", body: Buffer.from(body), headers: { "content-type": type, ...headers } };
  const answer = await fetch(`${engine.url}/v1/graphql`, init);
  const json = (await answer.json()) as {
    data?: unknown;
    errors?: { message: string; extensions: { code: string } }[];
  };
  const { message = "", extensions } = json.errors?.[0] ?? {};
  return { status: answer.status, data: json.data, message, code: extensions?.code };
}

const end = "--edge--\r\n";

it("A well-formed upload is accepted", async () => {
  expect(await post(operations + map + file("f") + end)).toMatchObject({ data: { echo: "kept" } });
});

describe("The map of an upload", () => {
  it.each([
    "query",
    "operationName",
    "variables",
    "variables.",
    "variables.none",
    "variables.file.name",
    "variables.__proto__",
    "variables.__proto__.polluted",
    "variables.constructor.prototype.polluted",
    "variables.toString",
    "__proto__.polluted",
    "__proto__.variables.file",
    "extensions.a",
    "0.variables.file",
    "",
    "variables.value.length",
    "variables.value.0",
  ])("The upload map refuses the place %s", async (place) => {
    const answer = await post(operations + field("map", { f: [place] }) + file("f") + end);
    expect(answer.code).toBe("parse-failed");
    expect(answer.message).toContain("refers to a path that is not a null variable");
    expect(remote.uploads).toEqual([]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it.each([
    ["beyond the end of a list", { value: [null] }, "variables.value.1"],
    ["with a name as an index of a list", { value: [null] }, "variables.value.length"],
    ["to a variable with a value", { value: "kept" }, "variables.value"],
    ["with a name as the number of an operation", [{ query, variables: { file: null } }], "x.variables.file"],
    ["beyond the end of a batch", [{ query, variables: { file: null } }], "1.variables.file"],
    ["into a batch without the number of an operation", [{ query, variables: { file: null } }], "variables.file"],
  ])("The upload map refuses a path %s", async (_, value, place) => {
    const request = Array.isArray(value) ? value : { query, variables: value };
    const answer = await post(field("operations", request) + field("map", { f: [place] }) + file("f") + end);
    expect(answer.code).toBe("parse-failed");
  });

  it.each(['{"__proto__":["variables.file"]}', '{"f":["variables.file"],"\\u005f_proto__":["variables.value"]}'])(
    "The upload map refuses the key __proto__: %s",
    async (text) => {
      const answer = await post(operations + field("map", text) + file("f") + file("__proto__") + end);
      expect(answer).toMatchObject({ code: "parse-failed", message: 'the key "__proto__" is not allowed' });
    },
  );

  it.each(["[]", "null", '"f"', '{"f":"variables.file"}', '{"f":[]}', '{"f":[1]}', '{"f":[["variables.file"]]}'])(
    "The upload map must contain lists of strings: %s",
    async (text) => {
      expect(await post(operations + field("map", text) + file("f") + end)).toMatchObject({ code: "parse-failed" });
    },
  );

  it("The upload map refuses a repeated place", async () => {
    const twice = field("map", { f: ["variables.file", "variables.file"] });
    expect((await post(operations + twice + file("f") + end)).code).toBe("parse-failed");
  });
});

describe("The parts of an upload", () => {
  it.each([
    ["no file", operations + map + end, /refers to a missing file: "f"/],
    ["a file without a place", operations + map + file("f") + file("g") + end, /a file has no entry in "map"/],
    ["no operations", map + file("f") + end, /the part "operations" is missing/],
    ["no map", operations + file("f") + end, /the part "map" is missing/],
    [
      "operations twice",
      operations + operations + map + file("f") + end,
      /unexpected field|"operations" occurs more than once/,
    ],
    ["a third field", operations + map + field("more", "1") + file("f") + end, /unexpected field/],
    ["a file twice", operations + map + file("f") + file("f") + end, /"f" occurs more than once/],
    ["a file without a name", operations + map + file("f") + part('filename="a"', "x") + end, /has no name/],
    ["no end", operations + map + file("f"), /malformed multipart body/],
    [
      "half a file",
      `${operations}${map}--edge\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhalf`,
      /./,
    ],
    ["nothing", "", /./],
    ["only an end", end, /./],
    ["operations as a file", file("operations", "o") + map + file("f") + end, /the part "operations" is missing/],
    ["operations that are not JSON", field("operations", "{") + map + file("f") + end, /./],
    ["many headers", operations + map + part('name="f"; filename="a"', "x", "x-a: 1\r\n".repeat(5000)) + end, /./],
  ])("An upload with malformed parts is refused: %s", async (_, body, message) => {
    const answer = await post(body);
    if (answer.data !== undefined) {
      // A parser may be lenient if it loses and confuses nothing.
      expect(remote.uploads).toMatchObject([{ files: { 0: { text: "x" } } }]);
      return;
    }
    expect(answer.message).toMatch(message);
    expect(["parse-failed", "invalid-json", "bad-request"]).toContain(answer.code);
    expect(remote.uploads).toEqual([]);
  });

  it("The number of parts of an upload is limited", async () => {
    const many = [...Array(500).keys()].map((i) => file(`f${i}`)).join("");
    expect(await post(operations + map + many + end)).toMatchObject({ status: 413, code: "bad-request" });
  });

  it.each([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary="',
    "multipart/form-data; boundary=other",
  ])("An upload with a malformed boundary is refused: %s", async (type) => {
    const answer = await post(operations + map + file("f") + end, admin, type);
    expect(answer.data).toBeUndefined();
    expect(answer.code).toBe("parse-failed");
  });

  it("An upload is read only after authentication and within the limit of its role", async () => {
    const long = operations + map + file("f", "a", "x".repeat(3000)) + end;
    expect(await post(long, {})).toMatchObject({ status: 413 });
    expect(await post(long, { "x-engine-admin-secret": "wrong" })).toMatchObject({ code: "access-denied" });
    expect(remote.uploads).toEqual([]);
  });
});

describe("Names and types of uploaded files", () => {
  it.each([
    ["a quote", 'a\\"; name=\\"operations'],
    ["the start of a path", "../../etc/passwd"],
    ["the start of a Windows path", "C:\\\\windows\\\\x"],
    ["a percent sign", "%0D%0Ax-role: admin"],
    ["a zero", "a\0b"],
  ])("A file name with %s cannot inject a header or a part", async (_, name) => {
    const answer = await post(operations + map + file("f", name) + end);
    if (answer.data === undefined) return expect(answer.code).toBe("parse-failed");
    const [upload] = remote.uploads;
    expect(upload?.operations).toMatchObject({ variables: { file: null } });
    expect(Object.keys(upload?.files ?? {})).toEqual(["0"]);
    expect(upload?.files[0]).toMatchObject({ type: "text/plain", text: "x" });
    expect(upload?.files[0]?.name).not.toMatch(/[/\\]/);
  });

  it.each(["a%0D%0A%0D%0A--edge%0D%0Ax%22", "a%0Ab", "a%0Db"])(
    "A file name cannot contain line breaks, even encoded: %s",
    async (name) => {
      const encoded = `name="f"; filename*=utf-8''${name}`;
      const answer = await post(operations + map + part(encoded, "x", "Content-Type: text/plain\r\n") + end);
      expect(answer).toMatchObject({
        code: "parse-failed",
        message: expect.stringContaining("a missing file"),
      });
      expect(remote.uploads).toEqual([]);
    },
  );

  it.each(["text/plain\t;x=1", "text/plain; charset=utf-8", "no type", 'a/b"', "a/b\u00e4"])(
    "A forwarded file has a valid media type: %s",
    async (type) => {
      await post(operations + map + file("f", "a", "x", type) + end);
      for (const { files } of remote.uploads) expect(files[0]?.type).toMatch(/^[\w.+-]+\/[\w.+-]+/);
    },
  );

  it("File content that resembles a boundary does not end its part", async () => {
    const content = 'x\r\n--engine-\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{}\r\n--engine---';
    expect(await post(operations + map + file("f", "a", content) + end)).toMatchObject({ data: { echo: "kept" } });
    expect(remote.uploads[0]?.files[0]?.text).toBe(content);
  });
});
