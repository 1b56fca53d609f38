import type { components } from '../../api/openapi.d.ts'
import type { EthFlowOrder } from './encodeCreateOrder.ts'

/** `validTo` of the order that the contract signs. */
export const ethFlowValidTo = 0xffffffff

export type EthFlowPlacement = Pick<
  components['schemas']['Order'],
  | 'buyToken'
  | 'receiver'
  | 'sellAmount'
  | 'buyAmount'
  | 'appDataHash'
  | 'feeAmount'
  | 'partiallyFillable'
  | 'ethflowData'
  | 'onchainUser'
  | 'owner'
  | 'status'
>

/** @returns undefined for an order that does not sell the native token */
export const toEthFlowOrder = (order: EthFlowPlacement): EthFlowOrder | undefined =>
  order.ethflowData && order.receiver
    ? {
        buyToken: order.buyToken,
        receiver: order.receiver,
        sellAmount: BigInt(order.sellAmount),
        buyAmount: BigInt(order.buyAmount),
        appData: order.appDataHash,
        feeAmount: BigInt(order.feeAmount),
        validTo: order.ethflowData.userValidTo,
        partiallyFillable: order.partiallyFillable,
        quoteId: 0n,
      }
    : undefined
