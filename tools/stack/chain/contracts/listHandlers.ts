import type { Address } from 'viem'
import { publicContracts } from '#shared/strategies/publicContracts.ts'

/** A contract that conditional orders use beside their registry. */
type Handler = {
  name: string
  /** of contracts/ */
  file: string
  args: readonly Address[]
  /** where public networks have one of the same interface */
  publicAddress: Address
}

/** The handlers of conditional orders, the fallback handler of their Safes, and the factory of their start times. */
export const listHandlers = (composableCow: Address): Handler[] => [
  {
    name: 'fallback handler of Safes with conditional orders',
    file: 'ExtensibleFallbackHandler',
    args: [],
    publicAddress: publicContracts.fallbackHandler,
  },
  {
    name: 'start times of conditional orders',
    file: 'BlockTimestampFactory',
    args: [],
    publicAddress: publicContracts.startTimes,
  },
  {
    name: 'TWAP orders',
    file: 'Twap',
    args: [composableCow],
    publicAddress: publicContracts.twap,
  },
  {
    name: 'stop-loss orders',
    file: 'StopLoss',
    args: [],
    publicAddress: publicContracts.stopLoss,
  },
  {
    name: 'orders good after a time',
    file: 'GoodAfterTime',
    args: [],
    publicAddress: publicContracts.goodAfterTime,
  },
  {
    name: 'orders above a threshold',
    file: 'TradeAboveThreshold',
    args: [],
    publicAddress: publicContracts.tradeAboveThreshold,
  },
  {
    name: 'perpetual swaps',
    file: 'PerpetualStableSwap',
    args: [],
    publicAddress: publicContracts.perpetualStableSwap,
  },
]
