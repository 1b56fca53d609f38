import type { components } from '../api/openapi.d.ts'
import { buildDomain, orderTypes } from './orderTypes.ts'

type Network = Pick<components['schemas']['ServedNetwork'], 'chainId' | 'settlementContract'>

/** Argument of eth_signTypedData_v4 that cancels orders off-chain. */
export const buildCancellation = (network: Network, orderUids: readonly string[]) => ({
  domain: buildDomain(network),
  types: {
    EIP712Domain: orderTypes.EIP712Domain,
    OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }],
  },
  primaryType: 'OrderCancellations' as const,
  message: { orderUids: [...orderUids] },
})
