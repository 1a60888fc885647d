/** Constants that the bundler defines (`.ci/bundle-console.mjs`). */

/** Sections of the changelog for this version, in Markdown. */
declare const changesText: string;
/** Identifies the text. */
declare const changesHash: string;
