/** Returns the message of a thrown value, which need not be an error. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
