import { type Address, encodeFunctionData, type Hex, stringToHex, zeroAddress } from 'viem'
import { wrappedNativeAbi } from '#shared/chain/wrappedNativeAbi.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { Order } from '#shared/signing/order.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { encodeSettlement, type Interaction } from '#shared/solvers/encodeSettlement.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import type { RehearsedTrade } from './findFailingStep.ts'

/** App data of trial orders, so that their UIDs never equal those of orders already filled on-chain. */
const trialAppData = stringToHex('edgebook: trial of a quote', { size: 32 })
/**
 * The same for every trial: zero bytes of a transaction's calldata cost 12 gas less than others, so with the quote's own
 * expiry the measured gas would change from second to second.
 */
const trialValidTo = 0xffffffff

/**
 * Settlement of one pre-signed order that trades exactly the quoted amounts through the solver's interactions.
 * @returns the order's UID, which `owner` must pre-sign, and the calldata of `settle`
 */
export const buildTrialSettlement = (
  { chainId, settlementContract }: Network,
  kind: PreparedRequest['request']['kind'],
  { owner, beneficiary, sellToken, buyToken, sellAmount, buyAmount, interactions }: RehearsedTrade,
): { orderUid: Hex; callData: Hex } => {
  const order: Order = {
    sellToken,
    buyToken,
    receiver: beneficiary === owner ? zeroAddress : beneficiary,
    sellAmount,
    buyAmount,
    validTo: trialValidTo,
    appDataHash: trialAppData,
    feeAmount: 0n,
    kind,
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }
  const digest = computeOrderDigest(computeDomainSeparator(chainId, settlementContract), order)
  const callData = encodeSettlement({
    auctionId: 0n,
    uniformPrices: new Map([
      [sellToken, buyAmount],
      [buyToken, sellAmount],
    ]),
    trades: [{ order, owner, scheme: 'presign', signature: '0x', executedSell: sellAmount, executedBuy: buyAmount }],
    interactions: { ...interactions, post: [] },
  })
  return { orderUid: packOrderUid(digest, owner, trialValidTo), callData }
}

/** Solvers quote the native token as the wrapped one, which the settlement unwraps. */
export const buildUnwrapping = (
  { wrappedNative }: Pick<Network, 'wrappedNative'>,
  buyToken: Address,
  amount: bigint,
): Interaction[] => {
  if (buyToken !== nativeSentinel) return []
  const callData = encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] })
  return [{ target: wrappedNative, value: 0n, callData }]
}
