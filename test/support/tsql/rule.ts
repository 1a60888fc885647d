/** A rule of SQL Server that the grammar lacks, with examples. */
import type { Selects } from "./selects.ts";

interface Statement extends Selects {
  readonly text: string;
  /** The text without constants and comments; each quoted name is one word. */
  readonly bare: string;
  /** Trees of the parser; empty if the text is not in the grammar. */
  readonly trees: unknown;
  /** Compatibility level of the database. */
  readonly level: number;
  /** Types of columns, by name. */
  readonly types: ReadonlyMap<string, string>;
}

export interface Rule {
  readonly what: string;
  /** Number of the server's error; undefined if the statement runs, but differently than intended. */
  readonly error?: number;
  /** Statements that break the rule. */
  readonly fails: readonly string[];
  /** Statements without any problem. */
  readonly passes: readonly string[];
  /** Returns the parts of the statement that break the rule. */
  readonly find: (statement: Statement) => readonly string[];
}

/** Returns a rule about the text, whose pattern must not occur. */
export const textRule = ({ pattern, ...rule }: Omit<Rule, "find"> & { readonly pattern: RegExp }): Rule => ({
  ...rule,
  find: ({ bare }) => pattern.exec(bare)?.slice(0, 1) ?? [],
});

/** Empties constants and comments and turns each quoted name into one word, so that rules see only SQL. */
export function withoutTexts(text: string): string {
  return text
    .replace(/--[^\n]*/g, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\[((?:[^\]]|\]\])*)\]/g, (_, name: string) => `q_${name.replace(/\W/g, (c) => `_${c.charCodeAt(0)}_`)}`);
}
