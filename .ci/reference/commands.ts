/** Examples and further exit codes of commands. `test/unit/reference.test.ts` compares them with the program. */
import type { exitCodes } from "../../runtime/cli/exit-codes.ts";

interface CommandExamples {
  /** Command lines behind `npx --no engine`, each with its effect. */
  readonly examples: readonly (readonly [words: string, effect: string])[];
  /** The member `result` of the output with `--json`; absent for commands without that flag. */
  readonly result?: string;
  /** Exit codes other than those of every command. */
  readonly exits?: readonly (keyof typeof exitCodes)[];
}

/** By the words of the command. */
export const commandExamples: Readonly<Record<string, CommandExamples>> = {
  start: {
    examples: [
      ["start --demo", "serves a sample library on an embedded PostgreSQL"],
      ["start --database-url postgres://app:secret@localhost/shop --server-port 9000", "serves an existing database"],
    ],
  },
  init: {
    result: "`directory`, `template`, and `files`: the paths of the written files",
    examples: [["init shop --template multi-tenant", "creates the project `shop`"]],
  },
  import: {
    result:
      "of a project: `out`, `report` and `findings`, each with `kind` (`todo` or `changed`), `place` and `message`; of variables: `variables`, and `out` if they were written",
    examples: [
      ["import ../old-project --out shop", "converts a project"],
      ["import --env ../old-project/.env --out .env", "converts environment variables"],
    ],
  },
  check: {
    result:
      "`valid`, `errors` (number of problems that make the project invalid), and `databases`: for each database whose SQL ran, `source`, `migrations` and `seeds`",
    examples: [
      ["check", "checks the project in the working directory on scratch databases"],
      ["check --no-scratch", "checks it without running SQL"],
    ],
  },
  test: {
    result:
      "`passed`, `failed`, `milliseconds`, and `cases`, each with `name`, `at` (`file:line:column`), `role`, `session`, `outcome` (`passed`, `different`, `unwritten` or `broken`), and `expected` and `received`, or `reason`, unless it passed; with `--mutate`: `mutants`, each with `at`, `description`, `verdict` and `reason`; with `--generate`: `written`, `cases` and `gaps`; with `--update`: `updated`",
    examples: [
      ["test", "runs the permission tests in `tests/` on an embedded PostgreSQL"],
      ["test --filter visitor --watch", "runs those about visitors after each change"],
      ["test --generate --mutate", "writes tests of all permissions, and lists changes that they do not notice"],
      ["test --reporter junit > report.xml", "writes a report for CI"],
    ],
  },
  mcp: {
    examples: [
      ["mcp --endpoint https://api.example.com --role analyst", "serves the tools of a server to an assistant"],
      ["mcp dist/artifact --role analyst", "runs an artifact and serves its tools"],
    ],
  },
  console: { examples: [["console --project shop", "opens the console of the project's server"]] },
  dev: {
    examples: [
      ["dev --with-seeds --run 'node handlers/server.js'", "applies changes while your program runs beside it"],
    ],
  },
  "database check": {
    result:
      "the content of the result file: `format`, `engine`, `node`, `kind`, `server` (versions and settings), `passed`, `failed`, `skipped`, `milliseconds`, and `suites`, each with `name`, the same counts and `cases`: `name`, `outcome` (`passed`, `failed` or `skipped`), `milliseconds`, `reason` and `statement`",
    examples: [
      [
        "database check --url mssql://sa:secret@localhost:1433",
        "runs all suites in a database that it creates and drops",
      ],
      ["database check --only types events --junit report.xml", "runs two suites on the server of ENGINE_CHECK_URL"],
    ],
  },
  psql: {
    examples: [["psql --source default", "opens psql on the database of the running server"]],
  },
  client: {
    result: "`modules`: the paths of the modules",
    examples: [["client --role user --documents 'src/**/*.graphql' --out src/client.ts", "writes typed documents"]],
  },
  deploy: {
    result:
      "with `--plan`: `on`, `migrations`, `databases`, `metadata`, `enforced`, `access` and `broken_operations`; otherwise `endpoint`",
    exits: ["widens"],
    examples: [
      ["deploy --plan --fail-on-widening", "prints the changes, and fails if a role gains access"],
      ['deploy --endpoint https://shop.example --admin-secret "$SECRET"', "makes the changes"],
    ],
  },
  "metadata apply": {
    result: "`endpoint` and `inconsistent_objects`; with `--dry-run`: the metadata",
    examples: [["metadata apply --disallow-inconsistent-metadata", "replaces the server's metadata"]],
  },
  "metadata export": {
    result: "`written`: the path of the metadata",
    examples: [["metadata export --output yaml", "prints the server's metadata"]],
  },
  "metadata convert": {
    result: "`written`: the path of the result; the metadata if it is standard output",
    examples: [["metadata convert metadata metadata.json", "writes one JSON file"]],
  },
  "metadata diff": {
    result: "the changes, each with `path`, `before` and `after`",
    exits: ["different"],
    examples: [["metadata diff --exit-code", "fails if the project and the server differ"]],
  },
  "metadata codemod postgres-comments": {
    result: "the changes, each with `path`, `before` and `after`",
    examples: [
      ["metadata codemod postgres-comments", "prints the comments that the project's metadata would get"],
      ["metadata codemod postgres-comments --write", "changes the project's metadata"],
    ],
  },
  "metadata reload": {
    result: "`endpoint` and `inconsistent_objects`",
    examples: [["metadata reload", "introspects databases after a change of their tables"]],
  },
  "metadata clear": {
    result: "`endpoint`",
    examples: [["metadata clear", "deletes the server's metadata, and no tables"]],
  },
  "metadata inconsistency list": {
    result: "the entries of `get_inconsistent_metadata`",
    examples: [["metadata inconsistency list", "prints each inconsistent object with its reason"]],
  },
  "metadata inconsistency status": {
    result: "`is_consistent`, and `inconsistent`: the number of objects",
    examples: [["metadata inconsistency status", "fails if there is an inconsistent object"]],
  },
  "metadata inconsistency drop": {
    result: "`dropped`: the entries of the dropped objects",
    examples: [["metadata inconsistency drop", "removes inconsistent objects from the server's metadata"]],
  },
  "migrate apply": {
    result: "`dry_run`, and `steps`, each with `database`, `version`, `name` and `action` (`up`, `down` or `adopt`)",
    examples: [
      ["migrate apply", "applies all pending migrations"],
      ["migrate apply --down 1", "reverts the last migration"],
    ],
  },
  "migrate status": {
    result: "the migrations, each with `database`, `version`, `name`, `source_status` and `database_status`",
    examples: [["migrate status", "lists migrations with their state"]],
  },
  "migrate create": {
    result: "`version` and `folder`",
    examples: [
      [
        'migrate create notes --up-sql "create table note (id integer primary key)" --down-sql "drop table note"',
        "creates the files of a migration",
      ],
      ["migrate create init --from-server", "creates a migration from an existing database"],
    ],
  },
  "migrate squash": {
    result: "`version`, `folder`, and `squashed`: the combined migrations",
    examples: [
      ["migrate squash --from 1700000000001 --name notes --delete-source", "combines migrations from this one on"],
    ],
  },
  "migrate delete": {
    result:
      "`database`, `files` (the deleted migrations of the project) and `unmarked` (the versions whose marks were deleted)",
    examples: [["migrate delete --version 1700000000001 --force", "deletes a migration without a prompt"]],
  },
  "seed apply": {
    result: "`ran`: the paths of the seeds",
    examples: [["seed apply --file books.sql", "runs one seed"]],
  },
  "seed create": {
    result: "`path`",
    examples: [["seed create books --from-table book", "writes the rows of a table to a seed"]],
  },
  compile: {
    result: "`out`, and the numbers of files `written`, `changed` and `removed`",
    examples: [["compile --metadata metadata --shape shape.json --out generated", "writes the generated modules"]],
  },
  build: {
    result:
      "`out`, `server_bytes`, and `needs`: `cron_triggers` and `asynchronous_actions`, which need a metadata database, and `variables` that are not set",
    examples: [["build --metadata metadata --shape shape.json --out artifact --closed", "builds a sealed artifact"]],
  },
  verify: {
    result: "`unchanged`",
    examples: [["verify artifact", "fails if a file of the artifact has changed"]],
  },
  access: {
    result:
      "`roles`, as the file of `--format json` has them; of two versions: `before`, `after`, `summary` and `changes`",
    exits: ["widens"],
    examples: [
      ["access --role member", "prints all permissions of a role of the server"],
      ["access --as-of 12", "prints the changes of permissions since version 12 of the server's metadata"],
      ["access main/metadata metadata --format markdown", "writes the changes between two versions of the files"],
    ],
  },
  advise: {
    result: "`summary`, `findings`, `accepted` and `skipped`, as with `--format json`",
    exits: ["found"],
    examples: [
      ["advise", "reviews the metadata of the project's server"],
      ["advise metadata --unauthorized-role visitor", "reviews metadata files with the saved shape beside them"],
      ["advise metadata --fail-on warning --format sarif > advice.sarif", "writes a report for a code review"],
    ],
  },
  why: {
    result: "`verdict`, `reason`, `steps`, `rows` and `check`, as with `--format json`",
    examples: [
      ["why member loan --row id=7 --session user-id=2", "explains whether the user may read the row"],
      ["why member --field loan_by_pk --metadata metadata", "explains a root field of the metadata files"],
    ],
  },
  diff: {
    result: "`before`, `after`, `summary`, `changes` and `modules`, as with `--format json`",
    exits: ["different", "unreadable", "widens"],
    examples: [["diff ../base/metadata metadata --fail-on-widening", "fails if the new version grants more"]],
  },
  "remote-schemas": {
    result: "`out`, and `remote_schemas`: their names",
    examples: [["remote-schemas --metadata metadata", "writes remote-schemas.json beside the metadata"]],
  },
  shape: {
    result: "`out`, and the numbers of `tables` and `functions`",
    examples: [
      ['shape --database "$DATABASE_URL" --metadata metadata --out shape.json', "saves the shape of a database"],
    ],
  },
  handlers: {
    result: "`out`, `handlers` (their number), and the paths that were `created` and `updated`",
    examples: [
      ["handlers --out handlers", "writes typed handlers of the server's actions and triggers"],
      ["handlers --metadata metadata --mock --port 8090", "serves random responses in their place"],
    ],
  },
  export: {
    result: "the metadata",
    examples: [['export --database-url "$DATABASE_URL"', "prints the metadata"]],
  },
  clean: {
    result: "`deleted`: whether there was metadata",
    examples: [['clean --database-url "$DATABASE_URL"', "deletes the metadata"]],
  },
  backup: {
    result: "`file`, and the number of `rows`",
    examples: [
      ['backup metadata.backup --database-url "$DATABASE_URL"', "writes the state in the metadata database to a file"],
    ],
  },
  restore: {
    result: "`file` and the number of `rows`; with `--check` also the header of the file, and the `rows` of each table",
    examples: [
      ["restore metadata.backup --check", "checks a file without a database"],
      [
        'restore metadata.backup --without schedules,actions --database-url "$DATABASE_URL"',
        "restores everything except calls that are due",
      ],
    ],
  },
  downgrade: {
    result:
      "with `--dryRun`: `statements`, and `sources` with those of each source; otherwise `from` and `to`, the catalog " +
      "versions, and `sources` with the steps of each source",
    examples: [['downgrade --to-v0.1.0 --dryRun --database-url "$DATABASE_URL"', "prints the SQL of a downgrade"]],
  },
  help: { examples: [["help secrets", "prints a page about secrets"]] },
  completion: { examples: [["completion bash", "prints the script for bash"]] },
  version: {
    result: "`version`",
    examples: [["version", "prints the version"]],
  },
};
