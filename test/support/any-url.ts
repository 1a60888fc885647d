/** Random URLs of the web, with queries and fragments of any characters. */
import fc from "fast-check";
import { anyCharacter } from "./any-text.ts";

// The library's own URLs start with a table of all characters, as its texts do.
const unitOf = (plain: string): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...plain), anyCharacter.map(encodeURIComponent));

/** RFC 3986, 3.3 to 3.5. */
const segment = fc.string({ unit: unitOf("aZ09-._~!$&'()*+,;=:@"), maxLength: 8 });
const queryOrFragment = fc.string({ unit: unitOf("aZ09-._~!$&'()*+,;=:@/?") });

export const anyUrl: fc.Arbitrary<string> = fc
  .record({
    scheme: fc.constantFrom("http", "https"),
    host: fc.domain(),
    segments: fc.array(segment, { maxLength: 4 }),
    query: fc.option(queryOrFragment),
    fragment: fc.option(queryOrFragment),
  })
  .map(({ scheme, host, segments, query, fragment }) => {
    const path = segments.map((each) => `/${each}`).join("");
    return `${scheme}://${host}${path}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
  });
