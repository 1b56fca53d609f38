/**
 * Where public networks have the contracts of conditional orders.
 * https://github.com/cowprotocol/composable-cow/blob/main/networks.json
 */
export const publicContracts = {
  /** registry, to which the TWAP handler is bound */
  composableCow: '0xfdafc9d1902f4e0b84f65f49f244b32b31013b74',
  /** of Safes with conditional orders */
  fallbackHandler: '0x2f55e8b20d0b9fefa187aa7d00b6cbe563605bf5',
  /** start times of orders that start when they are mined */
  startTimes: '0x52ed56da04309aca4c3fecc595298d80c2f16bac',
  twap: '0x6cf1e9ca41f7611def408122793c358a3d11e5a5',
  stopLoss: '0x412c36e5011cd2517016d243a2dfb37f73a242e7',
  goodAfterTime: '0xdaf33924925e03c9cc3a10d434016d6cfad0add5',
  tradeAboveThreshold: '0x812308712a6d1367f437e1c1e4af85c854e1e9f6',
  perpetualStableSwap: '0x519ba24e959e33b3b6220ca98bd353d8c2d89920',
} as const
