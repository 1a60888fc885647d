/** A generated case before it has run, and the set-up that its builders share. */

import type { AnalyzedSelect, AnalyzedTable, Predicate } from "../../../../compiler/2-analyze/analyzed-table.ts";
import type { PermissionKind } from "../../../../compiler/catalog/model.ts";
import { NoRows } from "./no-rows.ts";
import { Row } from "./rows.ts";
import { type Demand, type Scenario, scenariosOf } from "./scenarios.ts";
import { World, type WorldInput } from "./world.ts";

export interface Draft {
  /** A sentence, such as `member reads only permitted rows`. */
  readonly name: string;
  readonly query: string;
  readonly setup: ReturnType<World["setup"]>;
  /** Result that the permission implies: `data`, or the code of an error. */
  readonly expects: "data" | "permission-error" | "validation-failed";
}

/** A part of a permission that no case tests. */
export interface Gap {
  readonly subject: string;
  readonly reason: string;
}

interface Drafts {
  readonly drafts: readonly Draft[];
  readonly gaps: readonly Gap[];
}

/** The permissions of one role on one table. */
export interface PermissionScope {
  readonly role: string;
  readonly table: AnalyzedTable;
  readonly namespace: string | undefined;
  readonly world: WorldInput;
  readonly select: AnalyzedSelect | undefined;
}

export const subjectOf = (kind: PermissionKind, { role, table }: PermissionScope): string =>
  `${kind} permission ${role} of ${table.displayName}`;

/** Collects drafts; a part without rows becomes a gap. */
export class DraftList implements Drafts {
  readonly drafts: Draft[] = [];
  readonly gaps: Gap[] = [];
  readonly #names = new Map<string, number>();

  /** Adds a case, whose name gets a number if it is not unique. */
  add(draft: Draft): void {
    const count = (this.#names.get(draft.name) ?? 0) + 1;
    this.#names.set(draft.name, count);
    this.drafts.push(count === 1 ? draft : { ...draft, name: `${draft.name} (${count})` });
  }

  async attempt(subject: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof NoRows)) throw error;
      this.gaps.push({ subject, reason: error.message });
    }
  }
}

/** Builds the rows of the scenarios that a case combines. */
export type Build<Built> = (chosen: readonly Chosen[]) => Promise<Built>;

export interface Chosen {
  readonly scenario: Scenario;
  readonly demands: readonly Demand[];
}

export interface Packed<Built> {
  readonly chosen: readonly Chosen[];
  readonly built: Built;
}

/**
 * Combines scenarios into as few cases as possible. A scenario that conflicts with the others, such as by a key, begins
 * a further case; one without possible rows is left out.
 * @param isSeparate if true, each scenario has a case of its own
 * @throws NoRows if no scenario has rows
 */
export async function pack<Built>(
  scenarios: readonly Scenario[],
  build: Build<Built>,
  isSeparate = false,
): Promise<readonly Packed<Built>[]> {
  const packed: Packed<Built>[] = [];
  let failure: NoRows | undefined;
  for (const scenario of scenarios) {
    const shared = isSeparate || scenario.isAlone ? [] : [...packed.keys()].filter((i) => !isAlone(packed[i]));
    for (const index of [...shared, packed.length]) {
      const before = packed[index]?.chosen ?? [];
      const found = await firstPossible(scenario, before, build);
      if (found instanceof NoRows) failure = found;
      else {
        packed[index] = found;
        break;
      }
    }
  }
  if (packed.length === 0) throw failure ?? new NoRows("its condition holds for no row");
  return packed;
}

const isAlone = (packed: Packed<unknown> | undefined): boolean =>
  packed?.chosen.some(({ scenario }) => scenario.isAlone) === true;

async function firstPossible<Built>(
  scenario: Scenario,
  before: readonly Chosen[],
  build: Build<Built>,
): Promise<Packed<Built> | NoRows> {
  let failure = new NoRows("its condition holds for no row");
  for (const demands of scenario.alternatives) {
    const chosen = [...before, { scenario, demands }];
    try {
      return { chosen, built: await build(chosen) };
    } catch (error) {
      if (!(error instanceof NoRows)) throw error;
      failure = error;
    }
  }
  return failure;
}

/** Returns the function that builds a row of the table for each scenario. */
export function rowsOfTable({ table, world: input }: PermissionScope): Build<World> {
  return async (chosen) => {
    const world = new World(input);
    for (const { demands } of chosen) world.apply(world.add(new Row(table.shape, "setup")), demands);
    await world.settle();
    return world;
  };
}

/** Returns scenarios, with a second row for which a condition with only two scenarios holds: a negation has one row. */
export function weighted(condition: Predicate, { world }: PermissionScope): readonly Scenario[] {
  const scenarios = scenariosOf(condition, world.tables);
  const [first] = scenarios;
  const holding = scenarios.filter(({ holds }) => holds).length;
  return first !== undefined && holding * 2 === scenarios.length ? [first, ...scenarios] : scenarios;
}
