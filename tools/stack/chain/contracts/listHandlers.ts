import type { Address } from 'viem'

/** A contract that conditional orders use beside their registry. */
type Handler = {
  name: string
  /** of contracts/ */
  file: string
  args: readonly Address[]
  /**
   * where public networks have one of the same interface
   * https://github.com/cowprotocol/composable-cow/blob/main/networks.json
   */
  publicAddress: Address
}

/** The handlers of conditional orders, the fallback handler of their Safes, and the factory of their start times. */
export const listHandlers = (composableCow: Address): Handler[] => [
  {
    name: 'fallback handler of Safes with conditional orders',
    file: 'ExtensibleFallbackHandler',
    args: [],
    publicAddress: '0x2f55e8b20d0b9fefa187aa7d00b6cbe563605bf5',
  },
  {
    name: 'start times of conditional orders',
    file: 'BlockTimestampFactory',
    args: [],
    publicAddress: '0x52ed56da04309aca4c3fecc595298d80c2f16bac',
  },
  {
    name: 'TWAP orders',
    file: 'Twap',
    args: [composableCow],
    publicAddress: '0x6cf1e9ca41f7611def408122793c358a3d11e5a5',
  },
  {
    name: 'stop-loss orders',
    file: 'StopLoss',
    args: [],
    publicAddress: '0x412c36e5011cd2517016d243a2dfb37f73a242e7',
  },
  {
    name: 'orders good after a time',
    file: 'GoodAfterTime',
    args: [],
    publicAddress: '0xdaf33924925e03c9cc3a10d434016d6cfad0add5',
  },
  {
    name: 'orders above a threshold',
    file: 'TradeAboveThreshold',
    args: [],
    publicAddress: '0x812308712a6d1367f437e1c1e4af85c854e1e9f6',
  },
  {
    name: 'perpetual swaps',
    file: 'PerpetualStableSwap',
    args: [],
    publicAddress: '0x519ba24e959e33b3b6220ca98bd353d8c2d89920',
  },
]
