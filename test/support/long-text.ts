/** A long text of pieces that follow each other. */
import { LongText } from "../../runtime/values/long-text.ts";

export const longTextOf = (...pieces: readonly string[]): Promise<LongText> =>
  LongText.of(pieces.map((piece) => Buffer.from(piece)));
