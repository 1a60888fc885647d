/** Short texts of `engine help TOPIC`. Their lines have at most 80 characters. */

interface Topic {
  readonly name: string;
  readonly text: string;
  /** Page of the documentation. */
  readonly page: string;
}

export const topics: readonly Topic[] = [
  {
    name: "environment",
    text: `Every option of the server has an environment variable: --server-port is
ENGINE_GRAPHQL_SERVER_PORT. \`engine start --help-all\` lists them all. Flags
take precedence over variables, these over engine.config.ts, and the file over
defaults. The server warns of misspelt variables at start-up.

Commands that work on a project, such as \`engine deploy\`, also read its .env.
The server does not: export the variables with \`set -a; . ./.env; set +a\`.

Variables of the original engine are not read. To rename them:
  engine import --env --out .env`,
    page: "docs/reference/options.md",
  },
  {
    name: "databases",
    text: `--database-url is the database that is served as the source "default". It also
stores the metadata, unless --metadata-database-url names another PostgreSQL
database. Further sources are part of the metadata: their URLs can be variables
of the server (from_env).

Without a URL, \`engine start\` runs an embedded PostgreSQL with its data in
.data/postgres, and \`engine serve\` fails.

The account needs the right to create the schema engine_catalog in the metadata
database, and the rights on tables that its roles use.`,
    page: "docs/explanation/security.md",
  },
  {
    name: "secrets",
    text: `ENGINE_GRAPHQL_ADMIN_SECRET protects administration: clients send it in the
header X-Engine-Admin-Secret. Without it, the server listens on this machine
only, and every client is an administrator. --make-admin-secret generates one.

Set secrets by variables or .env, not by flags, which other programs can see.
Metadata refers to secrets by variable (from_env, {{NAME}}), so that exports
contain none. Logs and errors never contain secrets.`,
    page: "docs/explanation/security.md",
  },
  {
    name: "roles",
    text: `A request has a role and session variables, from one of:
  --jwt-secret         JSON Web Tokens
  --auth-hook          a webhook
  engine.config.ts     a function
  --unauthorized-role  requests without credentials
With the admin secret, X-Engine-Role chooses the role.

A role sees only tables and columns that a permission of the metadata grants.
\`engine check\` and \`engine diff\` report what a change grants to each role.`,
    page: "docs/explanation/security.md",
  },
  {
    name: "deployment",
    text: `A project is a folder with config.yaml, metadata/, migrations/ and seeds/:
  engine init shop                    create one
  engine dev                          apply changes as you save them
  engine check                        test it without a server
  engine deploy --plan                print the changes for a server
  engine deploy                       make them
  engine start --deploy               in containers: deploy, then serve
  engine build                        a server for fixed metadata`,
    page: "docs/how-to/projects.md",
  },
];
