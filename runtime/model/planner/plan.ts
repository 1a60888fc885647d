/**
 * Plans queries. A plan has one statement for each source, and the structure of the response. It depends on the
 * operation's text, the role's modules and the shape of the variables, never on their values.
 */
import type { FieldNode } from "graphql";
import { EngineError } from "../../values/errors.ts";
import type { MultiplexedStatement } from "../definitions/dialect.ts";
import type { ParameterSlot } from "../definitions/parameters.ts";
import type { FunctionRoot, RootField } from "../definitions/roots.ts";
import { joinSql, render, type Sql, sql } from "../definitions/sql.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { type ActionPlan, type OutputRead, planAction } from "./action-plan.ts";
import type { JoinPlaces, JoinStep } from "./joins/join-plan.ts";
import { holdsJoins, JoinSteps } from "./joins/join-steps.ts";
import type { WritePlan } from "./mutate/plan.ts";
import { encryptPlaces, protectedPlaces } from "./protected-places.ts";
import { RemoteRequests } from "./remote-requests.ts";
import type { Operation } from "./request/document.ts";
import { InputReader } from "./request/input-reader.ts";
import type { RemotePlan } from "./request/remote/remote-request.ts";
import type { SelectedField } from "./request/selected-field.ts";
import { selectFields } from "./request/selection.ts";
import type { VariableUses } from "./request/variable-uses.ts";
import { callOfField, rowsOfCall } from "./select/call.ts";
import { type BuildContext, buildContext, type PlanOptions } from "./select/context.ts";
import {
  byType,
  entitiesOf,
  type SelectedEntities,
  selectEntities,
  selectionsOf,
  selectPlacedEntities,
} from "./select/entities.ts";
import { nativeOrigin } from "./select/native.ts";
import { nodeOf, selectNode } from "./select/node.ts";
import {
  selectAggregate,
  selectByKey,
  selectConnection,
  selectGroups,
  selectRow,
  selectRows,
} from "./select/select.ts";

/** A statement that returns a single row with one text column of JSON for each root field. */
export interface PlannedStatement {
  readonly source: string;
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
  /** Set if a root field calls a function, which may write and read session variables from the setting `engine.user`. */
  readonly callsFunctions?: true;
  /** Set if the text is a batch that first stores the rows of a stored procedure. */
  readonly inSteps?: true;
  /** For subscriptions: the statement for many sets of values at once. */
  readonly multiplexed?: MultiplexedStatement;
  /** For streams, whose row has a second column: the position after the rows of the first column. */
  readonly cursor?: PlannedCursor;
}

export interface PlannedCursor {
  /** Name of the cursor column in the GraphQL schema. */
  readonly column: string;
  /** Names of the columns of the key that order rows of equal value; empty if they are not ordered. */
  readonly keys: readonly string[];
  /** Indexes of the slots of a position: the cursor column, then the key. */
  readonly slots: readonly number[];
  /** Absent if the stream has no upper bound. */
  readonly highWaterMark?: PlannedHighWaterMark;
  /**
   * Evaluates an initial position that depends on the current time, once; absent if the database has no such positions.
   */
  readonly start?: {
    readonly isRelative: (text: string) => boolean;
    /** Statement that returns the value of its only parameter as text. */
    readonly text: string;
  };
}

/** Upper bound of a stream's positions. */
interface PlannedHighWaterMark {
  /** Statement that returns the bound (`StreamDialect.highWaterMark`). */
  readonly text: string;
  /** Indexes of the slots for the bound. */
  readonly slots: readonly number[];
}

/** Converts a field's JSON from the database to the response, if it differs. */
interface Protected {
  readonly protect?: (json: string) => string;
}

/** Joins to the value of a field, if any. */
interface Joined {
  readonly joins?: JoinPlaces;
}

/** One field of the response, in order. */
export type PlanPart =
  | (Protected &
      Joined & {
        readonly kind: "column";
        readonly key: string;
        readonly statement: number;
        readonly column: number;
      })
  /** A field of a mutation. */
  | (Protected & Joined & { readonly kind: "write"; readonly key: string; readonly write: number })
  | { readonly kind: "json"; readonly key: string; readonly json: string }
  /** The fields of a namespace. */
  | { readonly kind: "object"; readonly key: string; readonly parts: readonly PlanPart[] }
  | { readonly kind: "introspection"; readonly key: string; readonly nodes: readonly FieldNode[] }
  /** The SDL of the schema, for a gateway. */
  | { readonly kind: "sdl"; readonly key: string }
  /** A remote field. */
  | (Joined & { readonly kind: "remote"; readonly key: string; readonly request: number })
  /** A field resolved by an action handler. */
  | (Joined & { readonly kind: "action"; readonly key: string; readonly action: number })
  /** One list merged from rows of several sources, or of several types with joins. */
  | {
      readonly kind: "merged";
      readonly key: string;
      readonly columns: readonly (Joined & { readonly statement: number; readonly column: number })[];
    };

export interface Plan {
  readonly statements: readonly PlannedStatement[];
  /** Fields of a mutation, which run in order. */
  readonly writes: readonly WritePlan[];
  /** Requests to remote schemas, if any. */
  readonly remotes?: readonly RemotePlan[];
  /** Calls of action handlers, if any. */
  readonly actions?: readonly ActionPlan[];
  /** Steps that join values of other sources and remote schemas, if any. */
  readonly joins?: readonly JoinStep[];
  readonly parts: readonly PlanPart[];
}

export interface Planned {
  readonly plan: Plan;
  /** Uses of the variables, from which the shape of a request is computed. */
  readonly uses: VariableUses;
}

/**
 * Plans a query.
 * @throws EngineError `validation-failed` and the other codes of invalid requests
 */
export function planQuery(
  operation: Operation,
  schema: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): Planned {
  const inputs = new InputReader(operation, variables, options, schema.role);
  const { query: queryType, types } = schema;
  const { skipRemoteNulls } = options;
  const context = { operation, variables, inputs, queryType, types, skipRemoteNulls };
  const fields = selectFields(context, schema.query, [operation.definition.selectionSet], "$.selectionSet");
  const name = operation.definition.name?.value;
  return { plan: planFields(fields, variables, { ...options, operationName: name }), uses: inputs.uses };
}

/** A root field with its own statement, if it reads a database. */
export interface PlannedField {
  readonly key: string;
  readonly statement?: PlannedStatement;
  /** For results of actions: statements that read rows for the output objects. */
  readonly reads?: readonly OutputRead[];
  /** True for remote fields. */
  readonly isRemote: boolean;
  /** Steps that join to the value, if any. */
  readonly joins?: readonly JoinStep[];
}

/**
 * Plans the root fields of a query separately.
 * @throws EngineError as `planQuery`
 */
export function planRootFields(
  operation: Operation,
  schema: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): readonly PlannedField[] {
  const inputs = new InputReader(operation, variables, options, schema.role);
  const { query: queryType, types } = schema;
  const { skipRemoteNulls } = options;
  const context = { operation, variables, inputs, queryType, types, skipRemoteNulls };
  const fields = selectFields(context, schema.query, [operation.definition.selectionSet], "$.selectionSet");
  return fields.map((field) => {
    if (field.meta.kind === "action_call" && field.meta.call.use === "action") {
      throw new EngineError("invalid-params", "$", "query actions cannot be explained");
    }
    const { statements, joins, remotes, actions } = planFields([field], variables, options);
    const [statement] = statements;
    const isRemote = remotes !== undefined;
    const reads = actions?.flatMap((action) => action.reads);
    return {
      key: field.key,
      isRemote,
      ...(statement && { statement }),
      ...(reads && { reads }),
      ...(joins && { joins }),
    };
  });
}

/** Maximum number of columns in a row of any supported database. */
const maximumRootFields = 1600;

/** Root fields of one source, which share a statement. */
interface SourceFields {
  readonly source: SourceDefinition;
  readonly context: BuildContext;
  readonly columns: Sql[];
  /** FROM items of the columns. */
  readonly from: Sql[];
  callsFunctions: boolean;
}

/** A column of one of the statements of a query. */
interface StatementColumn {
  readonly statement: number;
  readonly column: number;
}

/** The statements of a query: one for each source, with one column for each root field. */
class SourceStatements {
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #options: PlanOptions;
  readonly #sources: SourceFields[] = [];

  constructor(variables: Readonly<Record<string, unknown>>, options: PlanOptions) {
    this.#variables = variables;
    this.#options = options;
  }

  /**
   * Adds a root field to the statement of its source.
   * @throws EngineError `validation-failed` above the number of columns that a row can have
   */
  addColumn({ source, value, callsFunction, isOneRowOfFunction }: Omit<PlannedRoot, "selection">): StatementColumn {
    const statement = this.#statementOf(source);
    const entry = this.#sources[statement] as SourceFields;
    if (callsFunction) entry.callsFunctions = true;
    if (entry.columns.length === maximumRootFields) {
      const message = `the query selects more than ${maximumRootFields} root fields of one source`;
      throw new EngineError("validation-failed", "$", message);
    }
    const json = value(entry.context);
    const rows = isOneRowOfFunction ? source.dialect.fromRows?.(json, entry.from.length + 1) : undefined;
    if (rows) entry.from.push(rows.item);
    entry.columns.push(source.dialect.asText(rows?.value ?? json));
    return { statement, column: entry.columns.length - 1 };
  }

  /** Returns an object that identifies the statement of a column: joins of one origin share their requests. */
  originOf({ statement }: StatementColumn): object {
    return this.#sources[statement] as SourceFields;
  }

  finish(use: "once" | "live"): readonly PlannedStatement[] {
    return this.#sources.map(({ source, context, columns, from: items, callsFunctions }): PlannedStatement => {
      const { before } = context;
      const from = items.length === 0 ? undefined : joinSql(items, ", ");
      const query = sql`select ${joinSql(columns, ", ")}${from ? sql` from ${from}` : sql``}`;
      const { text, slots } = render(joinSql([...before, query], ";\n"), source.dialect);
      return {
        source: source.name,
        text,
        slots,
        ...(callsFunctions ? { callsFunctions } : {}),
        ...(before.length > 0 ? { inSteps: true } : {}),
        ...(use === "live" ? { multiplexed: source.dialect.multiplex(columns, from) } : {}),
      };
    });
  }

  #statementOf(source: SourceDefinition): number {
    const known = this.#sources.findIndex((entry) => entry.source === source);
    if (known >= 0) return known;
    const context = buildContext(source.dialect, this.#options, this.#variables);
    return this.#sources.push({ source, context, columns: [], from: [], callsFunctions: false }) - 1;
  }
}

/**
 * Plans root fields. Fields of one source share a statement.
 * @param use "live" for subscriptions, whose statements also run for many sets of values at once
 */
export function planFields(
  fields: readonly SelectedField[],
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions & { readonly operationName?: string | undefined },
  use: "once" | "live" = "once",
): Plan {
  const remotes = new RemoteRequests("query", options.operationName);
  const actions: ActionPlan[] = [];
  const joins = new JoinSteps(variables, options);
  const statements = new SourceStatements(variables, options);
  const parts = planParts(fields, (field, namespace): PlanPart => {
    const { key, meta } = field;
    switch (meta.kind) {
      case "remote_request": {
        const request = remotes.add(meta.request, namespace);
        return { kind: "remote", key, request, ...joinsOf(joins, field, remotes.origin(request)) };
      }
      case "action_call": {
        const action = actions.push(planAction(meta, field, variables, options)) - 1;
        return { kind: "action", key, action, ...joinsOf(joins, field, meta.call) };
      }
      case "introspection":
        return { kind: "introspection", key, nodes: meta.nodes };
      case "sdl":
        return { kind: "sdl", key };
      case "entities":
        return planEntities(field, entitiesOf(field, meta.entities(), variables), statements, joins);
      default: {
        const root = rootOf(field, variables);
        const column = statements.addColumn(root);
        const below = joins.collect(root.selection, statements.originOf(column));
        return { kind: "column", key, ...column, ...(below && { joins: below }), ...protection(root.selection, field) };
      }
    }
  });
  return {
    statements: statements.finish(use),
    writes: [],
    ...someRemotes(remotes),
    ...someActions(actions),
    ...someJoins(joins),
    parts,
  };
}

/** Plans `_entities`: types without joins share a list, each other type has its own, and the response merges the lists. */
function planEntities(
  field: SelectedField,
  selected: readonly SelectedEntities[],
  statements: SourceStatements,
  joins: JoinSteps,
): PlanPart {
  const { key } = field;
  const lists = selectionsOf(field, selected).some(holdsJoins) ? byType(selected) : selected;
  const [only, ...others] = lists;
  if (!only) return { kind: "json", key, json: "[]" };
  const addList = (entities: SelectedEntities, value: PlannedRoot["value"]) => {
    const column = statements.addColumn({ source: entities.source, value });
    const [selection = [], ...rest] = selectionsOf(field, [entities]);
    const below = rest.length === 0 ? joins.collect(selection, statements.originOf(column)) : undefined;
    return { ...column, ...(below && { joins: below }) };
  };
  if (others.length === 0) {
    return { kind: "column", key, ...addList(only, (context) => selectEntities(field, only, context)) };
  }
  const columns = lists.map((each) => addList(each, (context) => selectPlacedEntities(field, each, context)));
  return { kind: "merged", key, columns };
}

export function someRemotes(remotes: RemoteRequests): Pick<Plan, "remotes"> {
  const plans = remotes.plans();
  return plans.length === 0 ? {} : { remotes: plans };
}

export function someJoins(joins: JoinSteps): Pick<Plan, "joins"> {
  const steps = joins.finish();
  return steps.length === 0 ? {} : { joins: steps };
}

/** Returns the joins to the value of a root field. */
export function joinsOf(joins: JoinSteps, field: SelectedField, origin: object): { readonly joins?: JoinPlaces } {
  const places = joins.collectRoot(field, origin);
  return places ? { joins: places } : {};
}

export function someActions(actions: readonly ActionPlan[]): Pick<Plan, "actions"> {
  return actions.length === 0 ? {} : { actions };
}

/** Returns a function that encrypts the ids and cursors in a field's JSON, if the role requires it. */
export function protection(selection: readonly SelectedField[], { cursors }: SelectedField): Protected {
  const places = protectedPlaces(selection, cursors);
  return places ? { protect: (json) => encryptPlaces(json, places) } : {};
}

/** Returns the response parts of root fields, with or without namespaces. */
export function planParts(
  fields: readonly SelectedField[],
  plan: (field: SelectedField, namespace: SelectedField | undefined) => PlanPart,
  namespace?: SelectedField,
): readonly PlanPart[] {
  return fields.map((field): PlanPart => {
    const { key, meta, selection } = field;
    if (meta.kind === "constant") return { kind: "json", key, json: JSON.stringify(meta.value) };
    if (meta.kind === "namespace") return { kind: "object", key, parts: planParts(selection, plan, field) };
    return plan(field, namespace);
  });
}

/** The source and JSON expression of a root field. */
interface PlannedRoot {
  readonly source: SourceDefinition;
  readonly value: (context: BuildContext) => Sql;
  readonly callsFunction?: boolean;
  /** True if the value is a sub-select that aggregates a function's rows into one row. */
  readonly isOneRowOfFunction?: boolean;
  readonly selection: readonly SelectedField[];
}

function rootOf(field: SelectedField, variables: Readonly<Record<string, unknown>>): PlannedRoot {
  const { meta } = field;
  if (meta.kind === "node") {
    const node = nodeOf(field, meta, variables);
    const { selection } = node;
    return { source: node.view.table.source, value: (context) => selectNode(node, context), selection };
  }
  if (meta.kind !== "root") throw new EngineError("unexpected", field.path, `field ${field.key} is not a root field`);
  const { root } = meta;
  const { source } = root.view().table;
  const { selection } = field;
  return {
    source,
    value: (context) => rootValue(field, root, context),
    callsFunction: "function" in root,
    isOneRowOfFunction:
      root.kind === "function_aggregate" || (root.kind === "function" && root.function.function.returnsSet),
    selection,
  };
}

/** Returns the rows of a function, or its only row. */
export function functionValue(
  field: SelectedField,
  { view, function: call }: FunctionRoot,
  context: BuildContext,
): Sql {
  const select = call.function.returnsSet ? selectRows : selectRow;
  return select(view(), field, context, rowsOfCall(call, callOfField(call, field, context)));
}

function rootValue(field: SelectedField, root: RootField, context: BuildContext): Sql {
  const view = root.view();
  switch (root.kind) {
    case "select_many":
      return selectRows(view, field, context);
    case "native_query":
    case "stored_procedure":
      return selectRows(view, field, context, nativeOrigin(view, field, context));
    case "select_by_pk":
      return selectByKey(view, field, context);
    case "select_aggregate":
      return selectAggregate(view, field, context);
    case "select_group":
      return selectGroups(view, field, context);
    case "select_connection":
      return selectConnection(view, field, context);
    case "function":
      return functionValue(field, root, context);
    case "function_aggregate":
      return selectAggregate(
        view,
        field,
        context,
        rowsOfCall(root.function, callOfField(root.function, field, context)),
      );
    case "function_connection":
      return selectConnection(
        view,
        field,
        context,
        rowsOfCall(root.function, callOfField(root.function, field, context)),
      );
  }
}
