/** `roles/<role>/(operations)/<collection>.<query>.ts`: the finished SQL of a saved operation for one role. */

import type { AnsweredRows, EncoderCode, ValueSource, WrittenRow } from "../../runtime/model/definitions/parameters.ts";
import type { AnswerPiece } from "../../runtime/model/planner/mutate/plan.ts";
import { stringLiteral, templateLines } from "../4-emit/escape.ts";
import { identifier } from "../4-emit/identifiers.ts";
import { jsonCode } from "../4-emit/json-code.ts";
import { type Code, call, group, layOut, object, sequence } from "../4-emit/layout.ts";
import { ModuleBuilder } from "../4-emit/module-builder.ts";
import { savedPlansPath } from "../4-emit/paths.ts";
import { member } from "../4-emit/sources.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { ActionWriter } from "./emit-actions.ts";
import { RemoteWriter } from "./emit-remotes.ts";
import type { JoinedIr, JoinPlaceIr, JoinPlacesIr, TypedKeysIr } from "./joins-ir.ts";
import type { ActionRequestIr, JoinStepIr, PlanIr, RowsIr, SavedPlansIr, SlotIr, WriteStepIr } from "./plans-ir.ts";
import { sqlLines } from "./sql-lines.ts";

export function emitSavedPlans(ir: SavedPlansIr, dialectOf: (source: string) => Dialect, slice: string): string {
  const { operation, role, variant, kind, optional, conditions, plans } = ir;
  const label = `query ${operation.name} of collection ${operation.collection}`;
  const who = variant === "backend" ? `role ${role}, from a backend` : `role ${role}`;
  const module = new ModuleBuilder(savedPlansPath(role, operation, variant), { from: `${label}: ${who}`, slice }, [
    "plans",
  ]);
  const writer = new PlanWriter(module, dialectOf);
  const codes = Object.entries(plans).map(([name, plan]) => [name, writer.plan(kind, plan)] as const);
  writer.declareRows();
  const members = onceEach(module, codes);
  const properties = [
    member("optional", group("[", optional.map(stringLiteral), "]")),
    member("conditions", group("[", conditions.map(stringLiteral), "]")),
    member("plans", group("{ ", members, " }")),
  ];
  const define = module.support("savedPlans");
  const comments = [
    `What ${who} runs for ${label}.`,
    ...(optional.length + conditions.length > 0 ? [severalPlans] : []),
  ];
  module.declare(comments, call(`export const plans = ${define}`, object(properties)));
  return module.toString();
}

const severalPlans = "Which of the plans it is depends on the variables.";

/** The plans by name; what is a plan under several names is declared before. */
function onceEach(module: ModuleBuilder, plans: readonly (readonly [name: string, code: Code])[]): Code[] {
  const namesOf = new Map<string, string[]>();
  for (const [name, code] of plans) {
    const text = layOut(code);
    namesOf.set(text, [...(namesOf.get(text) ?? []), name]);
  }
  const declared = new Map<string, string>();
  for (const [name, code] of plans) {
    const names = namesOf.get(layOut(code)) ?? [];
    if (names.length < 2 || names[0] !== name) continue;
    const local = module.local(identifier(name.replaceAll(", ", "_")));
    for (const each of names) declared.set(each, local);
    module.declare([`The plan for: ${names.join("; ")}.`], sequence(`const ${local} = `, code));
  }
  return plans.map(([name, code]) => member(name, declared.get(name) ?? code));
}

class PlanWriter {
  readonly #module: ModuleBuilder;
  readonly #dialectOf: (source: string) => Dialect;
  readonly #remotes: RemoteWriter;
  readonly #actions: ActionWriter;
  /** By what they are. */
  readonly #rows = new Map<string, { readonly name: string; readonly comment: string; readonly code: Code }>();

  constructor(module: ModuleBuilder, dialectOf: (source: string) => Dialect) {
    this.#module = module;
    this.#dialectOf = dialectOf;
    this.#remotes = new RemoteWriter(module);
    this.#actions = new ActionWriter(module);
  }

  plan(
    kind: SavedPlansIr["kind"],
    { statements, writes, parts, remotes = [], actions = [], joins = [] }: PlanIr,
  ): Code {
    const answer = member(
      "parts",
      group(
        "[",
        parts.map((part) => this.#part(part)),
        "]",
      ),
    );
    const requests = remotes.map((request) => this.#remotes.request(request));
    const calls = actions.map((action) =>
      this.#actions.request(
        action,
        action.reads.map((read) => this.#read(read)),
      ),
    );
    const steps = joins.map((step) => this.#joinStep(step));
    const members = [
      ...(requests.length === 0 ? [] : [member("remotes", group("[", requests, "]"))]),
      ...(calls.length === 0 ? [] : [member("actions", group("[", calls, "]"))]),
      answer,
      ...(steps.length === 0 ? [] : [member("joins", group("[", steps, "]"))]),
    ];
    if (kind === "mutation") {
      const list = writes.map(({ source, steps, answer: pieces }) =>
        this.#call(
          "write",
          stringLiteral(source),
          group(
            "[",
            steps.map((step) => this.#step(step, source)),
            "]",
          ),
          group(
            "[",
            pieces.map((piece) => this.#piece(piece)),
            "]",
          ),
        ),
      );
      return this.#call("mutationPlan", object([member("writes", group("[", list, "]")), ...members]));
    }
    const list = statements.map(({ source, text, slots, callsFunctions }) =>
      this.#call(
        "statement",
        stringLiteral(source),
        this.#text(text, source),
        this.#slots(slots, source),
        ...(callsFunctions ? [object([member("callsFunctions", "true")])] : []),
      ),
    );
    return this.#call("queryPlan", object([member("statements", group("[", list, "]")), ...members]));
  }

  /** After the plans, which say what rows there are. */
  declareRows(): void {
    for (const { name, comment, code } of this.#rows.values()) {
      this.#module.declare([comment], sequence(`const ${name} = `, code));
    }
  }

  #call(name: string, ...args: readonly Code[]): Code {
    return call(this.#module.support(name), ...args);
  }

  #part(part: PlanIr["parts"][number]): Code {
    const key = stringLiteral(part.key);
    switch (part.kind) {
      case "column":
        return this.#call("columnOf", key, String(part.statement), String(part.column), ...this.#places(part));
      case "write":
        return this.#call("writeOf", key, String(part.write), ...this.#places(part));
      case "remote":
        return this.#call("remoteOf", key, String(part.request), ...this.#places(part));
      case "action":
        return this.#call("actionOf", key, String(part.action), ...this.#places(part));
      case "json":
        return this.#call("jsonOf", key, stringLiteral(part.json));
      case "object":
        return this.#call(
          "membersOf",
          key,
          group(
            "[",
            part.parts.map((inner) => this.#part(inner)),
            "]",
          ),
        );
    }
  }

  /** Nothing where nothing is joined. */
  #places({ joins }: JoinedIr): readonly Code[] {
    return joins === undefined ? [] : [this.#placesCode(joins)];
  }

  #placesCode(places: JoinPlacesIr): Code {
    return object(Object.entries(places).map(([key, place]) => member(key, this.#placeCode(place))));
  }

  #placeCode(place: JoinPlaceIr): Code {
    switch (place.kind) {
      case "below":
        return this.#placesCode(place.places);
      case "keys":
        return this.#keysCode(place);
      case "typed": {
        const types = Object.entries(place.types);
        return this.#call("keysByType", object(types.map(([type, keys]) => member(type, this.#keysCode(keys)))));
      }
      case "hidden":
        return this.#module.support("hiddenKey");
    }
  }

  #keysCode({ step, place, members = [] }: Pick<TypedKeysIr, "step" | "place"> & Partial<TypedKeysIr>): Code {
    return this.#call("keysFor", String(step), String(place), ...members.map(stringLiteral));
  }

  #joinStep(step: JoinStepIr): Code {
    if (step.kind === "remote") {
      const list = step.places.map((place) => this.#remotes.place(place, this.#places(place)));
      return this.#call("remoteStep", group("[", list, "]"));
    }
    const { source, text, slots, places } = step;
    const list = places.map((place) =>
      this.#call("joinPlace", String(place.keys), stringLiteral(place.path), ...this.#places(place)),
    );
    return this.#call(
      "joinStep",
      stringLiteral(source),
      this.#text(text, source),
      this.#slots(slots, source),
      group("[", list, "]"),
    );
  }

  #read({ source, text, slots, places }: ActionRequestIr["reads"][number]): Code {
    return this.#call(
      "readForObjects",
      stringLiteral(source),
      this.#text(text, source),
      this.#slots(slots, source),
      group("[", places.map(String), "]"),
    );
  }

  #step({ text, slots, path, setsUser, expects }: WriteStepIr, source: string): Code {
    const options = [
      ...(setsUser ? [member("setsUser", "true")] : []),
      ...(expects ? [member("expects", jsonCode(this.#module, expects))] : []),
    ];
    const last = options.length === 0 ? [] : [object(options)];
    return this.#call("writeStep", this.#text(text, source), this.#slots(slots, source), stringLiteral(path), ...last);
  }

  #piece(piece: AnswerPiece): Code {
    if (typeof piece === "string") return stringLiteral(piece);
    if ("sum" in piece) {
      const columns = piece.sum.map(({ step, column }) => this.#call("stepColumn", String(step), String(column)));
      return object([member("sum", group("[", columns, "]"))]);
    }
    return this.#call("stepColumn", String(piece.step), String(piece.column));
  }

  #slots(slots: readonly SlotIr[], source: string): Code {
    return group(
      "[",
      slots.map((slot) => this.#slot(slot, source)),
      "]",
    );
  }

  #slot(slot: SlotIr, source: string): Code {
    switch (slot.kind) {
      case "value":
        return this.#call("value", this.#source(slot.source), this.#encoder(slot.code), stringLiteral(slot.path));
      case "column":
        return this.#call(
          "columnValues",
          this.#dialect(source),
          this.#rowsName(slot.rows),
          stringLiteral(slot.name),
          this.#encoder(slot.code),
        );
      case "join_keys": {
        const form = slot.form === "json" ? [stringLiteral(slot.form)] : [];
        return this.#call("keysOf", this.#dialect(source), String(slot.place), String(slot.column), ...form);
      }
      case "result":
        return this.#call("resultOf", String(slot.step), String(slot.column));
      case "copied": {
        const parts = slot.parts.map(({ step, column, index, rows }) =>
          object([
            member("step", String(step)),
            member("column", String(column)),
            member("index", String(index)),
            member("rows", this.#rowsName(rows)),
          ]),
        );
        return this.#call("copiedValues", this.#dialect(source), ...parts);
      }
      case "session":
        return this.#call("sessionValue", stringLiteral(slot.variable));
      case "whole_session":
        return this.#module.support("wholeSessionValue");
    }
  }

  #dialect(source: string): string {
    return this.#module.support(this.#dialectOf(source).runtime.name);
  }

  #text(text: string, source: string): string {
    return `\`${templateLines(sqlLines(text, this.#dialectOf(source).quoted))}\``;
  }

  #source(source: ValueSource): Code {
    switch (source.kind) {
      case "variable": {
        const within = source.within.map((key) => (typeof key === "number" ? String(key) : stringLiteral(key)));
        return this.#call("given", stringLiteral(source.name), ...within);
      }
      case "constant":
        return this.#call("written", jsonCode(this.#module, source.value));
      case "literal":
        throw new Error("invariant: the text of a saved operation is one");
      case "list":
        return this.#call("listOf", ...source.items.map((item) => this.#source(item)));
      case "object": {
        const members = source.members.map(([key, item]) => group("[", [stringLiteral(key), this.#source(item)], "]"));
        return this.#call("objectOf", ...members);
      }
    }
  }

  #encoder({ name, arguments: given }: EncoderCode): Code {
    const local = this.#module.support(name);
    if (given === undefined) return local;
    const args = given.map((argument): Code => {
      if (typeof argument === "string") return stringLiteral(argument);
      if (isList(argument)) return group("[", argument.map(stringLiteral), "]");
      if (isEncoder(argument)) return this.#encoder(argument);
      return object(Object.entries(argument).map(([key, text]) => member(key, stringLiteral(text))));
    });
    return call(local, ...args);
  }

  #rowsName(rows: RowsIr): string {
    const key = JSON.stringify(rows);
    const known = this.#rows.get(key);
    if (known) return known.name;
    const declared = isAnswered(rows) ? this.#answeredRows(rows) : this.#writtenRows(rows);
    this.#rows.set(key, declared);
    return declared.name;
  }

  #answeredRows({ place, path }: AnsweredRows) {
    const name = this.#module.local("answeredRows");
    const code = this.#call("answeredObjects", String(place), stringLiteral(path));
    return { name, comment: "Objects that a handler answers.", code };
  }

  #writtenRows(rows: readonly WrittenRow[]) {
    const list = rows.map(({ members, path, literal }) => {
      const values = members.map(([name, source]) => group("[", [stringLiteral(name), this.#source(source)], "]"));
      return object([
        member("members", group("[", values, "]")),
        member("path", stringLiteral(path)),
        member("literal", String(literal)),
      ]);
    });
    const name = this.#module.local("rowsToWrite");
    return { name, comment: "Rows that the operation writes.", code: this.#call("rows", ...list) };
  }
}

const isAnswered = (rows: RowsIr): rows is AnsweredRows => !Array.isArray(rows);

type Argument = NonNullable<EncoderCode["arguments"]>[number];

const isList = (argument: Argument): argument is readonly string[] => Array.isArray(argument);

/** Options hold texts only, a call has a list. */
function isEncoder(argument: Exclude<Argument, string>): argument is EncoderCode {
  const { name, arguments: given } = argument as Partial<EncoderCode>;
  return typeof name === "string" && (given === undefined ? Object.keys(argument).length === 1 : Array.isArray(given));
}
