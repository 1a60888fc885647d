/** Which catalog version each release of the product works on: `engine downgrade --to-v<release>` goes there. */

/** The newest release is this one. */
export const releases: ReadonlyMap<string, number> = new Map([["0.1.0", 9]]);
