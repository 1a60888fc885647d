/** Examples and further exit codes of commands. `test/unit/reference.test.ts` compares them with the program. */
import type { exitCodes } from "../../runtime/cli/exit-codes.ts";

interface CommandExamples {
  /** Command lines behind `npx --no engine`, each with its effect. */
  readonly examples: readonly (readonly [words: string, effect: string])[];
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
  init: { examples: [["init shop --template multi-tenant", "creates the project `shop`"]] },
  import: {
    examples: [
      ["import ../old-project --out shop", "converts a project"],
      ["import --env ../old-project/.env --out .env", "converts environment variables"],
    ],
  },
  check: {
    examples: [
      ["check", "checks the project in the working directory on scratch databases"],
      ["check --no-scratch", "checks it without running SQL"],
    ],
  },
  console: { examples: [["console --project shop", "opens the console of the project's server"]] },
  dev: {
    examples: [
      ["dev --with-seeds --run 'node handlers/server.js'", "applies changes while your program runs beside it"],
    ],
  },
  psql: {
    examples: [["psql --source default", "opens psql on the database of the running server"]],
  },
  client: {
    examples: [["client --role user --documents 'src/**/*.graphql' --out src/client.ts", "writes typed documents"]],
  },
  deploy: {
    exits: ["widens"],
    examples: [
      ["deploy --plan --fail-on-widening", "prints the changes, and fails if a role gains access"],
      ['deploy --endpoint https://shop.example --admin-secret "$SECRET"', "makes the changes"],
    ],
  },
  "metadata apply": {
    examples: [["metadata apply --disallow-inconsistent-metadata", "replaces the server's metadata"]],
  },
  "metadata export": { examples: [["metadata export --output yaml", "prints the server's metadata"]] },
  "metadata convert": { examples: [["metadata convert metadata metadata.json", "writes one JSON file"]] },
  "metadata diff": {
    exits: ["different"],
    examples: [["metadata diff --exit-code", "fails if the project and the server differ"]],
  },
  "metadata reload": { examples: [["metadata reload", "introspects databases after a change of their tables"]] },
  "metadata clear": { examples: [["metadata clear", "deletes the server's metadata, and no tables"]] },
  "metadata inconsistency list": {
    examples: [["metadata inconsistency list", "prints each inconsistent object with its reason"]],
  },
  "metadata inconsistency status": {
    examples: [["metadata inconsistency status", "fails if there is an inconsistent object"]],
  },
  "metadata inconsistency drop": {
    examples: [["metadata inconsistency drop", "removes inconsistent objects from the server's metadata"]],
  },
  "migrate apply": {
    examples: [
      ["migrate apply", "applies all pending migrations"],
      ["migrate apply --down 1", "reverts the last migration"],
    ],
  },
  "migrate status": { examples: [["migrate status", "lists migrations with their state"]] },
  "migrate create": {
    examples: [
      [
        'migrate create notes --up-sql "create table note (id integer primary key)" --down-sql "drop table note"',
        "creates the files of a migration",
      ],
      ["migrate create init --from-server", "creates a migration from an existing database"],
    ],
  },
  "migrate squash": {
    examples: [
      ["migrate squash --from 1700000000001 --name notes --delete-source", "combines migrations from this one on"],
    ],
  },
  "migrate delete": {
    examples: [["migrate delete --version 1700000000001 --force", "deletes a migration without a prompt"]],
  },
  "seed apply": { examples: [["seed apply --file books.sql", "runs one seed"]] },
  "seed create": {
    examples: [["seed create books --from-table book", "writes the rows of a table to a seed"]],
  },
  compile: {
    examples: [["compile --metadata metadata --shape shape.json --out generated", "writes the generated modules"]],
  },
  build: {
    examples: [["build --metadata metadata --shape shape.json --out artifact --closed", "builds a sealed artifact"]],
  },
  verify: { examples: [["verify artifact", "fails if a file of the artifact has changed"]] },
  access: { examples: [["access --role member", "prints all permissions of a role of the server"]] },
  diff: {
    exits: ["different", "unreadable", "widens"],
    examples: [["diff ../base/metadata metadata --fail-on-widening", "fails if the new version grants more"]],
  },
  "remote-schemas": {
    examples: [["remote-schemas --metadata metadata", "writes remote-schemas.json beside the metadata"]],
  },
  shape: {
    examples: [
      ['shape --database "$DATABASE_URL" --metadata metadata --out shape.json', "saves the shape of a database"],
    ],
  },
  handlers: {
    examples: [
      ["handlers --out handlers", "writes typed handlers of the server's actions and triggers"],
      ["handlers --metadata metadata --mock --port 8090", "serves random responses in their place"],
    ],
  },
  export: { examples: [['export --database-url "$DATABASE_URL"', "prints the metadata"]] },
  clean: { examples: [['clean --database-url "$DATABASE_URL"', "deletes the metadata"]] },
  downgrade: {
    examples: [['downgrade --to-v0.1.0 --dryRun --database-url "$DATABASE_URL"', "prints the SQL of a downgrade"]],
  },
  help: { examples: [["help secrets", "prints a page about secrets"]] },
  completion: { examples: [["completion bash", "prints the script for bash"]] },
  version: { examples: [["version", "prints the version"]] },
};
