import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import type { RequestState } from '../api/useRequest.ts'
import { withQuery } from '../browser/withQuery.ts'
import { Failure } from '../ui/Failure.tsx'
import type { ListPage } from './useList.ts'
import './lists.css'

type Props<Row> = {
  list: RequestState<ListPage<Row>>
  /** plural of a row: `orders` */
  what: string
  render: (rows: readonly Row[]) => ComponentChildren
}

/** One page of a list with links to the newest and the next one. */
export const ListFrame = <Row,>({ list: { data, failure, reload }, what, render }: Props<Row>) => {
  const location = useLocation()
  const { cursor } = location.query
  if (!data) return failure ? <Failure failure={failure} retry={reload} /> : <p class="loading">Loading …</p>
  const isMore = data.next !== null
  return (
    <>
      {failure && <Failure failure={failure} retry={reload} />}
      {data.rows.length > 0 ? (
        render(data.rows)
      ) : (
        <p class="muted">
          {isMore ? `No ${what} among the newest; older ones may follow.` : `There are no such ${what}.`}
        </p>
      )}
      {(cursor !== undefined || isMore) && (
        <nav class="pager" aria-label={`Pages of ${what}`}>
          {cursor === undefined ? (
            <span class="muted">Newest</span>
          ) : (
            <a href={withQuery(location, { cursor: null })}>Newest</a>
          )}
          {data.next === null ? (
            <span class="muted">These are the oldest</span>
          ) : (
            <a href={withQuery(location, { cursor: data.next })} rel="next">
              Older
            </a>
          )}
        </nav>
      )}
    </>
  )
}
