import { zeroAddress } from 'viem'
import type { components } from '../../api/openapi.d.ts'
import type { Draft } from '../draft/draft.ts'
import { findTradeRoute, isWrapping } from '../draft/findTradeRoute.ts'
import { maxQuoteSeconds } from '../draft/validity.ts'
import { appDataDocument } from './appData.ts'

export type QuoteRequest = components['schemas']['QuoteRequest']

/** Everything that a quote depends on except the time. */
export type QuoteInput = Pick<Draft, 'kind' | 'slippageBps' | 'receiver' | 'validFor'> & {
  sellToken: string
  buyToken: string
  amount: bigint
  /** null: no wallet is connected */
  owner: string | null
  /** placed by a transaction that sells the native token */
  isOnchain: boolean
  /** document of the order; its hooks cost gas */
  appData: string
  /** `presign`: by a transaction; `eip1271`: a part of a TWAP, by its handler */
  scheme: 'eip712' | 'presign' | 'eip1271'
}

type Signing = Pick<QuoteInput, 'appData' | 'scheme'>

const plainSigning: Signing = { appData: appDataDocument, scheme: 'eip712' }

/** Gas units of the signature check of a part: the Safe, its fallback handler, the registry and the handler of TWAPs. */
const partSignatureGas = 100_000

/** @returns undefined while a value is missing or invalid, and when the pair is wrapped without an order */
export const toQuoteInput = (
  draft: Draft,
  owner: string | null,
  wrappedNative: string,
  signing: Signing = plainSigning,
): QuoteInput | undefined => {
  const { sell, buy, amount, kind, type, receiver, validFor, faults } = draft
  const isWrong = Object.entries(faults).some(([field, fault]) => field !== 'price' && fault !== undefined)
  const route = findTradeRoute(draft, wrappedNative)
  if (!sell || !buy || amount === undefined || isWrong || isWrapping(route)) return undefined
  const isOnchain = route === 'native'
  return {
    // an on-chain order sells the wrapped token
    sellToken: isOnchain ? wrappedNative : sell.address,
    buyToken: buy.address,
    kind,
    amount,
    owner,
    isOnchain,
    receiver,
    // a limit order has its own price
    slippageBps: type === 'limit' ? 0 : draft.slippageBps,
    validFor: Math.min(validFor, maxQuoteSeconds),
    ...(isOnchain ? plainSigning : signing),
  }
}

/** Identifies a request. */
export const toQuoteKey = (input: QuoteInput | undefined): string => (input ? Object.values(input).join(' ') : '')

/** @param now Unix seconds */
export const toQuoteRequest = (input: QuoteInput, now: number): QuoteRequest => {
  const { kind, amount, owner, isOnchain, sellToken, buyToken, receiver, slippageBps, validFor, appData } = input
  const common = {
    sellToken,
    buyToken,
    from: owner ?? zeroAddress,
    ...(receiver === null ? {} : { receiver }),
    validTo: now + validFor,
    appData,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
    priceQuality: 'verified',
    ...(isOnchain
      ? ({ signingScheme: 'eip1271', onchainOrder: true } as const)
      : input.scheme === 'eip1271'
        ? ({ signingScheme: 'eip1271', verificationGasLimit: partSignatureGas } as const)
        : { signingScheme: input.scheme }),
    slippageBps,
  } as const
  return kind === 'sell'
    ? { ...common, kind, sellAmountBeforeFee: amount.toString() }
    : { ...common, kind, buyAmountAfterFee: amount.toString() }
}
