import type { TargetedSubmitEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { HexText } from '../../ui/HexText.tsx'
import { useNetwork, useNetworks } from '../NetworksProvider.tsx'
import { findSearchTarget } from './findSearchTarget.ts'
import { toTargetPath } from './toTargetPath.ts'
import './missingId.css'

type Props = {
  kind: 'order' | 'transaction'
  id: string
  /** names of the networks that were searched */
  searched: readonly string[]
  /** of the page that searches the other networks */
  elsewhere?: string | undefined
  /** of a block explorer */
  explorer?: string | undefined
  retry: () => void
}

const causes = {
  order: 'It was placed in another order book, or an on-chain order was not indexed yet.',
  transaction:
    'It settled no order of this order book, or it was mined a moment ago: a settlement appears a few seconds later.',
} as const

/** Instead of an order or a transaction that no searched network has: why that may be, and another search. */
export const MissingId = ({ kind, id, searched, elsewhere, explorer, retry }: Props) => {
  const where = searched.join(', ')
  return (
    <section class="panel missing" aria-labelledby="missing">
      <h1 id="missing">{kind === 'order' ? 'Order' : 'Transaction'} not found</h1>
      <p>
        <HexText value={id} label={kind} /> <span class="muted">is not on {where}.</span>
      </p>
      <p>Likely causes:</p>
      <ul>
        <li>
          It is of another network. {elsewhere !== undefined && <a href={elsewhere}>Search the other networks</a>}
        </li>
        <li>{causes[kind]}</li>
        <li>The link is mistyped or cut off.</li>
      </ul>
      <p class="actions">
        <button type="button" onClick={retry}>
          Try again
        </button>
        <a class="button" href="/explore">
          Newest orders
        </a>
        {explorer !== undefined && (
          <a class="button" href={explorer}>
            Block explorer
          </a>
        )}
      </p>
      <OtherId />
    </section>
  )
}

const OtherId = () => {
  const { route } = useLocation()
  const networks = useNetworks()
  const { name } = useNetwork()
  const [hint, setHint] = useState('')
  const id = useId()
  const search = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const target = findSearchTarget(String(new FormData(event.currentTarget).get('id') ?? ''))
    if (target.kind === 'nothing') setHint(target.hint)
    else route(toTargetPath(target, networks, name))
  }
  return (
    <form class="other-id" onSubmit={search}>
      <label for={id}>Another order, transaction, account or auction</label>
      <span>
        <input
          id={id}
          name="id"
          autocomplete="off"
          spellcheck={false}
          placeholder="0x…"
          aria-describedby={`${id}-hint`}
        />
        <button type="submit">Open</button>
      </span>
      <p id={`${id}-hint`} class="bad fine" role="alert">
        {hint}
      </p>
    </form>
  )
}
