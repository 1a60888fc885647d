/** Emits the shared modules of functions and enum tables: `sources/<source>/<schema>.<function>.function.ts` and `….enum.ts`. */
import type { ArgumentIr, EnumIr, FunctionIr } from "../3-lower/ir.ts";
import { stringLiteral, templateLiteral } from "./escape.ts";
import { exportName } from "./identifiers.ts";
import { type Code, call, group, object } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { enumPath, functionPath, sourcePath } from "./paths.ts";
import { member, scalarCode, sourceExport } from "./sources.ts";

export function emitFunction(definition: FunctionIr, slice: string): ModuleText {
  const { source, schema, name: functionName } = definition.function;
  const { tracked } = definition;
  const name = exportName(functionName);
  const label = `${schema}.${functionName}`;
  const header = { from: `function ${label} (source ${source})`, slice };
  const module = new ModuleBuilder(functionPath(definition.function), header, [name, ...(tracked ? ["tracked"] : [])]);
  const args = definition.arguments.map((argument) => argumentCode(module, argument));
  const properties = [
    member("source", module.import(sourcePath(source), sourceExport(source))),
    member("sql", templateLiteral(definition.sql)),
    member("displayName", stringLiteral(definition.displayName)),
    member("arguments", group("[", args, "]")),
    member("returnsSet", String(definition.returnsSet)),
  ];
  const define = module.support("defineFunction");
  module.export([`Function ${label}.`], name, call(define, object(properties)));
  if (tracked) {
    const options = [
      member("type", stringLiteral(tracked.type)),
      ...(tracked.session === undefined ? [] : [member("session", String(tracked.session))]),
    ];
    module.export(
      ["The function as root fields call it."],
      "tracked",
      call(module.support("trackFunction"), name, object(options)),
    );
  }
  return module.print();
}

/** Emits `argument(pg("text"), { field: "search", sql: `"search"` })`. */
function argumentCode(module: ModuleBuilder, { field, sql, type, hasDefault }: ArgumentIr): Code {
  const options = [
    ...(field === undefined ? [] : [member("field", stringLiteral(field))]),
    ...(sql === undefined ? [] : [member("sql", templateLiteral(sql))]),
    ...(hasDefault ? [member("hasDefault", "true")] : []),
  ];
  const scalar = scalarCode(module, type);
  return call(module.support("argument"), scalar, ...(options.length === 0 ? [] : [object(options)]));
}

export function emitEnum({ table, type, values }: EnumIr, slice: string): ModuleText {
  const name = exportName(table.name);
  const label = `${table.schema}.${table.name}`;
  const header = { from: `enum table ${label} (source ${table.source})`, slice };
  const module = new ModuleBuilder(enumPath(table), header, [name]);
  const members = values.map(({ value, comment }) => member(value, comment === null ? "null" : stringLiteral(comment)));
  const properties = [
    member("source", module.import(sourcePath(table.source), sourceExport(table.source))),
    member("type", stringLiteral(type)),
    member("values", object(members)),
  ];
  const define = module.support("defineEnum");
  module.export([`Rows of enum table ${label}.`], name, call(define, object(properties)));
  return module.print();
}
