import { useEffect, useState } from 'preact/hooks'
import { listenToEvents } from '../api/listenToEvents.ts'
import type { StreamState } from '../api/streamState.ts'
import { applyUpdate, type Balances, type BalanceUpdate, type InitialBalances, toBalances } from './balances.ts'

export type LiveBalances = {
  /** undefined until loaded, and while unavailable */
  balances: Balances | undefined
  state: StreamState
  /** the first balances are on their way: the stream is neither lost, nor has it reported a failure to read them */
  isReading: boolean
}

type Known = LiveBalances & { key: string }

const nothing: LiveBalances = { balances: undefined, state: 'connecting', isReading: true }

/**
 * Live balances of an account. One stream has both kinds of events: the first has all balances, later ones have
 * changes.
 * @param account null: no request
 * @param tokens addresses in any order
 */
export const useBalances = (chainId: number, account: string | null, tokens: readonly string[]): LiveBalances => {
  const list = [...new Set(tokens)].sort().join(',')
  const key = `${chainId} ${account} ${list}`
  const [known, setKnown] = useState<Known>({ key, ...nothing })

  useEffect(() => {
    setKnown((last) => (last.key === key ? last : { key, ...nothing }))
    if (account === null || list === '') return
    const update = (change: (last: Known) => Partial<Known>) => setKnown((last) => ({ ...last, ...change(last) }))
    return listenToEvents({
      // a reopened stream begins with all balances
      path: `/${chainId}/accounts/${account}/balances/sse?tokens=${list}`,
      listeners: {
        initial_balances: (initial: InitialBalances) =>
          update(() => ({ balances: toBalances(initial), isReading: false })),
        balance_update: (change: BalanceUpdate) =>
          update(({ balances }) => ({ balances: balances && applyUpdate(balances, change) })),
        error: () => update(() => ({ isReading: false })),
      },
      onState: (state) =>
        update(() => (state === 'lost' ? { state, balances: undefined, isReading: false } : { state })),
    })
  }, [chainId, account, list, key])

  // The state is one render behind a new key, so data of the old key is hidden.
  return known.key === key ? known : nothing
}
