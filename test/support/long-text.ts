/** A long text of consecutive pieces. */
import { LongText } from "../../runtime/values/long-text.ts";

export const longTextOf = (...pieces: readonly string[]): Promise<LongText> =>
  LongText.of(pieces.map((piece) => Buffer.from(piece)));
