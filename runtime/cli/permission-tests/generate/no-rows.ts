/** The reason why no rows can be derived. */
export class NoRows extends Error {}
