// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
/** Answers action transformed. */
export async function transformed(_payload: unknown): Promise<unknown> {
  throw new Error("transformed is not written yet");
}
