import { useTitle } from '../browser/useTitle.ts'

export const NotFoundPage = () => {
  useTitle('Page not found')
  return (
    <div class="page narrow">
      <h1>Page not found</h1>
      <p>Nothing is at this address. It may be mistyped, or the link may be incomplete.</p>
      <p class="muted">
        Orders, transactions, accounts and auctions open from the search above: paste an order UID, a hash, an address
        or an auction number.
      </p>
      <p class="actions">
        <a class="button primary" href="/">
          Trade
        </a>
        <a class="button outlined" href="/explore">
          Explore
        </a>
        <a class="button outlined" href="/status">
          Status
        </a>
        <a class="button outlined" href="/docs" target="_self">
          API reference
        </a>
      </p>
    </div>
  )
}
