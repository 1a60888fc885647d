/** Flags of an artifact's server, for its help and the documentation. */

export const artifactFlags = [
  { flags: "--drift <refuse|warn>", doc: "reaction to databases that have changed since the build; default refuse" },
  { flags: "--install-triggers", doc: "install the database triggers that record events, and exit" },
  { flags: "--mcp", doc: "serve tools to an assistant over standard input and output, without a port" },
  { flags: "--role <role>", doc: "role of the assistant; required by --mcp" },
  {
    flags: "--header <name: value>",
    doc: "with --mcp: header of each request, such as a session variable; repeatable",
  },
  { flags: "--no-verify", doc: "skip the comparison of the files with manifest.json" },
  { flags: "-h, --help", doc: "show this help" },
] as const;
