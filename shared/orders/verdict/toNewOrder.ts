import type { Address } from 'viem'
import type { ParsedAppData } from '../../appData/parseAppData.ts'
import type { OrderCreation } from '../orderCreation.ts'
import type { JudgedOrder } from './verdictFacts.ts'

/** An order that is not placed, as the verdict sees it: nothing has happened to it. */
export const toNewOrder = (
  creation: Omit<OrderCreation, 'signature'>,
  owner: Address | null,
  appData: Pick<ParsedAppData, 'validFrom' | 'partnerFees'> | null,
): JudgedOrder => ({
  kind: creation.kind,
  sellToken: creation.sellToken,
  buyToken: creation.buyToken,
  sellAmount: creation.sellAmount,
  buyAmount: creation.buyAmount,
  feeAmount: creation.feeAmount,
  validTo: creation.validTo,
  userValidTo: null,
  partiallyFillable: creation.partiallyFillable,
  signingScheme: creation.signingScheme,
  owner,
  receiver: creation.receiver,
  onchainUser: null,
  validFrom: appData?.validFrom ?? null,
  partnerFees: appData?.partnerFees ?? [],
  placementError: null,
  refundTransactionHash: null,
  cancelledAt: null,
  invalidated: false,
  presigned: false,
  executedSellAmount: 0n,
  executedBuyAmount: 0n,
  executedFeeAmount: 0n,
})
