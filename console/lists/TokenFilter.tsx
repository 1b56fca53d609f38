import type { TargetedSubmitEvent } from 'preact'
import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'
import { readToken } from './readFilter.ts'

/** Narrows a list to a token by its address. */
export const TokenFilter = () => {
  const location = useLocation()
  const token = readToken(location.query.token)
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    location.route(withQuery(location, { token: given || null, cursor: null }))
  }
  return (
    <form class="token-filter" onSubmit={submit}>
      <label>
        <span>Token</span>
        <input
          name="token"
          type="text"
          defaultValue={token ?? ''}
          placeholder="0x…"
          pattern="\s*0x[0-9a-fA-F]{40}\s*"
          title="An address: 0x and 40 hex digits"
          spellcheck={false}
          autocomplete="off"
        />
      </label>
      <button type="submit">Filter</button>
    </form>
  )
}
