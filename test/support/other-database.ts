/** A second PostgreSQL database for a TestEngine, which records its statements. */
import { introspect } from "../../compiler/1-introspect/introspect.ts";
import { postgres } from "../../compiler/dialects/postgres/introspect.ts";
import { openSource } from "../../runtime/databases/sources/open-source.ts";
import type { DatabaseSource, PreparedStatement, SqlValue } from "../../runtime/databases/sources/source.ts";
import type { OtherSource, SentStatement } from "./compiled.ts";
import { createDatabase, query } from "./database.ts";

export interface OtherDatabase extends OtherSource {
  /** The statements that requests sent. */
  readonly sent: SentStatement[];
  close(): Promise<void>;
}

/** Creates the database. @param name name of the source @param schema SQL */
export async function otherDatabase(name: string, schema: string): Promise<OtherDatabase> {
  const created = await createDatabase(name);
  await query(created.url, schema);
  const connectionInfo = { database_url: created.url };
  const database = openSource({ name, kind: "postgres", connectionInfo }, { variables: {} });
  const shape = await database.transaction({ readOnly: true }, (transaction) =>
    introspect(postgres, (text) => transaction.query({ text }, [])),
  );
  const sent: SentStatement[] = [];
  return {
    shape,
    sent,
    database: noting(database, sent),
    async close() {
      await database.close();
      await created.drop();
    },
  };
}

function noting(database: DatabaseSource, sent: SentStatement[]): DatabaseSource {
  return new Proxy(database, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "query") return member.bind(target);
      return (statement: PreparedStatement, values: readonly SqlValue[]) => {
        sent.push({ text: statement.text, values });
        return target.query(statement, values);
      };
    },
  });
}
