import { type Address, zeroAddress } from 'viem'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

const owner: Address = `0x${'9'.repeat(40)}`

/** An ordinary order as a solver receives it, with a limit of one atom and an invalid signature. */
export const auctionOrder: AuctionOrder = {
  uid: `0x${'00'.repeat(56)}`,
  sellToken: zeroAddress,
  buyToken: zeroAddress,
  sellAmount: 1n,
  buyAmount: 1n,
  feeAmount: 0n,
  protocolFees: [],
  created: 0,
  validTo: 0xffffffff,
  kind: 'sell',
  receiver: null,
  owner,
  partiallyFillable: false,
  executed: 0n,
  preInteractions: [],
  postInteractions: [],
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  class: 'limit',
  appData: `0x${'00'.repeat(32)}`,
  signingScheme: 'eip712',
  signature: `0x${'00'.repeat(65)}`,
}
