/** Words that flags take. They stand apart from the commands, which are loaded only when they run. */

export const formats = ["json", "yaml"] as const;
export type Format = (typeof formats)[number];

export const diffTypes = ["unified-yaml", "unified-json", "yaml", "json"] as const;
export type DiffType = (typeof diffTypes)[number];

export const verboseFlag = "--verbose";

/** Sections of the metadata that one edition of the other engine stores without enforcing them. */
export const enforcedSections = ["api_limits", "graphql_schema_introspection"] as const;
export type EnforcedSection = (typeof enforcedSections)[number];
