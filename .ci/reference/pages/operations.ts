/** Pages of the operations of `/v1/metadata`, `/v2/query` and `/v1/query`: an index, and one page for each group. */
import type { SourceKind } from "../../../compiler/catalog/model.ts";
import { sourceKinds } from "../../../compiler/catalog/schema/names.ts";
import { aboutArguments } from "../../../compiler/metadata/arguments.ts";
import type { Call, Operation } from "../../../compiler/metadata/operation.ts";
import { operations } from "../../../compiler/metadata/registry.ts";
import { compactJson } from "../../../test/support/compact-json.ts";
import { KeyTables, typeOf } from "../describe.ts";
import type { Example, ExampleGroup } from "../examples/example.ts";
import { exampleGroups } from "../examples/groups.ts";
import { block, code, page, table } from "../markdown.ts";
import { errorsOf } from "../operation-errors.ts";
import type { ReferencePage } from "../page.ts";
import { SchemaReader, type Value } from "../schema.ts";
import { sharedObjects } from "../shared-objects.ts";

type Row = Operation<Call>;

const reader = new SchemaReader(aboutArguments);
const keys = new KeyTables(sharedObjects(reader));

const pathOf = ({ page: name }: ExampleGroup): string => `operations-${name}.md`;

function rowsOf(name: string): readonly [Row, ...Row[]] {
  const [first, ...others] = operations.filter((row) => row.name === name);
  if (first === undefined) throw new Error(`no operation is named ${name}`);
  return [first, ...others];
}

// ---------------------------------------------------------------- names

/** Returns the names of a row on `/v1/metadata`, and its endpoints otherwise. */
const allKinds: readonly SourceKind[] = ["postgres", "mssql"];

function namesOf(rows: readonly Row[]): string {
  const lines: string[] = [];
  for (const { name, kinds = allKinds, endpoints } of rows) {
    const { metadata, metadataVersions, query = [], sql } = endpoints;
    const prefixed = kinds.flatMap((kind) =>
      [...sourceKinds[kind].aliases, kind].slice(0, 1).map((prefix) => `${prefix}_${name}`),
    );
    const names = metadata === "plain" ? [name] : prefixed;
    const version = metadataVersions === undefined ? "" : ` with \`"version": ${metadataVersions.join()}\``;
    if (metadata !== undefined) lines.push(`\`/v1/metadata\`${version}: ${names.map(code).join(", ")}`);
    if (sql) lines.push(`\`/v2/query\`: ${[name, ...prefixed].map(code).join(", ")}`);
    for (const each of query)
      lines.push(`\`/v1/query\`${each === 1 ? "" : ` with \`"version": ${each}\``}: ${code(name)}`);
  }
  return [...new Set(lines)].map((line) => `- ${line}`).join("\n");
}

// ---------------------------------------------------------------- arguments

function argumentsOf(rows: readonly Row[]): string {
  const tables = new Map<string, string>();
  for (const { endpoints, kinds, inputs } of rows) {
    const text = describe(reader.read(inputs[kinds?.[0] ?? "postgres"]));
    const { metadata, query } = endpoints;
    const where =
      metadata === undefined && query !== undefined ? `On \`/v1/query\` with \`"version": ${query.join()}\`:\n\n` : "";
    if (![...tables.keys()].includes(text)) tables.set(text, tables.size === 0 ? text : `${where}${text}`);
  }
  return [...tables.values()].join("\n\n");
}

function describe(value: Value): string {
  if (value.kind === "any" || value.kind === "json object") return "The operation has no arguments: `args` is `{}`.";
  const text = keys.of(value);
  if (text === "") return `The arguments are a value: ${typeOf(value)}.`;
  const isShort = value.kind === "choice" && value.choices.some(({ kind }) => kind === "string");
  return isShort ? `${text}\n\nThe arguments may also be a string: ${typeOf(value)}.` : text;
}

// ---------------------------------------------------------------- errors and examples

function errors(name: string): string {
  const found = errorsOf(name);
  if (found.length === 0) return "";
  const rows = found.map(({ status, code: id, message }) => [code(id), String(status), message]);
  return `Errors, with sample names:\n\n${table(["code", "status", "message"], rows)}`;
}

function example({ endpoint, body, response, isMssql }: Example): string {
  const request = block("http", `POST ${endpoint}\nContent-Type: application/json\n\n${compactJson(body)}`);
  const hasResponse = response !== undefined && Object.keys(response as object).length > 0;
  const answer = hasResponse ? `The response contains:\n\n${block("json", compactJson(response))}` : "";
  return `${isMssql ? "Example for a source of SQL Server:" : "Example:"}\n\n${request}\n\n${answer}`.trim();
}

function section(name: string, sample: Example): string {
  const rows = rowsOf(name);
  return page(`## ${name}`, rows[0].about, namesOf(rows), argumentsOf(rows), errors(name), example(sample)).trim();
}

function groupPage(group: ExampleGroup): ReferencePage {
  const names = Object.keys(group.examples);
  return {
    path: `docs/reference/${pathOf(group)}`,
    render: async () =>
      page(
        `# Operations: ${group.title}`,
        `You find here the operations on ${group.page.replaceAll("-", " ")}, with arguments, errors and an example of each.\n${group.about}`,
        names.map((name) => `- [\`${name}\`](#${name}): ${rowsOf(name)[0].about}`).join("\n"),
        group.before.length === 0 ? "" : before(group),
        ...Object.entries(group.examples).map(([name, sample]) => section(name, sample)),
        "[All operations](metadata-operations.md)",
      ),
  };
}

function before({ before: requests }: ExampleGroup): string {
  const lines = requests.map(({ endpoint, body }) => `POST ${endpoint}\n${JSON.stringify(body)}`);
  return `## Before the examples\n\nThe examples run in the order of the page, after these requests:\n\n${block("http", lines.join("\n\n"))}`;
}

// ---------------------------------------------------------------- index

const bulk = [
  [
    "bulk",
    "Runs the operations of the list in order, as one change: if one fails, the others have no effect on the metadata. SQL that `run_sql` has run before stays.",
  ],
  [
    "bulk_keep_going",
    "Runs all operations of the list in order. The response has an error in the place of each failed one.",
  ],
  ["bulk_atomic", "Applies all operations of the list, or none. Only some operations can be part of it."],
];

const index: ReferencePage = {
  path: "docs/reference/metadata-operations.md",
  render: async () =>
    page(
      "# Operations on metadata",
      "You find here the page of each operation that changes or reads the metadata over HTTP, and the form of requests.\nThe command line and the console send the same operations.",
      "## Requests",
      "Send an operation as JSON with `POST` to `/v1/metadata`, as the role `admin`: with the header `x-engine-admin-secret`\nif the server has an admin secret.",
      block(
        "sh",
        `curl http://localhost:8080/v1/metadata -d '{"type": "pg_track_table", "args": {"table": "author"}}'`,
      ),
      table(
        ["key", "meaning"],
        [
          [
            "`type`",
            "Name of the operation. Names of operations on a source begin with its kind: `pg_` (or `postgres_`) and `mssql_`.",
          ],
          ["`args`", "Arguments of the operation."],
          [
            "`version`",
            "`1` or `2`: form of the arguments and response of a few operations, named below. **Default:** `1`.",
          ],
          [
            "`resource_version`",
            "Version of the metadata that the change is based on. If it has changed since, the operation fails with `conflict` and status 409.",
          ],
        ],
      ),
      'An operation without another response returns `{"message": "success"}`. A failed operation changes nothing and returns\nan object with `error`, `path` (the place in the request) and `code`, often with `hint` and `internal`.',
      "Further errors of all operations: `parse-failed` for arguments of a wrong form, `access-denied` for other roles than\n`admin`, `not-exists` for an unknown source or table, and `invalid-configuration` if an object would be inconsistent.",
      "## Several operations in one request",
      table(
        ["type", "effect"],
        bulk.map(([name = "", about = ""]) => [code(name), about]),
      ),
      block(
        "json",
        compactJson({
          type: "bulk",
          args: [
            { type: "export_metadata", args: {} },
            { type: "get_inconsistent_metadata", args: {} },
          ],
        }),
      ),
      "## Other endpoints",
      "- `/v2/query` runs SQL and changes rows: [SQL and rows](operations-rows.md).\n- `/v1/query` is deprecated. It accepts most operations, without prefixes, for PostgreSQL.",
      "## All operations",
      ...exampleGroups.map(
        (group) =>
          `### ${group.title}\n\n${Object.keys(group.examples)
            .map((name) => `- [\`${name}\`](${pathOf(group)}#${name}): ${rowsOf(name)[0].about}`)
            .join("\n")}`,
      ),
    ),
};

export const operationPages: readonly ReferencePage[] = [index, ...exampleGroups.map(groupPage)];
