/** The page of the files of a metadata directory. */
import { KeyTables } from "../describe.ts";
import { block, code, page, table } from "../markdown.ts";
import { type MetadataFile, metadataFiles, reader } from "../metadata-parts.ts";
import type { ReferencePage } from "../page.ts";
import type { Value } from "../schema.ts";
import { sharedObjects } from "../shared-objects.ts";
import { editorSettings, installedSchemas, schemaFolder } from "./schemas.ts";

const shared = sharedObjects(reader);

/** Describes a shared object itself, in which the others are links. */
export function sharedSection(name: string, about: string, example: string): string {
  const object = shared.find((each) => each.name === name);
  if (object === undefined) throw new Error(`no shared object is named ${name}`);
  const heading = name.charAt(0).toUpperCase() + name.slice(1);
  const others = new KeyTables(shared.filter((each) => each !== object));
  return page(`## ${heading}`, about, others.of(object.value), block("yaml", example)).trim();
}

function keysOf({ value }: MetadataFile): string {
  if (value.kind === "json object") return "The file is an object, which the engine keeps as it is.";
  const isList = value.kind === "list";
  const element: Value = isList ? value.element : value;
  const intro = isList ? "A list; each element has these keys:" : "An object with these keys:";
  return page(
    intro,
    isList && isOfOtherFile(element) ? `See [the file of one](#${anchor(element)}).` : keysFor(element).of(element),
  ).trim();
}

/** Tables and functions are described with their own files. */
function keysFor(value: Value): KeyTables {
  const others = elementFiles.filter((file) => file.value !== value);
  const linked = others.map((file) => ({ name: file.schema, link: `#${anchor(file.value)}`, value: file.value }));
  return new KeyTables([...shared, ...linked]);
}

const elementFiles = metadataFiles.filter(({ path }) => path.endsWith("/*.yaml"));
const isOfOtherFile = (value: Value): boolean => elementFiles.some((file) => file.value === value);

function anchor(value: Value): string {
  return anchorOf(elementFiles.find((file) => file.value === value)?.path ?? "");
}

const headingOf = (path: string): string => path.replaceAll("*", "NAME");
const anchorOf = (path: string): string =>
  headingOf(path)
    .toLowerCase()
    .replace(/[^\w -]/g, "");

const section = (file: MetadataFile): string =>
  page(
    `## ${headingOf(file.path)}`,
    file.about,
    `Schema: \`${schemaFolder}/${file.schema}.json\``,
    keysOf(file),
    block("yaml", file.example),
  ).trim();

export const metadataFilesPage: ReferencePage = {
  path: "docs/reference/metadata-files.md",
  render: async () =>
    page(
      "# Files of the metadata",
      "You find here each file of a metadata directory and each key in it, with type, default and meaning. Your editor can\ncheck the files as you write them.",
      "Every file is optional. `npx --no engine metadata export` writes all of them from a server, `npx --no engine metadata apply`\nsends them to one, and `npx --no engine check` reports errors and unknown keys without a server.",
      table(
        ["file", "contents"],
        metadataFiles.map((file) => [`[${code(headingOf(file.path))}](#${anchorOf(file.path)})`, file.about]),
      ),
      'A value may be in a file of its own: `"!include path"` is replaced by the content of that file. The path is relative to\nthe file with the include, and leads to a file below the metadata directory. In texts that name `{{NAME}}`, the\nenvironment variable NAME of the server is filled in.',
      "## Schemas for editors",
      `The package contains a JSON Schema (draft 2020-12) of each file, in \`${schemaFolder}\`. An editor with a YAML language server
completes keys, shows their meaning and marks misspelt ones. Projects of \`engine init\` contain \`.vscode/settings.json\`
with these lines; copy them into other projects:`,
      block("json", editorSettings),
      `For other editors, begin a file with a line that names its schema, with a path relative to that file. Exports rewrite
the files without comments:`,
      block("yaml", `# yaml-language-server: $schema=../${installedSchemas}/actions.json`),
      `Replace the name of the package if you installed it under another one. \`metadata.json\` describes the metadata as one document.`,
      ...metadataFiles.map(section),
      ...sharedSections(),
    ),
};

function sharedSections(): readonly string[] {
  return [
    sharedSection(
      "table configuration",
      "Names and descriptions of a table in the API.",
      "custom_name: Article\ncustom_root_fields:\n  select: articles\n  select_by_pk:\n    name: article\n    comment: One article by its id\ncolumn_config:\n  author_id:\n    custom_name: authorId\n",
    ),
    sharedSection(
      "customization",
      "Names of everything in a source. Use it when tables of two sources have the same name.",
      "root_fields:\n  namespace: shop\ntype_names:\n  prefix: shop_\n",
    ),
    sharedSection("health check", "Regular check of a source.", "interval: 30\nretries: 2\ntimeout: 5\n"),
    sharedSection(
      "PostgreSQL connection",
      "The `configuration` of a source of PostgreSQL.",
      "connection_info:\n  database_url:\n    from_env: ENGINE_GRAPHQL_DATABASE_URL\n  isolation_level: repeatable-read\nread_replicas:\n  - database_url:\n      from_env: REPLICA_URL\n",
    ),
    sharedSection(
      "SQL Server connection",
      "The `configuration` of a source of SQL Server.",
      "connection_info:\n  connection_string:\n    from_env: SHOP_URL\n  pool_settings:\n    max_connections: 20\n",
    ),
    sharedSection(
      "request transform",
      "Changes of a request to a webhook or handler. Templates are in the language Kriti.",
      'version: 2\nmethod: PUT\nurl: "{{$base_url}}/articles/{{$body.id}}"\nbody:\n  action: transform\n  template: \'{"title": {{$body.title}}}\'\n',
    ),
    sharedSection(
      "response transform",
      "Changes of the response of a webhook or handler.",
      "version: 2\nbody:\n  action: transform\n  template: '{\"at\": {{$body.time}}}'\n",
    ),
    sharedSection(
      "remote schema definition",
      "Server, headers and names of a remote schema.",
      'url: "{{PEOPLE_URL}}/graphql"\nforward_client_headers: true\ncustomization:\n  root_fields_namespace: people\n',
    ),
    sharedSection(
      "header",
      "A header that the engine sends, with a value or the name of an environment variable.",
      "name: authorization\nvalue_from_env: HANDLER_TOKEN\n",
    ),
    sharedSection(
      "cleanup",
      "Regular deletion of old events.",
      "schedule: 0 3 * * *\nclear_older_than: 168\nclean_invocation_logs: true\n",
    ),
    sharedSection(
      "secret",
      "Secret for signatures, or a list of several during a change of secrets: all sign, and receivers accept any.",
      "value_from_env: HANDLER_SECRET\n",
    ),
  ];
}
