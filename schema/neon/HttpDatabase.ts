import type { NeonHttpDatabase, NeonHttpQueryResultHKT } from 'drizzle-orm/neon-http'
import { type NeonHttpClient, NeonHttpSession } from 'drizzle-orm/neon-http/session'
import { PgDatabase, PgDialect, type PgPreparedQuery, type PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type { createNeonClient } from './createNeonClient.ts'
import type { PlaceholderValues, PreparedStatement } from './prepareStatement.ts'

type Prepared = PgPreparedQuery<PreparedQueryConfig> & { isResponseInArrayMode: () => boolean }

/** drizzle's database for Neon's HTTP protocol with the client of this repository, a thirtieth of Neon's own. */
export class HttpDatabase extends PgDatabase<NeonHttpQueryResultHKT, Record<string, never>> {
  readonly #client: ReturnType<typeof createNeonClient>

  constructor(client: ReturnType<typeof createNeonClient>) {
    const query = (sql: string, params: unknown[], { arrayMode }: { arrayMode: boolean }) =>
      client.run({ sql, params, arrayMode })
    const dialect = new PgDialect()
    super(dialect, new NeonHttpSession({ query } as unknown as NeonHttpClient, dialect, undefined), undefined)
    this.#client = client
  }

  /** Runs statements in one transaction, in one request. */
  batch = (async (items: readonly { _prepare: () => unknown }[]) => {
    const prepared = items.map((item) => item._prepare() as Prepared)
    const results = await this.#client.runBatch(
      prepared.map((statement) => ({ ...statement.getQuery(), arrayMode: statement.isResponseInArrayMode() })),
    )
    return results.map((result, i) => prepared[i]?.mapResult(result, true))
  }) as NeonHttpDatabase['batch']

  /** Runs a prepared statement, past drizzle. */
  async runPrepared<Result>(statement: PreparedStatement<Result>, values: PlaceholderValues): Promise<Result> {
    return statement.read(await this.#client.runRaw(statement.toQuery(values)))
  }

  /** Runs prepared statements in one transaction, in one request. @param values of the placeholders of all of them */
  async runPreparedBatch<const Results extends readonly unknown[]>(
    statements: { readonly [Index in keyof Results]: PreparedStatement<Results[Index]> },
    values: PlaceholderValues,
  ): Promise<Results> {
    const batch = statements as readonly PreparedStatement[]
    const results = await this.#client.runRawBatch(batch.map(({ toQuery }) => toQuery(values)))
    return results.map((result, i) => batch[i]?.read(result)) as unknown as Results
  }
}
