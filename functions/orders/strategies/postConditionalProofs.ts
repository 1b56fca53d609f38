import { createRoute, z } from '@hono/zod-openapi'
import { concatHex, type Hex, keccak256 } from 'viem'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { countOtherConditionalOrders, insertPostedOrders } from '#schema/queries/strategies/insertPostedOrders.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { maxStaticInputBytes } from '#shared/strategies/conditionalOrder.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { addressSchema, bytesSchema, hashInputSchema, hashSchema } from '#shared/validation/chainValues.ts'
import { exampleKey } from './conditionalResponse.ts'

const maxProofs = 20
const maxProofLength = 32
/** Posting costs nothing, whatever the size of a tree: an owner with so many open ones emits the proofs of others. */
const maxOpen = 200
/** Posted orders of all owners together that have no part yet. */
const maxIdle = 10_000

const bodySchema = z.object({
  owner: addressSchema,
  proofs: z
    .array(
      z.object({
        proof: z.array(hashInputSchema).min(1).max(maxProofLength),
        params: z.object({
          handler: addressSchema,
          salt: hashInputSchema,
          staticInput: bytesSchema(maxStaticInputBytes),
        }),
      }),
    )
    .min(1)
    .max(maxProofs),
})

const example = {
  owner: exampleKey.owner,
  proofs: [
    {
      proof: [exampleKey.hash],
      params: { handler: publicContracts.twap, salt: exampleKey.hash, staticInput: '0x' },
    },
  ],
}

const postConditionalProofsRoute = createRoute({
  ...endpoint('postConditionalProofs'),
  tags: ['Conditional orders'],
  summary: 'Post the proofs of conditional orders',
  description:
    'Conditional orders of a merkle tree whose root the owner has set without emitting the proofs (`Multiplexer.dumpProofsAndParams` of ' +
    'the official SDK). Each proof must lead to the root that the registry has now.',
  request: { body: { required: true, content: { 'application/json': { schema: bodySchema, example } } } },
  responses: {
    201: {
      description: 'the hashes of the conditional orders, in the order of the proofs',
      content: { 'application/json': { schema: z.array(hashSchema) } },
    },
    ...errorResponses(
      'InvalidParameter',
      'TooManyLimitOrders',
      'PayloadTooLarge',
      'UnsupportedMediaType',
      'InternalServerError',
      'ServiceUnavailable',
    ),
  },
})

/** `POST /{network}/api/v1/conditional_orders`: anyone may post a proof, since the root is the owner's. */
export const postConditionalProofs = (
  { database, chainId }: NetworkDatabase,
  { chain, network }: { chain: ChainClient; network: Pick<Network, 'composableCow'> },
) =>
  createApp().openapi(postConditionalProofsRoute, async (c) => {
    const { owner, proofs } = c.req.valid('json')
    const { root, blockNumber } = await findRoot(chain, network, owner)
    const rows = proofs.map(({ proof, params }, i) => {
      const hash = hashParams(params)
      if (computeRoot(keccak256(hash), proof) !== root) {
        throw new ApiError('InvalidParameter', {
          description: `proofs.${i}: it does not lead to the owner's merkle root`,
          data: { field: `proofs.${i}.proof`, root },
        })
      }
      return { owner, hash, ...params, proof, blockNumber, logIndex: 0, transactionHash: null }
    })
    const unique = [...new Map(rows.map((row) => [row.hash, row])).values()]
    const hashes = unique.map(({ hash }) => hash)
    const open = await countOtherConditionalOrders(database, chainId, owner, hashes, maxOpen)
    if (open + unique.length > maxOpen) {
      throw new ApiError('TooManyLimitOrders', {
        description: `the limit is ${maxOpen} open conditional orders per owner`,
        data: { limit: maxOpen, open },
      })
    }
    const surplus = new Set(await insertPostedOrders(database, chainId, unique, maxIdle))
    if (hashes.some((hash) => surplus.has(hash))) {
      throw new ApiError('TooManyLimitOrders', {
        description: `the limit is ${maxIdle} posted conditional orders without a part, shared by all owners: emit the proofs with the root`,
        data: { limit: maxIdle, refused: hashes.filter((hash) => surplus.has(hash)) },
      })
    }
    return c.json(
      rows.map(({ hash }) => hash),
      201,
    )
  })

/** @throws ApiError `ServiceUnavailable` when the node fails */
const findRoot = async (
  chain: ChainClient,
  { composableCow }: Pick<Network, 'composableCow'>,
  owner: `0x${string}`,
) => {
  try {
    const call = { address: composableCow, abi: composableCowAbi, functionName: 'roots', args: [owner] } as const
    const [root, blockNumber] = await Promise.all([chain.readContract(call), chain.getBlockNumber()])
    return { root, blockNumber: Number(blockNumber) }
  } catch {
    throw new ApiError('ServiceUnavailable', { description: 'the registry of conditional orders could not be read' })
  }
}

/** Pairs are sorted before they are hashed, as in OpenZeppelin's trees. */
const computeRoot = (leaf: Hex, proof: readonly Hex[]): Hex =>
  proof.reduce((node, sibling) => keccak256(concatHex(node < sibling ? [node, sibling] : [sibling, node])), leaf)
