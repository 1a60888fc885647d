/** Suggests the nearest valid name for a misspelt one, in errors and warnings. */

/**
 * Returns the candidate closest to `name`, or `undefined` if none is close: at most a third of the letters may differ.
 * A transposition of two adjacent letters counts as one difference. Case is ignored, but names that differ only in case
 * have one difference.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let smallest = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= smallest) continue;
    const distance = editDistance(name, candidate);
    if (distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

/** Returns `did you mean "where"?`, or `undefined` if no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

/**
 * Returns the first name that a text suggests: the text of `didYouMean` or `misspeltKey`, of the parser of the command
 * line, or of the GraphQL library.
 */
export function suggestedName(text: string): string | undefined {
  const { quoted, flag } =
    /[Dd]id you mean (?:(?:the \w+ )?"(?<quoted>[^"]+)"|(?<flag>[\w-]+)\?)/.exec(text)?.groups ?? {};
  return quoted ?? flag;
}

/** Returns a hint if an existing key is probably a misspelling of the missing key. */
export function misspeltKey(missing: string, holder: object): string | undefined {
  const near = nearestName(missing, Object.keys(holder));
  return near === undefined ? undefined : `did you mean "${missing}" instead of "${near}"?`;
}

/** Returns the Damerau-Levenshtein distance (optimal string alignment), ignoring case; 1 if only the case differs. */
function editDistance(left: string, right: string): number {
  const a = left.toLowerCase();
  const b = right.toLowerCase();
  if (a === b) return 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
