/** Emits `roles/<role>/operations/<collection>.<query>.ts`: the plans of a saved operation for one role. */

import type {
  EncoderCode,
  HandlerObjects,
  ValueSource,
  WrittenRow,
} from "../../runtime/model/definitions/parameters.ts";
import type { ResultPiece, StepColumn } from "../../runtime/model/planner/mutate/plan.ts";
import type { VariableStates } from "../../runtime/model/planner/saved-plans.ts";
import { stringLiteral, templateLines } from "../4-emit/escape.ts";
import { jsonCode } from "../4-emit/json-code.ts";
import { type Code, call, group, layOut, object } from "../4-emit/layout.ts";
import { ModuleBuilder, type ModuleText } from "../4-emit/module-builder.ts";
import { savedPlansPath } from "../4-emit/paths.ts";
import { member } from "../4-emit/sources.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { ActionWriter } from "./emit-actions.ts";
import { RemoteWriter } from "./emit-remotes.ts";
import { positions, textsCode } from "./emit-texts.ts";
import type { JoinedIr, JoinPlaceIr, JoinPlacesIr, TypedKeysIr } from "./joins-ir.ts";
import type { ActionRequestIr, JoinStepIr, PlanIr, RowsIr, SavedPlansIr, SlotIr, WriteStepIr } from "./plans-ir.ts";
import { sqlLines } from "./sql-lines.ts";

export function emitSavedPlans(ir: SavedPlansIr, dialectOf: (source: string) => Dialect, slice: string): ModuleText {
  const { operation, role, variant, kind, optional, conditions, plans } = ir;
  const label = `query ${operation.name} of collection ${operation.collection}`;
  const caller = variant === "backend" ? `role ${role}, from a backend` : `role ${role}`;
  const module = new ModuleBuilder(savedPlansPath(role, operation, variant), { from: `${label}: ${caller}`, slice }, [
    "plans",
  ]);
  const writer = new PlanWriter(module, dialectOf);
  const written = plans.map(({ when, plan }) => ({ when, code: writer.plan(kind, plan) }));
  writer.declareRows();
  const [only] = written;
  const isFixed = optional.length + conditions.length === 0;
  const properties =
    isFixed && only
      ? [member("always", only.code)]
      : [
          ...(optional.length === 0 ? [] : [member("optional", group("[", optional.map(stringLiteral), "]"))]),
          ...(conditions.length === 0 ? [] : [member("conditions", group("[", conditions.map(stringLiteral), "]"))]),
          member("plans", group("[", onceEach(written), "]")),
        ];
  const define = module.support("savedPlans");
  const comments = [`Plans of ${label} for ${caller}.`, ...(isFixed ? [] : [severalPlans])];
  module.export(comments, "plans", call(define, object(properties)));
  return module.print();
}

const columnPosition = ({ step, column }: StepColumn): Code => positions({ step, column });

const severalPlans = "The variables select one of them.";

/**
 * Returns each distinct plan once, with all variable states that select it: `{ when: [{ flag: "true" }], plan: … }`.
 */
function onceEach(plans: readonly { readonly when: VariableStates; readonly code: Code }[]): Code[] {
  const byText = new Map<string, { readonly code: Code; readonly states: Code[] }>();
  for (const { when, code } of plans) {
    const text = layOut(code);
    const known = byText.get(text) ?? { code, states: [] };
    byText.set(text, known);
    known.states.push(textsCode(Object.entries(when)));
  }
  return Array.from(byText.values(), ({ code, states }) =>
    object([member("when", group("[", states, "]")), member("plan", code)]),
  );
}

class PlanWriter {
  readonly #module: ModuleBuilder;
  readonly #dialectOf: (source: string) => Dialect;
  readonly #remotes: RemoteWriter;
  readonly #actions: ActionWriter;
  /** Declarations of rows, by their JSON. */
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
      const list = writes.map(({ source, steps, result: pieces }) =>
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

  /** Declares the rows that the plans written so far refer to. */
  declareRows(): void {
    for (const { name, comment, code } of this.#rows.values()) {
      this.#module.declare([comment], name, code);
    }
  }

  #call(name: string, ...args: readonly Code[]): Code {
    return call(this.#module.support(name), ...args);
  }

  #part(part: PlanIr["parts"][number]): Code {
    const key = stringLiteral(part.key);
    switch (part.kind) {
      case "column":
        return this.#call(
          "columnOf",
          key,
          positions({ statement: part.statement, column: part.column }),
          ...this.#places(part),
        );
      case "write":
        return this.#call("writeOf", key, positions({ write: part.write }), ...this.#places(part));
      case "remote":
        return this.#call("remoteOf", key, positions({ request: part.request }), ...this.#places(part));
      case "action":
        return this.#call("actionOf", key, positions({ action: part.action }), ...this.#places(part));
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

  /** Returns the optional argument with the locations of join keys. */
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
    return this.#call("keysFor", positions({ step, place }), ...members.map(stringLiteral));
  }

  #joinStep(step: JoinStepIr): Code {
    if (step.kind === "remote") {
      const list = step.places.map((place) => this.#remotes.place(place, this.#places(place)));
      return this.#call("remoteStep", group("[", list, "]"));
    }
    const { source, text, slots, places } = step;
    const list = places.map((place) =>
      this.#call(
        "joinPlace",
        object([member("keys", String(place.keys)), member("path", stringLiteral(place.path))]),
        ...this.#places(place),
      ),
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
      "outputRead",
      stringLiteral(source),
      this.#text(text, source),
      this.#slots(slots, source),
      object([member("places", group("[", places.map(String), "]"))]),
    );
  }

  #step({ text, slots, path, setsUser, expects, needs, lacks }: WriteStepIr, source: string): Code {
    const options = [
      ...(setsUser ? [member("setsUser", "true")] : []),
      ...(expects ? [member("expects", jsonCode(this.#module, expects))] : []),
      ...(needs ? [member("needs", columnPosition(needs))] : []),
      ...(lacks ? [member("lacks", group("[", lacks.map(columnPosition), "]"))] : []),
    ];
    const last = options.length === 0 ? [] : [object(options)];
    return this.#call("writeStep", this.#text(text, source), this.#slots(slots, source), stringLiteral(path), ...last);
  }

  #piece(piece: ResultPiece): Code {
    if (typeof piece === "string") return stringLiteral(piece);
    if ("sum" in piece) {
      const columns = piece.sum.map(columnPosition);
      return object([member("sum", group("[", columns, "]"))]);
    }
    return columnPosition(piece);
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
        const from = positions({ place: slot.place, column: slot.column });
        return this.#call("keysOf", this.#dialect(source), from, ...form);
      }
      case "result":
        return this.#call("resultOf", positions({ step: slot.step, column: slot.column }));
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
        return this.#call("fromVariable", stringLiteral(source.name), ...within);
      }
      case "constant":
        return this.#call("constantValue", jsonCode(this.#module, source.value));
      case "literal":
        throw new Error("invariant: plans of saved operations contain no literals of a request's text");
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
    const declared = isFromHandler(rows) ? this.#handlerRows(rows) : this.#writtenRows(rows);
    this.#rows.set(key, declared);
    return declared.name;
  }

  #handlerRows({ place, path }: HandlerObjects) {
    const name = this.#module.local("handlerRows");
    const code = this.#call(
      "handlerObjects",
      object([member("place", String(place)), member("path", stringLiteral(path))]),
    );
    return { name, comment: "Objects in the handler's response.", code };
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

const isFromHandler = (rows: RowsIr): rows is HandlerObjects => !Array.isArray(rows);

type Argument = NonNullable<EncoderCode["arguments"]>[number];

const isList = (argument: Argument): argument is readonly string[] => Array.isArray(argument);

/** Distinguishes encoders from option objects, whose members are all strings. */
function isEncoder(argument: Exclude<Argument, string>): argument is EncoderCode {
  const { name, arguments: given } = argument as Partial<EncoderCode>;
  return typeof name === "string" && (given === undefined ? Object.keys(argument).length === 1 : Array.isArray(given));
}
