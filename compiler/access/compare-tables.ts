/** Compares the permissions of a role on one table. */
import type { Condition } from "../3-lower/ir.ts";
import {
  allowedEffect,
  type Changes,
  combined,
  conditionEffect,
  type Effect,
  isSame,
  limitEffect,
  named,
  pairs,
} from "./change.ts";
import { compareRelated } from "./compare-related.ts";
import { deleteText, insertText, mergedText, rowsText, selectText, updateText } from "./describe.ts";
import { anyOf, implies } from "./implies.ts";
import type {
  ByName,
  DeleteAccess,
  InsertAccess,
  MergedAccess,
  RelationshipAccess,
  SelectAccess,
  TableAccess,
  UpdateAccess,
  ValuesAccess,
} from "./model.ts";
import { changedReferences } from "./references.ts";

export function compareTable(before: TableAccess, after: TableAccess, changes: Changes): void {
  if (before.query !== after.query && before.select && after.select) {
    changes.changed({ aspect: "query", before: before.query, after: after.query, effect: "may widen" });
  }
  const { row } = after;
  const permission = <T>(
    kind: "select" | "insert" | "update" | "delete",
    from: T | undefined,
    to: T | undefined,
    text: (access: T, row: string) => string,
    compare: (from: T, to: T) => void,
  ) => {
    const aspect = `${kind} permission`;
    if (from && to) compare(from, to);
    else if (to) changes.added({ aspect, after: text(to, row), effect: "widens" });
    else if (from) changes.removed({ aspect, after: text(from, row), effect: "widens" });
  };
  const comparing = new Comparing(changes, row);
  permission("select", before.select, after.select, selectText, (from, to) => comparing.select(from, to));
  permission("insert", before.insert, after.insert, insertText, (from, to) => comparing.insert(from, to));
  permission("update", before.update, after.update, updateText, (from, to) =>
    comparing.update(from, to, { before: before.insert, after: after.insert }),
  );
  permission("delete", before.delete, after.delete, deleteText, (from, to) => comparing.delete(from, to));
}

const widens = (): Effect => "widens";

/** Compares the relationships of a table, or of an object type. */
export function compareRelationships(
  before: ByName<RelationshipAccess>,
  after: ByName<RelationshipAccess>,
  changes: Changes,
): void {
  const joined = ({ kind, target, on }: RelationshipAccess) => `${kind} ${target} on ${on.join(", ")}`;
  changes.members(before, after, { aspect: "relationship", added: widens, text: joined }, (from, to, name) =>
    changes.changed({ aspect: "relationship", name, before: joined(from), after: joined(to), effect: "may widen" }),
  );
}

class Comparing {
  readonly #changes: Changes;
  /** Alias of the row in conditions. */
  readonly #row: string;

  constructor(changes: Changes, row: string) {
    this.#changes = changes;
    this.#row = row;
  }

  select(before: SelectAccess, after: SelectAccess): void {
    const changes = this.#changes;
    this.#condition("select rows", before.rows, after.rows);
    this.#cells(before, after);
    changes.members(
      before.computedFields,
      after.computedFields,
      { aspect: "computed field", added: widens },
      (from, to, name) => {
        const isSameFunction = from.function === to.function;
        // A function without session variables returns the same values for all callers.
        const effect = combined([isSameFunction ? "none" : "may widen", allowedEffect(!from.session, !to.session)]);
        if (isSameFunction && from.session === to.session) return;
        const text = ({ function: called, session }: typeof from) =>
          `${called}${session ? ", receives session variables" : ""}`;
        changes.changed({ aspect: "computed field", name, before: text(from), after: text(to), effect });
      },
    );
    compareRelationships(before.relationships, after.relationships, changes);
    this.#limit(before.limit, after.limit);
    this.#switch("aggregates", before.aggregations, after.aggregations, "widens");
  }

  insert(before: InsertAccess, after: InsertAccess): void {
    this.#values("insert", before, after);
    const aspect = "nested insert";
    const note = (from: string, to: string, name: string) =>
      this.#changes.changed({ aspect, name, before: from, after: to, effect: "may widen" });
    this.#changes.members(before.nested, after.nested, { aspect, added: widens, text: (target) => target }, note);
    compareRelated("insert", before.related, after.related, this.#changes);
    this.#condition("insert check", before.check, after.check);
    this.#write("insert", before, after);
  }

  update(
    before: UpdateAccess,
    after: UpdateAccess,
    inserts: { readonly before?: InsertAccess | undefined; readonly after?: InsertAccess | undefined },
  ): void {
    this.#values("update", before, after);
    compareRelated("update", before.related, after.related, this.#changes);
    this.#condition("update rows", before.rows, after.rows);
    this.#write("update", before, after);
    if (isSame([before.check, before.hasCheck], [after.check, after.hasCheck])) return;
    const canUpsert = inserts.before !== undefined && inserts.after !== undefined;
    const upserts = canUpsert
      ? conditionEffect(checkOfUpserts(before, inserts.before), checkOfUpserts(after, inserts.after))
      : "none";
    this.#changes.changed({
      aspect: "update check",
      before: checkText(before, this.#row),
      after: checkText(after, this.#row),
      through: changedReferences(before.check, after.check),
      effect: combined([conditionEffect(before.check, after.check), upserts]),
    });
  }

  delete(before: DeleteAccess, after: DeleteAccess): void {
    this.#condition("delete rows", before.rows, after.rows);
    this.#write("delete", before, after);
  }

  /** Compares columns, and for an inherited role the rows on which each is visible. */
  #cells(before: SelectAccess, after: SelectAccess): void {
    const changes = this.#changes;
    changes.members(
      before.columns,
      after.columns,
      { aspect: "select column", added: widens, text: ({ field }, name) => (field === name ? undefined : field) },
      (from, to, name) => {
        if (from.field === to.field) return;
        changes.changed({ aspect: "name of column", name, before: from.field, after: to.field, effect: "none" });
      },
    );
    if (before.parents === undefined && after.parents === undefined) return;
    const cells = [...pairs(before.columns, after.columns), ...pairs(before.computedFields, after.computedFields)];
    for (const [name, from, to] of cells) {
      if (from === undefined || to === undefined) continue;
      const [was, is] = [rowsOfCell(before, from.parents), rowsOfCell(after, to.parents)];
      const isReported = isSame(was, before.rows) && isSame(is, after.rows);
      if (isReported || isSame(was, is)) continue;
      this.#condition("rows that show column", was, is, name);
    }
  }

  /** Compares the permissions that merged permissions consist of, by parent. */
  #merged(kind: "insert" | "update", before: ValuesAccess & RowsAccess, after: ValuesAccess & RowsAccess): void {
    if (isSame(before.merged, after.merged)) return;
    const aspect = `${kind} permission of parent`;
    const text = (access: MergedAccess) => mergedText(access, this.#row);
    const [was, is] = [partsOf(before), partsOf(after)];
    const isCovered = (part: MergedAccess, by: readonly MergedAccess[]) => by.some((other) => covers(other, part));
    this.#changes.members(
      before.merged ?? {},
      after.merged ?? {},
      // A removed part may still be covered by another part of the same side.
      { aspect, added: (part) => (isCovered(part, was.includes(part) ? is : was) ? "none" : "widens"), text },
      (from, to, name) => {
        if (isSame(from, to)) return;
        const [isNoWider, isNoNarrower] = [isCovered(to, was), isCovered(from, is)];
        const effect = isNoWider ? (isNoNarrower ? "none" : "narrows") : isNoNarrower ? "widens" : "may widen";
        this.#changes.changed({ aspect, name, before: text(from), after: text(to), effect });
      },
    );
  }

  #values(kind: "insert" | "update", before: ValuesAccess & RowsAccess, after: ValuesAccess & RowsAccess): void {
    const changes = this.#changes;
    this.#merged(kind, before, after);
    changes.members(named(before.columns), named(after.columns), { aspect: `${kind} column`, added: widens });
    for (const [name, from, to] of pairs(before.presets, after.presets)) {
      if (from === to) continue;
      const aspect = `${kind} preset`;
      // If requests could set the column before, the preset only restricts it; otherwise it adds or removes a value.
      const effect = (settable: readonly string[]): Effect => (settable.includes(name) ? "narrows" : "may widen");
      if (from === undefined) changes.added({ aspect, name, after: to, effect: effect(before.columns) });
      else if (to === undefined) changes.removed({ aspect, name, after: from, effect: effect(after.columns) });
      else changes.changed({ aspect, name, before: from, after: to, effect: "may widen" });
    }
  }

  #write(kind: "insert" | "update" | "delete", before: DeleteAccess, after: DeleteAccess): void {
    this.#switch(`restriction of ${kind} to backends`, before.backendOnly, after.backendOnly, "narrows");
    const { validation: from } = before;
    const { validation: to } = after;
    if (from === to) return;
    const aspect = `${kind} validation`;
    if (from === undefined) this.#changes.added({ aspect, after: to, effect: "narrows" });
    else if (to === undefined) this.#changes.removed({ aspect, after: from, effect: "narrows" });
    else this.#changes.changed({ aspect, before: from, after: to, effect: "may widen" });
  }

  #condition(aspect: string, from: Condition | undefined, to: Condition | undefined, name?: string): void {
    if (isSame(from, to)) return;
    this.#changes.changed({
      aspect,
      ...(name === undefined ? {} : { name }),
      before: rowsText(from, this.#row),
      after: rowsText(to, this.#row),
      through: changedReferences(from, to),
      effect: conditionEffect(from, to),
    });
  }

  #limit(from: number | undefined, to: number | undefined): void {
    if (from === to) return;
    const aspect = "select limit";
    if (from === undefined) this.#changes.added({ aspect, after: String(to), effect: "narrows" });
    else if (to === undefined) this.#changes.removed({ aspect, after: String(from), effect: "narrows" });
    else this.#changes.changed({ aspect, before: String(from), after: String(to), effect: limitEffect(from, to) });
  }

  #switch(aspect: string, from: boolean, to: boolean, effect: Effect): void {
    if (to && !from) this.#changes.added({ aspect, effect });
    if (from && !to) this.#changes.removed({ aspect, effect });
  }
}

type RowsAccess = Pick<UpdateAccess, "rows">;

/** Returns the merged permissions, or the permission itself. A change requires one permission that allows it alone. */
function partsOf({ merged, columns, rows, check }: ValuesAccess & RowsAccess): readonly MergedAccess[] {
  return merged ? Object.values(merged) : [{ columns, ...(rows && { rows }), ...(check && { check }) }];
}

/** Returns true if a permission provably permits every change that another one permits. */
function covers(wide: MergedAccess, narrow: MergedAccess): boolean {
  const listed = new Set(wide.columns);
  if (!narrow.columns.every((name) => listed.has(name))) return false;
  return implies(narrow.rows, wide.rows) && implies(narrow.check, wide.check);
}

/** Returns the rows on which a column or computed field is visible. */
function rowsOfCell(
  { rows, parents }: SelectAccess,
  grantingRoles: readonly string[] | undefined,
): Condition | undefined {
  if (parents === undefined || grantingRoles === undefined) return rows;
  const byRole = new Map(Object.entries(parents));
  return anyOf(grantingRoles.map((role) => byRole.get(role) ?? undefined));
}

/**
 * Returns the check for rows that an upsert updates: the check of the update permission, or else of the insert
 * permission.
 */
function checkOfUpserts({ hasCheck, check }: UpdateAccess, insert: InsertAccess | undefined): Condition | undefined {
  return hasCheck ? check : insert?.check;
}

function checkText({ hasCheck, check }: UpdateAccess, row: string): string {
  return hasCheck ? rowsText(check, row) : "none";
}
