/** A long text of pieces that follow each other. */
import { LongText } from "../../runtime/values/long-text.ts";

export function longTextOf(...pieces: readonly string[]): LongText {
  return LongText.of(pieces.map((piece) => ({ size: Buffer.byteLength(piece), bytes: () => Buffer.from(piece) })));
}
