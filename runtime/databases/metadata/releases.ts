/** Maps releases of the product to catalog versions, for `engine downgrade --to-v<release>`. */

/** The last entry is the current release. */
export const releases: ReadonlyMap<string, number> = new Map([["0.1.0", 12]]);
