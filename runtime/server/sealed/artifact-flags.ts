/** Flags of an artifact's server, for its help and the documentation. */

export const artifactFlags = [
  { flags: "--drift <refuse|warn>", doc: "reaction to databases that have changed since the build; default refuse" },
  { flags: "--install-triggers", doc: "install the database triggers that record events, and exit" },
  { flags: "--no-verify", doc: "skip the comparison of the files with manifest.json" },
  { flags: "-h, --help", doc: "show this help" },
] as const;
