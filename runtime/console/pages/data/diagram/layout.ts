/**
 * Layered layout of boxes and edges, in columns: referenced boxes left of referencing ones. Groups without an edge
 * between them are placed below and beside each other. Boxes never overlap.
 */

export interface Size {
  readonly key: string;
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export interface Link {
  /** Key of the box that is placed to the right. */
  readonly from: string;
  readonly to: string;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Box>;
}

const columnGap = 90;
const rowGap = 24;
const groupGap = 60;

/** Width of the whole diagram and of each group, divided by the height. */
const aspect = 1.6;

/** Number of columns that always stand beside each other. */
const maxColumns = 12;

/** Passes that order the boxes of columns by their neighbours. */
const sweeps = 6;

export function layoutOf(sizes: readonly Size[], links: readonly Link[]): Layout {
  const graph = graphOf(sizes, links);
  return pack(groupsOf(graph).map((group) => placeGroup(graph, group)));
}

interface Graph {
  readonly sizes: readonly Size[];
  /** Indexes of the referenced boxes by index, without the box itself. */
  readonly targets: readonly (readonly number[])[];
  /** Indexes of the referencing boxes by index. */
  readonly origins: readonly (readonly number[])[];
}

function graphOf(sizes: readonly Size[], links: readonly Link[]): Graph {
  const indexes = new Map(sizes.map(({ key }, index) => [key, index]));
  const targets = sizes.map(() => new Set<number>());
  for (const link of links) {
    const [from, to] = [indexes.get(link.from), indexes.get(link.to)];
    if (from !== undefined && to !== undefined && from !== to) targets[from]?.add(to);
  }
  return acyclic(sizes, targets);
}

/** Reverses the links that close a cycle. Without recursion, because a path can be as long as the graph. */
function acyclic(sizes: readonly Size[], all: readonly ReadonlySet<number>[]): Graph {
  const targets = sizes.map(() => new Set<number>());
  const state = new Uint8Array(sizes.length);
  for (let start = 0; start < sizes.length; start++) {
    if (state[start] !== 0) continue;
    const path = [{ index: start, rest: (all[start] ?? []).values() }];
    state[start] = 1;
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const { value: next, done } = last.rest.next();
      if (done || next === undefined) {
        state[last.index] = 2;
        path.pop();
      } else if (state[next] === 1) {
        targets[next]?.add(last.index);
      } else {
        targets[last.index]?.add(next);
        if (state[next] === 0) {
          state[next] = 1;
          path.push({ index: next, rest: (all[next] ?? []).values() });
        }
      }
    }
  }
  const origins = sizes.map((): number[] => []);
  for (const [from, list] of targets.entries()) for (const to of list) origins[to]?.push(from);
  return { sizes, targets: targets.map((list) => [...list]), origins };
}

/** Returns the connected groups of indexes. */
function groupsOf({ sizes, targets, origins }: Graph): readonly (readonly number[])[] {
  const isFound = new Uint8Array(sizes.length);
  const groups: number[][] = [];
  for (let start = 0; start < sizes.length; start++) {
    if (isFound[start]) continue;
    isFound[start] = 1;
    const group = [start];
    for (const index of group) {
      for (const next of [...(targets[index] ?? []), ...(origins[index] ?? [])]) {
        if (isFound[next]) continue;
        isFound[next] = 1;
        group.push(next);
      }
    }
    groups.push(group);
  }
  return groups;
}

// Placement of one group.

interface Placed {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
}

function placeGroup(graph: Graph, group: readonly number[]): Placed {
  const sizeOf = (index: number): Size => graph.sizes[index] as Size;
  const columns = columnsOf(graph, orderedLevels(graph, group));
  const centers = new Map<number, number>();
  for (const column of columns) place(column, graph.targets, centers, sizeOf);
  for (const column of [...columns].reverse()) place(column, graph.origins, centers, sizeOf);
  const topOf = (index: number): number => (centers.get(index) ?? 0) - sizeOf(index).height / 2;
  const top = Math.min(...group.map(topOf));
  let [x, height] = [0, 0];
  const boxes = columns.map((column) => {
    const placed = column.map((index): Box => ({ ...sizeOf(index), x, y: topOf(index) - top }));
    height = Math.max(height, ...placed.map((box) => box.y + box.height));
    x += Math.max(...placed.map(({ width }) => width)) + columnGap;
    return placed;
  });
  return folded({ width: x - columnGap, height, boxes });
}

interface Columns extends Omit<Placed, "boxes"> {
  /** Boxes by column. */
  readonly boxes: readonly (readonly Box[])[];
}

/** Divides the columns of a long chain of references among rows below each other. */
function folded({ width, height, boxes }: Columns): Placed {
  const rows = Math.floor(Math.sqrt(width / (height * aspect)));
  if (rows < 2 || boxes.length <= maxColumns) return { width, height, boxes: boxes.flat() };
  const limit = width / rows;
  let [left, row, fullWidth] = [0, 0, 0];
  const moved = boxes.flatMap((column) => {
    const x = column[0]?.x ?? 0;
    const columnWidth = Math.max(...column.map((box) => box.width));
    if (x > left && x + columnWidth - left > limit) {
      left = x;
      row++;
    }
    fullWidth = Math.max(fullWidth, x - left + columnWidth);
    return column.map((box) => ({ ...box, x: box.x - left, y: box.y + row * (height + groupGap) }));
  });
  return { width: fullWidth, height: (row + 1) * (height + groupGap) - groupGap, boxes: moved };
}

/** Returns levels by the longest path of references, each ordered by the positions of neighbours. */
function orderedLevels(graph: Graph, group: readonly number[]): readonly (readonly number[])[] {
  let levels = levelsOf(graph, group);
  const position = new Map<number, number>();
  const number = (level: readonly number[]): void => {
    for (const [at, index] of level.entries()) position.set(index, (at + 1) / (level.length + 1));
  };
  for (const level of levels) number(level);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForward = sweep % 2 === 0;
    const next = isForward ? graph.targets : graph.origins;
    const visited = (isForward ? levels : [...levels].reverse()).map((level) => {
      const means = new Map(
        level.map((index) => [index, mean(next[index] ?? [], position) ?? position.get(index) ?? 0]),
      );
      const sorted = [...level].sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0));
      number(sorted);
      return sorted;
    });
    levels = isForward ? visited : visited.reverse();
  }
  return levels;
}

function levelsOf({ targets, origins }: Graph, group: readonly number[]): readonly (readonly number[])[] {
  const level = new Map<number, number>();
  const missing = new Map(group.map((index) => [index, targets[index]?.length ?? 0]));
  const ready = group.filter((index) => missing.get(index) === 0);
  for (const index of ready) {
    const own = level.get(index) ?? 0;
    level.set(index, own);
    for (const origin of origins[index] ?? []) {
      level.set(origin, Math.max(level.get(origin) ?? 0, own + 1));
      const rest = (missing.get(origin) ?? 0) - 1;
      missing.set(origin, rest);
      if (rest === 0) ready.push(origin);
    }
  }
  const levels: number[][] = [];
  for (const index of ready) {
    const at = level.get(index) ?? 0;
    const list = levels[at];
    if (list) list.push(index);
    else levels[at] = [index];
  }
  return levels;
}

/** Splits levels that would be much higher than the group is wide. */
function columnsOf({ sizes }: Graph, levels: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const heightOf = (index: number): number => (sizes[index]?.height ?? 0) + rowGap;
  const widthOf = (index: number): number => (sizes[index]?.width ?? 0) + columnGap;
  const area = levels.flat().reduce((sum, index) => sum + heightOf(index) * widthOf(index), 0);
  const limit = Math.sqrt(area / aspect);
  return levels.flatMap((level) => {
    const total = level.reduce((sum, index) => sum + heightOf(index), 0);
    const count = Math.max(1, Math.round(total / limit));
    const columns: number[][] = [];
    let used = 0;
    for (const index of level) {
      const at = Math.min(count - 1, Math.floor((used * count) / total));
      const column = columns[at];
      if (column) column.push(index);
      else columns[at] = [index];
      used += heightOf(index);
    }
    return columns.filter((column) => column !== undefined);
  });
}

/** Places the boxes of a column near their neighbours, in their order and without overlap. */
function place(
  column: readonly number[],
  next: readonly (readonly number[])[],
  centers: Map<number, number>,
  sizeOf: (index: number) => Size,
): void {
  const wanted = column.map((index) => mean(next[index] ?? [], centers) ?? centers.get(index));
  const placed: number[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const [at, index] of column.entries()) {
    const half = sizeOf(index).height / 2;
    const free = bottom === Number.NEGATIVE_INFINITY ? 0 : bottom + rowGap + half;
    const center = Math.max(wanted[at] ?? free, bottom === Number.NEGATIVE_INFINITY ? (wanted[at] ?? 0) : free);
    placed.push(center);
    bottom = center + half;
  }
  // Boxes are only moved down above, so the whole column moves up by the mean distance.
  const moved = placed.reduce((sum, center, at) => sum + center - (wanted[at] ?? center), 0) / column.length;
  for (const [at, index] of column.entries()) centers.set(index, (placed[at] ?? 0) - moved);
}

function mean(indexes: readonly number[], values: ReadonlyMap<number, number>): number | undefined {
  let sum = 0;
  let count = 0;
  for (const index of indexes) {
    const value = values.get(index);
    if (value === undefined) continue;
    sum += value;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}

// Placement of the groups, in rows.

function pack(groups: readonly Placed[]): Layout {
  const sorted = [...groups].sort((a, b) => b.height - a.height);
  const area = sorted.reduce((sum, { width, height }) => sum + (width + groupGap) * (height + groupGap), 0);
  const limit = Math.max(Math.sqrt(area * aspect), ...sorted.map(({ width }) => width));
  const boxes = new Map<string, Box>();
  let [x, y, rowHeight, width] = [0, 0, 0, 0];
  for (const group of sorted) {
    if (x > 0 && x + group.width > limit) {
      y += rowHeight + groupGap;
      [x, rowHeight] = [0, 0];
    }
    for (const box of group.boxes) boxes.set(box.key, { ...box, x: box.x + x, y: box.y + y });
    rowHeight = Math.max(rowHeight, group.height);
    width = Math.max(width, x + group.width);
    x += group.width + groupGap;
  }
  return { width, height: y + rowHeight, boxes };
}
