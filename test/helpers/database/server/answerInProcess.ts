import type { SendRequest } from '#schema/client.ts'
import { answerSql } from '#tools/stack/database/answerSql.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'

/**
 * Answers Neon's protocol like `databaseEndpoint`, without sockets, which cost ten times as much as the rest of a short
 * statement. After `close`, every request fails.
 */
export const answerInProcess = (backend: SqlBackend): { send: SendRequest; close: () => void } => {
  let isClosed = false
  const send: SendRequest = async (_url, { body, headers, signal }) => {
    if (isClosed) throw new Error('the database is closed')
    const sent = new Headers(headers)
    const header = (name: string) => sent.get(name) ?? undefined
    const answer = answerSql(backend, { header, text: String(body) }).then(
      ({ status, body }) => Response.json(body, { status }),
      (error: unknown) => new Response(error instanceof Error ? error.message : String(error), { status: 500 }),
    )
    return signal ? Promise.race([answer, rejectOnAbort(signal)]) : answer
  }
  return {
    send,
    close: () => {
      isClosed = true
    },
  }
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
