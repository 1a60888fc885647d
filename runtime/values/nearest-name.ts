/** The nearest valid name to a misspelt one, for hints in errors and warnings. */

/**
 * The candidate closest to `given`, or `undefined` when none is close enough to be meant: at most a third of the
 * letters may differ. A swap of two neighbouring letters counts as one difference, as does the case of a letter.
 */
export function nearestName(given: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let smallest = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === given || Math.abs(candidate.length - given.length) >= smallest) continue;
    const distance = editDistance(given, candidate);
    if (distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

/** `did you mean "where"?`, or `undefined` when nothing is near. */
export function didYouMean(given: string, candidates: Iterable<string>): string | undefined {
  const nearest = nearestName(given, candidates);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

/** The same of a key that is missing, when one of those that are there was probably to be it. */
export function misspeltKey(missing: string, holder: object): string | undefined {
  const near = nearestName(missing, Object.keys(holder));
  return near === undefined ? undefined : `did you mean "${missing}" where it says "${near}"?`;
}

/** Damerau-Levenshtein distance (optimal string alignment), three rows at a time; the case of letters costs one in all. */
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
