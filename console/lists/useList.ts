import { useLocation } from 'preact-iso'
import { toApiFailure } from '../api/ApiFailure.ts'
import { type RequestState, useRequest } from '../api/useRequest.ts'

const everyMs = 10_000

export type ListPage<Row> = {
  rows: readonly Row[]
  /** cursor of the next page; null on the last one */
  next: string | null
}

type ListResponse<Row> = { data?: readonly Row[]; error?: unknown; response: Response }

/**
 * The page of a list that the address names; the newest one is loaded again every ten seconds.
 * @param name of the list
 * @param load requests a page with the cursor of the address
 */
export const useList = <Row>(
  name: string,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListResponse<Row>>,
): RequestState<ListPage<Row>> => {
  const { cursor } = useLocation().query
  return useRequest(
    name,
    async (signal) => {
      const { data, error, response } = await load(cursor, signal)
      if (!data) throw toApiFailure(error, response)
      return { rows: data, next: response.headers.get('X-Next-Cursor') }
    },
    cursor === undefined ? everyMs : undefined,
  )
}
