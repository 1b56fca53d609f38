import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DevAccount } from '../../stack/chain/devAccounts.ts'
import type { StackInfo } from '../../stack/stackInfo.ts'

/** Sale of an amount at the quoted price less the slippage. */
export type Sale = {
  sellToken: Address
  buyToken: Address
  /** atoms, network fee included */
  sellAmount: bigint
  /** basis points */
  slippageBps: number
}

/** What the order must sell and buy at its quote, after all fees and before slippage; atoms. */
export type QuotedAmounts = { sellAmount: bigint; buyAmount: bigint }

type Quote = {
  id: number
  amounts: { afterPartnerFee: { sellAmount: string; buyAmount: string } }
  signable: { order: object; typedData: Parameters<ReturnType<typeof privateKeyToAccount>['signTypedData']>[0] }
}

/** a node or a solver that does not respond in time is requested again so often */
const attempts = 20
const pauseMs = 250

/** An error of solvers or nodes that says that another request may succeed. */
const isRetryable = (text: string): boolean => text.startsWith('{') && JSON.parse(text).data?.retryable === true

/** Response to a quote or an order, milliseconds after its request. */
export type TimedResponse = { path: 'quote' | 'orders'; status: number; ms: number }

/**
 * Creates a function that requests a quote, signs its order with the trader's key and places it.
 * @param onResponse receives every response, repeated requests included
 * @returns the UID of the order and what was quoted
 */
export const createOrderPlacer =
  (
    { baseUrl, network }: Pick<StackInfo, 'baseUrl' | 'network'>,
    trader: DevAccount,
    onResponse: (response: TimedResponse) => void = () => undefined,
  ) =>
  async ({ sellToken, buyToken, sellAmount, slippageBps }: Sale): Promise<{ uid: Hex; quoted: QuotedAmounts }> => {
    const post = async <Response>(path: 'quote' | 'orders', body: object, left = attempts): Promise<Response> => {
      const start = performance.now()
      const response = await fetch(`${baseUrl}/${network}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      onResponse({ path, status: response.status, ms: performance.now() - start })
      if ((response.status === 503 || isRetryable(text)) && left > 0) {
        await sleep(pauseMs)
        return post(path, body, left - 1)
      }
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    }
    const from = trader.address
    const sale = { sellToken, buyToken, kind: 'sell', sellAmountBeforeFee: sellAmount.toString(), slippageBps, from }
    const { id: quoteId, amounts, signable } = await post<Quote>('quote', sale)
    const signature = await privateKeyToAccount(trader.privateKey).signTypedData(signable.typedData)
    const uid = await post<Hex>('orders', { ...signable.order, from, quoteId, signingScheme: 'eip712', signature })
    const { sellAmount: sold, buyAmount: bought } = amounts.afterPartnerFee
    return { uid, quoted: { sellAmount: BigInt(sold), buyAmount: BigInt(bought) } }
  }
