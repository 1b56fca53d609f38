import { useEffect, useState } from 'preact/hooks'
import { listenToEvents } from '../api/listenToEvents.ts'
import type { StreamState } from '../api/streamState.ts'
import { applyUpdate, type Balances, type BalanceUpdate, type InitialBalances, toBalances } from './balances.ts'

export type LiveBalances = {
  /** undefined until loaded, and while unavailable */
  balances: Balances | undefined
  state: StreamState
}

/**
 * Live balances of an account. One stream has both kinds of events: the first has all balances, later ones have
 * changes.
 * @param account null: no request
 * @param tokens addresses in any order
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
      // a reopened stream begins with all balances
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
