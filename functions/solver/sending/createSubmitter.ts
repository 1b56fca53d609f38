import { type Client, type Hex, keccak256, numberToHex, stringToBytes } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { z } from 'zod'
import { connectChain } from '#shared/chain/connectChain.ts'
import { httpUrlSchema } from '#shared/settings/connectionSettings.ts'

/**
 * Methods of endpoints for transactions, and their guarantees:
 * - `mempool`: `eth_sendRawTransaction`; nothing, so a transaction may revert, and stays until it is replaced
 * - `protected`: the same method; includes none that reverts
 * - `private`: `eth_sendPrivateTransaction`; includes none that reverts, and drops it after `maxBlockNumber`
 * - `bundle`: `eth_sendBundle`; includes none that reverts, and only in the block that each bundle names
 */
const endpointKinds = ['mempool', 'protected', 'private', 'bundle'] as const

/** An endpoint for transactions: a URL of the kind `mempool`, or an object with its kind. */
const endpointSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { url: value } : value),
  z.strictObject({
    url: httpUrlSchema,
    kind: z.enum(endpointKinds, { error: `one of ${endpointKinds.join(', ')}` }).default('mempool'),
  }),
)

const maxEndpoints = 4

export const endpointListSchema = z.array(endpointSchema).min(1).max(maxEndpoints)

export type SubmissionEndpoint = z.infer<typeof endpointSchema>

/** Blocks that may contain a transaction. */
export interface Validity {
  /** newest block */
  head: number
  /** last block that may contain it; undefined: any block */
  deadlineBlock: number | undefined
}

/** Sends a signed transaction to one endpoint. @throws viem errors when it does not accept it */
export type Submitter = (raw: Hex, validity: Validity) => Promise<unknown>

/** blocks for which a bundle is sent at once: the node that reports the head may lag by one */
const bundleBlocks = 2

/**
 * Whether no endpoint includes a transaction after its deadline. Then a late one needs no replacement.
 */
export const isExpiring = (endpoints: readonly SubmissionEndpoint[]): boolean =>
  endpoints.every(({ kind }) => kind === 'private' || kind === 'bundle')

/**
 * Connects an endpoint; create one per alarm, like `connectChain`. Requests of relays carry `X-Flashbots-Signature`, by
 * which the public relays recognise the sender; others ignore it.
 * @see https://docs.flashbots.net/flashbots-protect/additional-documentation/eth-sendPrivateTransaction
 * @see https://docs.flashbots.net/flashbots-auction/advanced/rpc-endpoint
 */
export const createSubmitter = (
  { url, kind }: SubmissionEndpoint,
  chainId: number,
  account: LocalAccount,
): Submitter => {
  const isRelay = kind === 'private' || kind === 'bundle'
  const client = connectChain(url, chainId, isRelay ? signRelayRequest(account) : undefined) as unknown as Client
  const request = (method: string, param: unknown) => client.request({ method, params: [param] } as never)
  switch (kind) {
    case 'mempool':
    case 'protected':
      return (raw) => request('eth_sendRawTransaction', raw)
    case 'private':
      return (tx, { deadlineBlock }) => {
        const maxBlockNumber = deadlineBlock === undefined ? undefined : numberToHex(deadlineBlock)
        return request('eth_sendPrivateTransaction', { tx, maxBlockNumber, preferences: { fast: true } })
      }
    case 'bundle':
      return (raw, { head, deadlineBlock = head + bundleBlocks }) => {
        const last = Math.min(head + bundleBlocks, deadlineBlock)
        const blocks = Array.from({ length: Math.max(0, last - head) }, (_, i) => numberToHex(head + 1 + i))
        return Promise.all(
          blocks.map((blockNumber) => request('eth_sendBundle', { txs: [raw], blockNumber, revertingTxHashes: [] })),
        )
      }
  }
}

/**
 * Headers that prove the sender to a relay: its address, and its signature (EIP-191) of the body's keccak-256 in hex.
 */
const signRelayRequest = (account: LocalAccount) => async (body: string) => {
  const signature = await account.signMessage({ message: keccak256(stringToBytes(body)) })
  return { 'X-Flashbots-Signature': `${account.address}:${signature}` }
}
