import type { components } from '../../api/openapi.d.ts'
import { buildDomain, orderTypes } from '../signing/orderTypes.ts'

type Network = Pick<components['schemas']['ServedNetwork'], 'chainId' | 'settlementContract'>

/** The argument of eth_signTypedData_v4 that cancels an order off-chain. */
export const buildCancellation = (network: Network, uid: string) => ({
  domain: buildDomain(network),
  types: {
    EIP712Domain: orderTypes.EIP712Domain,
    OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }],
  },
  primaryType: 'OrderCancellations' as const,
  message: { orderUids: [uid] },
})
