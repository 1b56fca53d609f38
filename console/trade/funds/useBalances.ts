import { useEffect, useState } from 'preact/hooks'
import { listenToEvents } from '../../api/listenToEvents.ts'
import type { StreamState } from '../../api/useEventStream.ts'
import { applyUpdate, type Balances, type BalanceUpdate, type InitialBalances, toBalances } from './balances.ts'

export type LiveBalances = {
  /** undefined before they are known, and while they cannot be known */
  balances: Balances | undefined
  state: StreamState
}

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
    return listenToEvents({
      // opened anew it begins with all balances
      toUrl: () => `/${chainId}/accounts/${account}/balances/sse?tokens=${list}`,
      listeners: {
        initial_balances: (initial: InitialBalances) => setBalances(toBalances(initial)),
        balance_update: (update: BalanceUpdate) => setBalances((known) => known && applyUpdate(known, update)),
      },
      onState: (next) => {
        setState(next)
        if (next === 'lost') setBalances(undefined)
      },
    })
  }, [chainId, account, list])

  return { balances, state }
}
