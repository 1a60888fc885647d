/** Files of multipart requests, forwarded to remote servers and action handlers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileOf, type Parts, postParts, startUploadServer, type UploadServer } from "../../support/multipart.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  scalar Upload
  input Photo { title: String  file: Upload! }
  type Query { count: Int }
  type Mutation {
    add(file: Upload!, note: String): String
    addAll(files: [Upload!]!): String
    addPhoto(photo: Photo!): String
  }
  type Subscription { added(file: Upload): String }
`;

let remote: UploadServer;
let handler: UploadServer;
let engine: TestServer;

const action = (name: string, definition: object) => ({
  type: "create_action",
  args: {
    name,
    definition: {
      handler: "{{HANDLER}}",
      arguments: [{ name: "files", type: "[Upload!]!" }],
      output_type: "String",
      type: "mutation",
      ...definition,
    },
  },
});

beforeAll(async () => {
  remote = await startUploadServer(sdl, () => ({ data: { add: "kept", addAll: "kept", addPhoto: "kept" } }));
  handler = await startUploadServer(null, () => "stored");
  const environment = {
    REMOTE: remote.url,
    HANDLER: handler.url,
    KEY: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
    ENGINE_GRAPHQL_MAX_UPLOAD_FILES: "2",
    ENGINE_GRAPHQL_MAX_UPLOAD_FILE_BYTES: "1000",
    ENGINE_GRAPHQL_MAX_UPLOAD_BYTES: "3000",
  };
  // Served from a bundle, which imports the multipart parser differently.
  engine = await startTestServer({ environment, sealed: true });
  const sql = "create table note (id int primary key, body jsonb)";
  await engine.post("/v2/query", { type: "run_sql", args: { sql } });
  await engine.metadata("add_remote_schema", {
    name: "files",
    definition: { url_from_env: "REMOTE", subscriptions: true },
  });
  await engine.metadata("bulk", [
    { type: "pg_track_table", args: { table: "note" } },
    { type: "set_custom_types", args: { scalars: [{ name: "Upload" }] } },
    action("store", {}),
    action("later", { kind: "asynchronous" }),
    action("changed", { request_transform: { body: "{{$body.input}}", template_engine: "Kriti" } }),
  ]);
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
  await handler?.close();
});

const send = (parts: Parts) => postParts(`${engine.url}/v1/graphql`, parts);
const upload = (query: string, variables: object, map: object, files: Parts) =>
  send([["operations", { query, variables }], ["map", map], ...files]);

describe("Files in variables", () => {
  it("A file reaches the remote server with name, type and bytes", async () => {
    const query = "mutation Add($file: Upload!, $note: String) { done: add(file: $file, note: $note) }";
    const bytes = new Blob([new Uint8Array([...Array(256).keys()])], { type: "image/png" });
    remote.uploads.length = 0;
    const answer = await upload(query.replace("done: ", ""), { file: null, note: "n" }, { 0: ["variables.file"] }, [
      ["0", bytes, "größe.png"],
    ]);
    expect(answer).toEqual({ status: 200, json: { data: { add: "kept" } } });
    expect(remote.uploads).toEqual([
      {
        headers: expect.objectContaining({ "x-engine-role": "admin" }),
        operations: {
          query: "mutation Add($file: Upload!, $note: String) { add(file: $file, note: $note) }",
          variables: { file: null, note: "n" },
          operationName: "Add",
        },
        map: { 0: ["variables.file"] },
        files: { 0: { name: "größe.png", type: "image/png", text: await bytes.text() } },
      },
    ]);
    expect(Number(remote.uploads[0]?.headers["content-length"])).toBeGreaterThan(256);
  });

  it("Files may be in lists, in objects and at several places", async () => {
    remote.uploads.length = 0;
    const all = "mutation ($files: [Upload!]!, $photo: Photo!) { addAll(files: $files) addPhoto(photo: $photo) }";
    const answer = await upload(
      all,
      { files: [null, null], photo: { title: "t", file: null } },
      { a: ["variables.files.0", "variables.photo.file"], b: ["variables.files.1"] },
      [
        ["a", fileOf("first"), "a.txt"],
        ["b", fileOf("second"), "b.txt"],
      ],
    );
    expect(answer.json).toEqual({ data: { addAll: "kept", addPhoto: "kept" } });
    const [list, photo] = remote.uploads;
    expect(list?.map).toEqual({ 0: ["variables.files.0"], 1: ["variables.files.1"] });
    expect(list?.operations).toMatchObject({ variables: { files: [null, null] } });
    expect(Object.values(list?.files ?? {}).map(({ text }) => text)).toEqual(["first", "second"]);
    expect(photo?.map).toEqual({ 0: ["variables.photo.file"] });
    expect(photo?.operations).toMatchObject({ variables: { photo: { title: "t", file: null } } });
  });

  it("A file reaches the handler of an action", async () => {
    handler.uploads.length = 0;
    const answer = await upload(
      "mutation ($files: [Upload!]!) { store(files: $files) }",
      { files: [null] },
      { f: ["variables.files.0"] },
      [["f", fileOf("body"), "f.txt"]],
    );
    expect(answer.json).toEqual({ data: { store: "stored" } });
    expect(handler.uploads).toMatchObject([
      {
        operations: { action: { name: "store" }, input: { files: [null] } },
        map: { 0: ["input.files.0"] },
        files: { 0: { name: "f.txt", type: "text/plain", text: "body" } },
      },
    ]);
  });

  it("A file in a batch belongs to the request that names it", async () => {
    remote.uploads.length = 0;
    const query = "mutation ($file: Upload!) { add(file: $file) }";
    const answer = await send([
      ["operations", [{ query: "{ __typename }" }, { query, variables: { file: null } }]],
      ["map", { f: ["1.variables.file"] }],
      ["f", fileOf("x"), "x"],
    ]);
    expect(answer.json).toEqual([{ data: { __typename: "query_root" } }, { data: { add: "kept" } }]);
    expect(remote.uploads).toHaveLength(1);
  });

  it("The parts of an upload may have any order", async () => {
    const query = "mutation ($file: Upload!) { add(file: $file) }";
    const answer = await send([
      ["f", fileOf("x"), "x"],
      ["map", { f: ["variables.file"] }],
      ["operations", { query, variables: { file: null } }],
    ]);
    expect(answer.json).toEqual({ data: { add: "kept" } });
  });
});

describe("Refused files", () => {
  const one = (query: string, place: string, variables: object) =>
    upload(query, variables, { f: [place] }, [["f", fileOf("x"), "x"]]);
  const messageOf = (answer: { json: { errors: { message: string }[] } }) => answer.json.errors[0]?.message;

  it("A file is refused as a value for a database", async () => {
    const query = "mutation ($body: jsonb) { insert_note_one(object: { id: 1, body: $body }) { id } }";
    const answer = await one(query, "variables.body", { body: null });
    expect(messageOf(answer)).toBe("a file was sent, but no remote schema or action of the operation accepts it");
    expect(await engine.graphql("{ note { id } }")).toEqual({ data: { note: [] } });
  });

  it("A file in an unused variable is refused", async () => {
    const answer = await one("query ($file: Upload) { count }", "variables.file", { file: null });
    expect(messageOf(answer)).toBe("unexpected variables in variableValues: file");
  });

  it("A file instead of a string is refused", async () => {
    const query = "mutation ($note: String) { addAll(files: []) add(file: 1, note: $note) }";
    expect(messageOf(await one(query, "variables.note", { note: null }))).toMatch(/String/);
  });

  it.each([
    ["later", "it is asynchronous"],
    ["changed", "its calls are transformed"],
  ])("The action %s refuses files: %s", async (name, reason) => {
    const query = `mutation ($files: [Upload!]!) { ${name}(files: $files) }`;
    const answer = await one(query, "variables.files.0", { files: [null] });
    expect(messageOf(answer)).toBe(`action "${name}" does not accept files, because ${reason}`);
  });

  it("A file is refused in a subscription", async () => {
    const query = "subscription ($file: Upload) { added(file: $file) }";
    expect(messageOf(await one(query, "variables.file", { file: null }))).toMatch(/subscription/i);
  });

  const add = "mutation ($files: [Upload!]!) { addAll(files: $files) }";
  const some = (count: number, length: number) =>
    upload(
      add,
      { files: Array(count).fill(null) },
      Object.fromEntries([...Array(count).keys()].map((i) => [i, [`variables.files.${i}`]])),
      [...Array(count).keys()].map((i) => [String(i), fileOf("x".repeat(length)), "x"]),
    );

  it.each([
    ["many", 3, 10, "the body has more than 2 files (--max-upload-files)"],
    ["long", 1, 1001, "a file is longer than 1000 bytes (--max-upload-file-bytes)"],
    ["long together", 2, 3000, "the body is longer than the 3000 bytes that --max-upload-bytes allows"],
  ])("Files that are too %s are refused", async (_, count, length, message) => {
    remote.uploads.length = 0;
    const answer = await some(count, length);
    expect(answer.status).toBe(413);
    expect(messageOf(answer)).toBe(message);
    expect(remote.uploads).toEqual([]);
  });

  it("Files at the limits are accepted", async () => {
    expect((await some(2, 1000)).json).toEqual({ data: { addAll: "kept" } });
  });
});
