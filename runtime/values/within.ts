/** Races a promise against a timeout. Returns `late` after the timeout, without cancelling the work. */
export async function within<T, L>(work: Promise<T>, milliseconds: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds);
  });
  return await Promise.race([work, end]).finally(() => clearTimeout(timer));
}
