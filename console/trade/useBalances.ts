import { useEffect, useState } from 'preact/hooks'
import type { StreamState } from '../api/useEventStream.ts'
import { applyUpdate, type Balances, type BalanceUpdate, type InitialBalances, toBalances } from './balances.ts'

export type LiveBalances = {
  /** undefined before they are known, and when they cannot be known any more */
  balances: Balances | undefined
  state: StreamState
}

const parse = <T>(event: Event): T => JSON.parse((event as MessageEvent<string>).data) as T

/**
 * What an account has, as it changes. Both kinds of events are of one stream, which says with the first what the second changes.
 * @param account null: nothing is asked
 * @param tokens addresses; the order does not matter
 */
export const useBalances = (chainId: number, account: string | null, tokens: readonly string[]): LiveBalances => {
  const [balances, setBalances] = useState<Balances>()
  const [state, setState] = useState<StreamState>('connecting')
  const list = [...new Set(tokens)].sort().join(',')

  useEffect(() => {
    setBalances(undefined)
    setState('connecting')
    if (account === null || list === '') return
    const source = new EventSource(`/${chainId}/accounts/${account}/balances/sse?tokens=${list}`)
    source.addEventListener('initial_balances', (event) => {
      setBalances(toBalances(parse<InitialBalances>(event)))
      setState('live')
    })
    source.addEventListener('balance_update', (event) =>
      setBalances((known) => known && applyUpdate(known, parse<BalanceUpdate>(event))),
    )
    source.addEventListener('error', () => {
      const isLost = source.readyState === EventSource.CLOSED
      setState(isLost ? 'lost' : 'connecting')
      if (isLost) setBalances(undefined)
    })
    // what was missed comes after it, without another event of its own when nothing has changed
    source.addEventListener('open', () => setState('live'))
    return () => source.close()
  }, [chainId, account, list])

  return { balances, state }
}
