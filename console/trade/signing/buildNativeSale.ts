import type { EthFlowOrder } from '../../actions/ethFlow/encodeCreateOrder.ts'
import { ethFlowValidTo } from '../../actions/ethFlow/toEthFlowOrder.ts'
import { buildDomain, orderTypes } from '../../actions/orderTypes.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { appDataHash } from './buildOrder.ts'
import { toOrderUid } from './toOrderUid.ts'

type Terms = {
  /** displayed amounts */
  signed: Amounts
  /** lower case */
  owner: string
  /** null without an offer */
  quoteId: number | null
  /** Unix seconds */
  validTo: number
}

/** The displayed terms as an order that sells the native token. The service supplies only the displayed quote. */
export const buildNativeSale = (draft: Draft, { signed, owner, quoteId, validTo }: Terms): EthFlowOrder | undefined =>
  draft.buy && draft.kind === 'sell'
    ? {
        buyToken: draft.buy.address,
        // the contract owns the order, so it needs a receiver
        receiver: draft.receiver ?? owner,
        sellAmount: signed.sellAmount,
        buyAmount: signed.buyAmount,
        appData: appDataHash,
        feeAmount: 0n,
        validTo,
        partiallyFillable: draft.isPartiallyFillable,
        quoteId: BigInt(quoteId ?? 0),
      }
    : undefined

type Place = Pick<Network, 'chainId' | 'settlementContract' | 'ethFlow' | 'wrappedNative'>

/** UID of the order that the contract signs: it sells the wrapped token and belongs to the contract. */
export const computeNativeSaleUid = (order: EthFlowOrder, network: Place): string =>
  toOrderUid(
    {
      domain: buildDomain(network),
      types: orderTypes,
      primaryType: 'Order',
      message: {
        sellToken: network.wrappedNative,
        buyToken: order.buyToken,
        receiver: order.receiver,
        sellAmount: order.sellAmount.toString(),
        buyAmount: order.buyAmount.toString(),
        validTo: ethFlowValidTo,
        appData: order.appData,
        feeAmount: order.feeAmount.toString(),
        kind: 'sell',
        partiallyFillable: order.partiallyFillable,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
      },
    },
    network.ethFlow,
  )
