/**
 * The maximum number of cached modules that were loaded only for traversing a whole schema, such as for introspection:
 * enough for a role with 500 tables, so that introspection after a metadata change is fast. A module takes about 15 KB.
 */
export const maxTransientModules = 1_000;
