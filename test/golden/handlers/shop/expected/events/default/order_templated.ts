// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
/** Is called for event trigger order_templated. */
export async function orderTemplated(_payload: unknown): Promise<void> {
  throw new Error("order_templated is not written yet");
}
