import { useTitle } from '../browser/useTitle.ts'

export const NotFoundPage = () => {
  useTitle('No such page')
  return (
    <div class="page">
      <h1>No such page</h1>
      <p>
        Search for an order, a transaction or an account above, or go to <a href="/">trade</a>,{' '}
        <a href="/status">status</a> or the <a href="/docs">API reference</a>.
      </p>
    </div>
  )
}
